// plot.cpp - draws figures: axes, legend, series and marks of each panel.
#include "plot/plot.h"

#include <algorithm>
#include <cmath>

#include "plot/plot_axis.h"
#include "plot/plot_layout.h"
#include "plot/plot_series.h"
#include "plot/plot_style.h"
#include "plot/svg_drawing.h"
#include "plot/svg_page.h"
#include "record/output_file.h"

namespace stiction {

namespace {

using namespace plotting;

constexpr const char* kMarkStyle =
    "stroke=\"#6B6B6B\" stroke-width=\"1.3\" stroke-dasharray=\"5 4\"";

std::size_t index(int i) { return static_cast<std::size_t>(i); }

// Lines at 2 .. 9 times the powers of ten where there are few of these.
void draw_minor_grid(const Ruler& ruler, bool is_x, const Layout& at, Drawing& out) {
    if (ruler.scale != Scale::kLog || std::log10(ruler.to / ruler.from) > 4.5) return;
    const std::string style = "stroke=\"" + std::string(kMinorGrid) + "\"";
    const int first = static_cast<int>(std::floor(std::log10(ruler.from)));
    const int last = static_cast<int>(std::floor(std::log10(ruler.to)));
    for (int e = first; e <= last; ++e) {
        for (int m = 2; m < 10; ++m) {
            const double value = m * std::pow(10, e);
            if (!ruler.inside(value)) continue;
            const double p = ruler.at(value);
            is_x ? out.line(p, at.top, p, at.bottom, style)
                 : out.line(at.left, p, at.right, p, style);
        }
    }
}

void draw_axes(const Plot& plot, const Ruler& rx, const Ruler& ry, const Ticks& y_ticks,
               const Layout& at, Drawing& out) {
    const std::string grid = "stroke=\"" + std::string(kGrid) + "\"";
    const std::string ink = "stroke=\"" + std::string(kGrey) + "\"";
    const double middle_x = (at.left + at.right) / 2;
    const double middle_y = (at.top + at.bottom) / 2;
    draw_minor_grid(ry, false, at, out);
    if (!is_bar_chart(plot)) draw_minor_grid(rx, true, at, out);
    for (std::size_t i = 0; i < y_ticks.values.size(); ++i) {
        const double y = ry.at(y_ticks.values[i]);
        out.line(at.left, y, at.right, y, grid);
        out.words(at.left - 7, y + 0.35 * kFont, y_ticks.names[i], font(kFont, kInk, "end"));
    }
    if (is_bar_chart(plot)) {
        const double room = (at.right - at.left) / static_cast<double>(plot.categories.size());
        for (std::size_t c = 0; c < plot.categories.size(); ++c) {
            const double x = at.left + (static_cast<double>(c) + 0.5) * room;
            const double y = at.bottom + 17;
            if (at.slanted) {
                out.words(x + 3, y - 3, plot.categories[c],
                          font(kFont, kInk, "end") + " transform=\"rotate(-" + px(kSlant) + " " +
                              px(x + 3) + " " + px(y - 3) + ")\"");
            } else {
                out.words(x, y, plot.categories[c], font(kFont, kInk, "middle"));
            }
        }
    } else {
        const int most = std::max(2, static_cast<int>((at.right - at.left) / 80));
        const Ticks x_ticks = make_ticks(rx, most);
        for (std::size_t i = 0; i < x_ticks.values.size(); ++i) {
            const double x = rx.at(x_ticks.values[i]);
            out.line(x, at.top, x, at.bottom, grid);
            out.line(x, at.bottom, x, at.bottom + 4, ink);
            out.words(x, at.bottom + 17, x_ticks.names[i], font(kFont, kInk, "middle"));
        }
    }
    out.line(at.left, at.bottom, at.right, at.bottom, ink);
    out.line(at.left, at.top, at.left, at.bottom, ink);
    out.words(middle_x, at.bottom + at.names_height + 17, plot.x.label,
              font(kFont + 1, kInk, "middle"));
    const double label_x = at.left - widest(y_ticks.names) - 16;
    out.words(label_x, middle_y, plot.y.label,
              font(kFont + 1, kInk, "middle") + " transform=\"rotate(-90 " + px(label_x) + " " +
                  px(middle_y) + ")\"");
}

void draw_legend(const Plot& plot, const Layout& at, Drawing& out) {
    for (const LegendEntry& entry : at.legend.entries) {
        const double x = at.left + entry.x;
        const double y = at.legend_top + entry.y + 10;
        const double end = x + entry.sample;
        out.words(end + 6, y + 0.35 * kFont, entry.name(), font(kFont, kInk, "start"));
        if (entry.mark != nullptr) {
            out.line(x, y, end, y, kMarkStyle);
            continue;
        }
        const std::string colour = colour_of(*entry.series, entry.place);
        if (is_bar_chart(plot)) {
            out.rect(x, y - 6, entry.sample, 12, "rx=\"2\" fill=\"" + colour + "\"");
            continue;
        }
        if (entry.series->line != LineStyle::kHidden) {
            out.line(x, y, end, y,
                     "stroke=\"" + colour + "\" stroke-width=\"2.2\"" +
                         dashes_of(*entry.series, entry.place));
        }
        if (entry.series->markers) out.marker((x + end) / 2, y, entry.place, colour.c_str());
    }
}

void draw_marks(const Plot& plot, const Ruler& rx, const Ruler& ry, const Layout& at,
                Drawing& out) {
    for (const Mark& mark : plot.marks) {
        const Ruler& ruler = mark.vertical ? rx : ry;
        if (!ruler.inside(mark.at) || (mark.vertical && is_bar_chart(plot))) continue;
        const double p = ruler.at(mark.at);
        // Words in grey with a white rim, so that they read across lines.
        const std::string rim =
            " stroke=\"#FFFFFF\" stroke-width=\"3\" stroke-linejoin=\"round\" "
            "paint-order=\"stroke\"";
        if (mark.vertical) {
            out.line(p, at.top, p, at.bottom, kMarkStyle);
            const bool left = p + 5 + text_width(mark.label) > at.right;
            out.words(left ? p - 5 : p + 5, at.top + 13, mark.label,
                      font(kFont - 1, kGrey, left ? "end" : "start") + rim);
        } else {
            out.line(at.left, p, at.right, p, kMarkStyle);
            if (is_in_legend(plot, mark)) continue;
            out.words(at.right - 4, p - at.top < 18 ? p + 14 : p - 5, mark.label,
                      font(kFont - 1, kGrey, "end") + rim);
        }
    }
}

void draw(const Plot& plot, const Panel& panel, std::size_t number, Drawing& out) {
    const Layout& at = panel.layout;
    const std::string clip = "panel" + std::to_string(number);
    const double room = (at.right - at.left) / std::max(1.0, text_width(plot.title, 1));
    out.words(at.left, at.legend_top - 10, plot.title,
              font(std::clamp(0.95 * room, 9.0, kTitleFont), kInk, "start", true));
    draw_axes(plot, panel.rx, panel.ry, panel.y_ticks, at, out);
    draw_legend(plot, at, out);
    out.raw("<clipPath id=\"" + clip + "\"><rect x=\"" + px(at.left) + "\" y=\"" + px(at.top - 2) +
            "\" width=\"" + px(at.right - at.left + 2) + "\" height=\"" +
            px(at.bottom - at.top + 3) + "\"/></clipPath>\n<g clip-path=\"url(#" + clip + ")\">\n");
    if (is_bar_chart(plot)) {
        draw_bars(plot, panel.ry, at, out);
    } else {
        draw_lines(plot, panel.rx, panel.ry, out);
    }
    out.raw("</g>\n");
    draw_marks(plot, panel.rx, panel.ry, at, out);
    if (!has_data(plot, panel)) {
        out.words((at.left + at.right) / 2, (at.top + at.bottom) / 2, "no data",
                  font(kFont + 1, kGrey, "middle"));
    }
}

}  // namespace

std::string svg_text(const Figure& figure) {
    const int columns = std::max(1, figure.columns);
    const double top = page_top(figure.title);
    constexpr double kGap = 22;  // [px] between panels
    Drawing drawing;
    double y = top;
    double row_bottom = top;
    const auto panels = static_cast<int>(figure.panels.size());
    for (int i = 0; i < panels; ++i) {
        if (i > 0 && i % columns == 0) y = row_bottom + kGap;
        const double x = kEdge + (i % columns) * (figure.panel_width + kGap);
        const Plot& plot = figure.panels[index(i)];
        const Panel panel = prepare(plot, x, y, figure.panel_width, figure.panel_height);
        draw(plot, panel, index(i), drawing);
        const Layout& at = panel.layout;
        row_bottom =
            std::max(row_bottom, at.bottom + at.names_height + (plot.x.label.empty() ? 4 : 26));
    }
    const int across = std::min(columns, std::max(1, panels));
    const double width = 2 * kEdge + across * figure.panel_width + (across - 1) * kGap;
    const double height = row_bottom + kEdge;
    return svg_page(figure.title, width, height, drawing);
}

std::string svg_text(const Plot& plot) {
    Figure figure;
    figure.panels.push_back(plot);
    return svg_text(figure);
}

void write_svg(const std::string& path, const Figure& figure) {
    write_file(path, svg_text(figure));
}

void write_svg(const std::string& path, const Plot& plot) { write_file(path, svg_text(plot)); }

}  // namespace stiction
