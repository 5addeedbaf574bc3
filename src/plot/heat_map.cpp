// heat_map.cpp - cells, names of rows and columns, and the bar of colours.
#include "plot/heat_map.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "plot/plot_axis.h"
#include "plot/plot_layout.h"
#include "plot/plot_style.h"
#include "plot/svg_drawing.h"
#include "plot/svg_page.h"
#include "record/output_file.h"

namespace stiction {

namespace heat_map {

using namespace plotting;

constexpr double kCellWidth = 34, kCellHeight = 26;      // [px], at least
constexpr double kPanelWidth = 260, kPanelHeight = 200;  // [px], at least, of the cells
constexpr double kPanelGap = 24;                         // [px]
constexpr double kBarWidth = 16;                         // [px]
constexpr const char* kNoValue = "#E4E4E4";

// Dark blue to yellow, even to the eye and in grey (viridis, at five places).
constexpr std::array<std::array<double, 3>, 5> kColours = {
    {{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}}};

std::string colour_at(double share) {
    const double place = std::clamp(share, 0.0, 1.0) * (kColours.size() - 1);
    const auto below = std::min(static_cast<std::size_t>(place), kColours.size() - 2);
    const double part = place - static_cast<double>(below);
    std::array<char, 8> text{};
    std::array<int, 3> rgb{};
    for (std::size_t c = 0; c < 3; ++c)
        rgb[c] = static_cast<int>(
            std::lround((1 - part) * kColours[below][c] + part * kColours[below + 1][c]));
    std::snprintf(text.data(), text.size(), "#%02X%02X%02X", rgb[0], rgb[1], rgb[2]);
    return text.data();
}

// Values to shares of the colours.
Ruler colour_ruler(const HeatMap& map) {
    plotting::Range range;
    for (const HeatMapPanel& panel : map.panels) {
        for (const double value : panel.values) {
            if (std::isfinite(value) && (map.scale == Scale::kLinear || value > 0))
                range.add(value);
        }
    }
    Ruler ruler;
    ruler.scale = map.scale;
    if (range.low > range.high) range = {1, 2};
    if (range.low == range.high) {
        const double margin = range.low == 0 ? 1 : std::abs(range.low) / 2;
        range = {range.low - margin, range.high + margin};
    }
    ruler.from = range.low;
    ruler.to = range.high;
    return ruler;
}

struct Shape {
    double cell_width = 0, cell_height = 0;  // [px]
    double left = 0, bottom = 0;             // [px] room for names beside and below
    bool slanted = false;

