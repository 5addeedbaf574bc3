// plots.cpp - plots drawn with Dear ImGui's lines and rectangles.
#include "view/panels/plots.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "view/palette.h"
#include "view/panels/widgets.h"

namespace stiction {

namespace {

constexpr float kHeadroom = 1.15F;  // above the tallest column
constexpr Colour kFrameColour{0.5F, 0.52F, 0.56F, 0.12F};
constexpr Colour kRuleColour{0.5F, 0.52F, 0.56F, 0.3F};

unsigned text_colour() { return ImGui::GetColorU32(ImGuiCol_TextDisabled); }

struct Range {
    double low = 0, high = 1;

    [[nodiscard]] double part(double x) const { return (x - low) / (high - low); }
};

// The smallest of 1, 2, 5 times a power of ten that is not below x.
double round_up(double x) {
    if (!(x > 0)) return 1;
    const double power = std::pow(10, std::floor(std::log10(x)));
    for (const double digit : {1.0, 2.0, 5.0, 10.0}) {
        if (digit * power >= x * (1 - 1e-9)) return digit * power;
    }
    return 10 * power;
}

// Wide enough to be seen when all values are the same.
Range widened(Range range) {
    if (range.high > range.low) return range;
    const double room = std::max(0.05 * std::abs(range.low), 1e-12);
    return {range.low - room, range.high + room};
}

template <class Value>
Range range_of(std::span<const PlotLine> lines, const Value& value_of) {
    Range range{INFINITY, -INFINITY};
    for (const PlotLine& line : lines) {
        for (std::size_t i = 0; i < line.x.size(); ++i) {
            const double value = value_of(line, i);
            if (!std::isfinite(value)) continue;
            range.low = std::min(range.low, value);
            range.high = std::max(range.high, value);
        }
    }
    return range.low <= range.high ? widened(range) : Range{0, 1};
}

double y_value(const PlotLine& line, std::size_t i, const PlotLook& look) {
    if (!look.logarithmic) return line.y[i];
    return line.y[i] > 0 ? std::log10(line.y[i]) : NAN;
}

std::string tick_text(double value, const PlotLook& look) {
    if (!look.logarithmic) return with_unit(value, look.y_unit);
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "1e%.0f", value);
    return text.data();
}

struct Area {
    ImVec2 low, high;

    [[nodiscard]] ImVec2 at(double x,
                            double y) const {  // parts of the width and height, from below
        return {low.x + static_cast<float>(x) * (high.x - low.x),
                high.y - static_cast<float>(y) * (high.y - low.y)};
    }
};

Area reserve(const char* id, float width, float height) {
    const ImVec2 low = ImGui::GetCursorScreenPos();
    ImGui::InvisibleButton(id, {width, height});
    const Area area{low, {low.x + width, low.y + height}};
    ImGui::GetWindowDrawList()->AddRectFilled(area.low, area.high, packed(kFrameColour), 3);
    return area;
}

void draw_line(ImDrawList& list, const Area& area, const PlotLine& line, const PlotLook& look,
               const Range& xs, const Range& ys) {
    ImVec2 last;
    bool joined = false;
    const float thickness = 0.1F * ImGui::GetFontSize();
    for (std::size_t i = 0; i < line.x.size(); ++i) {
        const double y = y_value(line, i, look);
        if (!std::isfinite(y)) {
            joined = false;
            continue;
        }
        const ImVec2 point = area.at(xs.part(line.x[i]), ys.part(y));
        if (joined) list.AddLine(last, point, legible(line.colour), thickness);
        if (line.dots) list.AddCircleFilled(point, 2 * thickness, legible(line.colour), 8);
        last = point;
        joined = true;
    }
}

void draw_legend(ImDrawList& list, const Area& area, std::span<const PlotLine> lines) {
    float x = area.low.x + 4;
    for (const PlotLine& line : lines) {
        const std::string text(line.label);
        const float width = ImGui::CalcTextSize(text.c_str()).x;
        list.AddText({x, area.low.y + 1}, legible(line.colour), text.c_str());
        x += width + 0.8F * ImGui::GetFontSize();
    }
}

}  // namespace

void line_plot(const char* id, std::span<const PlotLine> lines, const PlotLook& look) {
    const float unit = ImGui::GetFontSize() / 15;
    const Area area = reserve(id, ImGui::GetContentRegionAvail().x, look.height * unit);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Range xs = range_of(lines, [](const PlotLine& l, std::size_t i) { return l.x[i]; });
    Range ys =
        range_of(lines, [&](const PlotLine& l, std::size_t i) { return y_value(l, i, look); });
    if (look.from_zero) ys = {std::min(ys.low, 0.0), std::max(ys.high, 0.0)};
    if (look.logarithmic)
        ys = {std::floor(ys.low), std::max(std::ceil(ys.high), std::floor(ys.low) + 1)};
    const float letter = ImGui::GetFontSize();
    const Area inner{
        {area.low.x + 4, area.low.y + 1.2F * letter},
        {area.high.x - 4.6F * letter, area.high.y - (look.x_label.empty() ? 0.3F : 1.2F) * letter}};
    list.PushClipRect(area.low, area.high, true);
    for (const double part : {0.0, 0.5, 1.0}) {
        constexpr double kNothing = 1e-6;  // of the range: nought, but for rounding
        double value = ys.low + part * (ys.high - ys.low);
        if (std::abs(value) < kNothing * (ys.high - ys.low)) value = 0;
        const ImVec2 at = inner.at(1, part);
        list.AddLine(inner.at(0, part), at, packed(kRuleColour));
        const bool whole = !look.logarithmic || value == std::round(value);
        if (whole)
            list.AddText({at.x + 4, at.y - 0.5F * letter}, text_colour(),
                         tick_text(value, look).c_str());
    }
    for (const PlotLine& line : lines) draw_line(list, inner, line, look, xs, ys);
    draw_legend(list, area, lines);
    if (!look.x_label.empty()) {
        std::array<char, 96> text{};
        std::snprintf(text.data(), text.size(), "%.*s  %.4g to %.4g",
                      static_cast<int>(look.x_label.size()), look.x_label.data(), xs.low, xs.high);
        list.AddText({inner.low.x, inner.high.y + 1}, text_colour(), text.data());
    }
    list.PopClipRect();
}