    [[nodiscard]] double width(const HeatMap& map) const {
        return cell_width * static_cast<double>(map.columns.size());
    }
    [[nodiscard]] double height(const HeatMap& map) const {
        return cell_height * static_cast<double>(map.rows.size());
    }
};

Shape measure(const HeatMap& map) {
    Shape shape;
    shape.cell_width = std::max(kCellWidth, kPanelWidth / static_cast<double>(map.columns.size()));
    shape.cell_height = std::max(kCellHeight, kPanelHeight / static_cast<double>(map.rows.size()));
    shape.left = widest(map.rows) + 34;
    shape.slanted = widest(map.columns) > shape.cell_width - 6;
    shape.bottom = shape.slanted ? 0.6 * widest(map.columns) + 40 : 44;
    return shape;
}

void draw_names(const HeatMap& map, const Shape& shape, double x, double y, Drawing& out) {
    const double bottom = y + shape.height(map);
    for (std::size_t c = 0; c < map.columns.size(); ++c) {
        const double middle = x + (static_cast<double>(c) + 0.5) * shape.cell_width;
        const std::string turn = " transform=\"rotate(-" + px(kSlant) + " " + px(middle + 3) + " " +
                                 px(bottom + 15) + ")\"";
        shape.slanted
            ? out.words(middle + 3, bottom + 15, map.columns[c], font(kFont, kInk, "end") + turn)
            : out.words(middle, bottom + 17, map.columns[c], font(kFont, kInk, "middle"));
    }
    for (std::size_t r = 0; r < map.rows.size(); ++r) {
        const double middle = bottom - (static_cast<double>(r) + 0.5) * shape.cell_height;
        out.words(x - 7, middle + 0.35 * kFont, map.rows[r], font(kFont, kInk, "end"));
    }
    const double label_x = x - shape.left + 14, label_y = (y + bottom) / 2;
    out.words(label_x, label_y, map.y_label,
              font(kFont + 1, kInk, "middle") + " transform=\"rotate(-90 " + px(label_x) + " " +
                  px(label_y) + ")\"");
    out.words(x + shape.width(map) / 2, bottom + shape.bottom - 8, map.x_label,
              font(kFont + 1, kInk, "middle"));
}

void draw_cells(const HeatMap& map, const HeatMapPanel& panel, const Shape& shape,
                const Ruler& ruler, double x, double y, Drawing& out) {
    for (std::size_t r = 0; r < map.rows.size(); ++r) {
        for (std::size_t c = 0; c < map.columns.size(); ++c) {
            const double value = panel.values[r * map.columns.size() + c];
            const std::string colour =
                ruler.shows(value) ? colour_at(ruler.at(value)) : std::string(kNoValue);
            out.rect(x + static_cast<double>(c) * shape.cell_width,
                     y + static_cast<double>(map.rows.size() - 1 - r) * shape.cell_height,
                     shape.cell_width + 0.3, shape.cell_height + 0.3,
                     "shape-rendering=\"crispEdges\" fill=\"" + colour + "\"");
        }
    }
}

void draw_colour_bar(const HeatMap& map, Ruler ruler, double x, double top, double bottom,
                     Drawing& out) {
    constexpr int kSlices = 64;  // finer than the eye
    for (int i = 0; i < kSlices; ++i) {
        const double height = (bottom - top) / kSlices;
        out.rect(x, bottom - (i + 1) * height, kBarWidth, height + 0.3,
                 "fill=\"" + colour_at((i + 0.5) / kSlices) + "\"");
    }
    ruler.begin = bottom;
    ruler.end = top;
    const Ticks ticks = make_ticks(ruler, 5);
    for (std::size_t i = 0; i < ticks.values.size(); ++i) {
        const double y = ruler.at(ticks.values[i]);
        out.line(x + kBarWidth, y, x + kBarWidth + 4, y, "stroke=\"" + std::string(kGrey) + "\"");
        out.words(x + kBarWidth + 8, y + 0.35 * kFont, ticks.names[i], font(kFont, kInk, "start"));
    }
    const double label_x = x + kBarWidth + widest(ticks.names) + 26, label_y = (top + bottom) / 2;
    out.words(label_x, label_y, map.value_label,
              font(kFont + 1, kInk, "middle") + " transform=\"rotate(-90 " + px(label_x) + " " +
                  px(label_y) + ")\"");
}

}  // namespace heat_map

std::string svg_text(const HeatMap& map) {
    using namespace heat_map;
    const Shape shape = measure(map);
    const Ruler ruler = colour_ruler(map);
    const std::size_t across =
        std::clamp<std::size_t>(map.panels.size(), 1, static_cast<std::size_t>(map.across));
    constexpr double kHeading = 26;  // [px], of a panel
    const double step_x = shape.left + shape.width(map) + kPanelGap;
    const double step_y = kHeading + shape.height(map) + shape.bottom + kPanelGap / 2;
    const double top = page_top(map.title);
    Drawing drawing;
    for (std::size_t i = 0; i < map.panels.size(); ++i) {
        const double x = kEdge + static_cast<double>(i % across) * step_x + shape.left;
        const std::size_t row = i / across;
        const double y = top + static_cast<double>(row) * step_y + kHeading;
        drawing.words(x, y - 8, map.panels[i].title, font(kTitleFont, kInk, "start", true));
        draw_cells(map, map.panels[i], shape, ruler, x, y, drawing);
        draw_names(map, shape, x, y, drawing);
    }
    const double right = kEdge + static_cast<double>(across) * step_x;
    draw_colour_bar(map, ruler, right, top + kHeading, top + kHeading + shape.height(map), drawing);
    const std::size_t down = std::max<std::size_t>(1, (map.panels.size() + across - 1) / across);
    constexpr double kBarRoom = 110;  // [px]: the bar, its numbers and its label
    return svg_page(map.title, right + kBarRoom, top + static_cast<double>(down) * step_y + kEdge,
                    drawing);
}

void write_svg(const std::string& path, const HeatMap& map) { write_file(path, svg_text(map)); }

}  // namespace stiction