namespace {

// All but the tallest few columns are not higher: single slow steps may leave the picture.
double usual_height(const std::vector<CostColumn>& columns) {
    std::vector<double> heights;
    for (const CostColumn& column : columns) {
        if (column.steps == 0) continue;
        heights.push_back(std::accumulate(column.seconds.begin(), column.seconds.end(), 0.0));
    }
    if (heights.empty()) return 0;
    std::sort(heights.begin(), heights.end());
    const auto last = heights.size() - 1;
    const double usual = heights[last - last / 20];
    return std::min(heights.back(), 2 * usual);
}

void draw_columns(ImDrawList& list, const Area& area, const std::vector<CostColumn>& columns,
                  double top) {
    const auto count = static_cast<double>(columns.size());
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (columns[i].steps == 0) continue;
        double height = 0;
        for (std::size_t s = 0; s < kStageNames.size(); ++s) {
            const double seconds = columns[i].seconds[s];
            if (seconds <= 0) continue;
            const ImVec2 low = area.at(static_cast<double>(i) / count, (height + seconds) / top);
            const ImVec2 high = area.at(static_cast<double>(i + 1) / count, height / top);
            list.AddRectFilled(low, high, packed(palette::kStages[s]));
            height += seconds;
        }
    }
}

// A red foot below every column that has steps which were not solved, wide enough to be seen.
void draw_unsolved(ImDrawList& list, const Area& area, const std::vector<CostColumn>& columns) {
    const auto count = static_cast<double>(columns.size());
    const float height = 0.4F * ImGui::GetFontSize();
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (columns[i].unsolved == 0) continue;
        const float left = area.at(static_cast<double>(i) / count, 0).x;
        const float right = std::max(area.at(static_cast<double>(i + 1) / count, 0).x, left + 2);
        list.AddRectFilled({left, area.high.y - height}, {right, area.high.y},
                           packed(palette::kLights[3]));
    }
}

void draw_switches(ImDrawList& list, const Area& area, const StagePlot& plot) {
    float free_from = area.low.x;
    for (std::size_t i = 0; i < plot.models.size(); ++i) {
        const ImVec2 top = area.at(plot.models[i].part, 1);
        if (i > 0)
            list.AddLine(area.at(plot.models[i].part, 0), top, ImGui::GetColorU32(ImGuiCol_Text),
                         1.5F);
        const std::string& text = plot.models[i].model;
        if (top.x + 4 < free_from) continue;
        list.AddText({top.x + 4, top.y}, ImGui::GetColorU32(ImGuiCol_Text), text.c_str());
        free_from = top.x + 8 + ImGui::CalcTextSize(text.c_str()).x;
    }
}

}  // namespace

StagePlot make_stage_plot(const Timeline& timeline, int columns) {
    StagePlot plot;
    plot.columns = timeline.columns(columns);
    plot.top = round_up(kHeadroom * usual_height(plot.columns));
    constexpr std::array<const char*, 3> kUnits = {" steps", " s sim", " s real"};
    std::array<char, 32> number{};
    std::snprintf(number.data(), number.size(), "%.4g", timeline.span());
    plot.axis = std::string(number.data()) + kUnits[static_cast<std::size_t>(timeline.axis())];
    const std::vector<ModelSpan> spans = timeline.model_spans();
    for (std::size_t i = 0; i < spans.size(); ++i) {
        const double part = (timeline.place(spans[i].begin) - timeline.start()) / timeline.span();
        plot.models.push_back({std::max(0.0, part), i == 0 ? std::string(spans[i].model)
                                                           : difference(spans[i], spans[i - 1])});
    }
    return plot;
}

void draw_stage_plot(const char* id, const StagePlot& plot, float width, float height) {
    const Area area = reserve(id, width, height);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float letter = ImGui::GetFontSize();
    const Area inner{{area.low.x + 2, area.low.y + 1.3F * letter},
                     {area.high.x - 4.2F * letter, area.high.y - 2}};
    list.PushClipRect(area.low, area.high, true);
    for (const double part : {0.0, 0.5, 1.0}) {
        list.AddLine(inner.at(0, part), inner.at(1, part), packed(kRuleColour));
        const ImVec2 at = inner.at(1, part);
        if (part > 0)
            list.AddText({at.x + 4, at.y - 0.5F * letter}, text_colour(),
                         with_unit(part * plot.top, "s").c_str());
    }
    draw_columns(list, inner, plot.columns, plot.top);
    draw_unsolved(list, inner, plot.columns);
    list.AddText({inner.high.x + 4, inner.high.y - letter}, text_colour(), plot.axis.c_str());
    draw_switches(list, {{inner.low.x, area.low.y}, inner.high}, plot);
    list.PopClipRect();
}

}  // namespace stiction
