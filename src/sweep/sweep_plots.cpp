// sweep_plots.cpp - gathers means over the axes that a plot names.
#include "sweep/sweep_plots.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "plot/heat_map.h"
#include "plot/plot.h"

namespace stiction {

namespace {

constexpr int kPanelsAcross = 3;

// One axis of a plot, or a single place where there is none.
struct PlotAxis {
    std::size_t column = 0;  // among the axes of the sweep
    std::string name;
    std::vector<std::string> values = {""};

    [[nodiscard]] std::size_t place(const std::vector<std::string>& row) const {
        if (name.empty()) return 0;
        return static_cast<std::size_t>(std::find(values.begin(), values.end(), row[column]) -
                                        values.begin());
    }
};

PlotAxis find_plot_axis(const Sweep& sweep, const std::string& name) {
    PlotAxis axis;
    for (std::size_t i = 0; i < sweep.axes.size() && !name.empty(); ++i) {
        if (sweep.axes[i].name == name) axis = {i, name, sweep.axes[i].values};
    }
    return axis;
}

// Means over panels x rows x columns.
std::vector<double> gather_means(const SweepPlot& plot, const Plan& plan,
                                 const JournalRows& content, const PlotAxis& panels,
                                 const PlotAxis& rows, const PlotAxis& columns) {
    const std::size_t size = panels.values.size() * rows.values.size() * columns.values.size();
    std::vector<double> sums(size, 0), counts(size, 0);
    const auto kept = std::find_if(plan.sweep.keep.begin(), plan.sweep.keep.end(),
                                   [&](const KeptColumn& c) { return c.name == plot.value; });
    for (std::int64_t number = 1; number <= plan.jobs(); ++number) {
        const auto found = content.results.find(plan.id(number));
        if (found == content.results.end() || found->second.status != JobStatus::kDone) continue;
        const auto cell = found->second.values.find(kept->path);
        if (cell == found->second.values.end()) continue;
        const auto* value = std::get_if<double>(&cell->second);
        if (value == nullptr) continue;
        const std::vector<std::string> row = job_values(plan.sweep, number);
        const std::size_t at =
            (panels.place(row) * rows.values.size() + rows.place(row)) * columns.values.size() +
            columns.place(row);
        sums[at] += *value;
        counts[at] += 1;
    }
    for (std::size_t i = 0; i < size; ++i) {
        sums[i] = counts[i] > 0 ? sums[i] / counts[i] : std::numeric_limits<double>::quiet_NaN();
    }
    return sums;
}

// Six digits will do beside a picture.
std::string short_text(const std::string& value) {
    char* end = nullptr;
    const double number = std::strtod(value.c_str(), &end);
    if (value.empty() || *end != '\0') return value;
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", number);
    return text;
}

std::vector<std::string> short_texts(const std::vector<std::string>& values) {
    std::vector<std::string> texts;
    for (const std::string& value : values) texts.push_back(short_text(value));
    return texts;
}

std::string panel_title(const PlotAxis& panels, std::size_t i) {
    if (panels.name.empty()) return "";
    const std::string value = short_text(panels.values[i]);
    return value == panels.values[i] && panels.name == "model" ? value
                                                               : panels.name + " = " + value;
}

std::string heat_map_svg(const SweepPlot& plot, const Plan& plan, const JournalRows& content) {
    const PlotAxis panels = find_plot_axis(plan.sweep, plot.panels);
    const PlotAxis rows = find_plot_axis(plan.sweep, plot.y);
    const PlotAxis columns = find_plot_axis(plan.sweep, plot.x);
    const std::vector<double> means = gather_means(plot, plan, content, panels, rows, columns);
    HeatMap map;
    map.title = plot.title.empty() ? plan.sweep.name : plot.title;
    map.x_label = plot.x;
    map.y_label = plot.y;
    map.value_label = plot.value;
    map.columns = short_texts(columns.values);
    map.rows = short_texts(rows.values);
    map.scale = plot.log_value ? Scale::kLog : Scale::kLinear;
    map.across = kPanelsAcross;
    const auto cells = static_cast<std::ptrdiff_t>(rows.values.size() * columns.values.size());
    for (std::size_t i = 0; i < panels.values.size(); ++i) {
        const auto first = means.begin() + static_cast<std::ptrdiff_t>(i) * cells;
        map.panels.push_back({panel_title(panels, i), {first, first + cells}});
    }
    return svg_text(map);
}

// Words have no place on an axis: they stand at 1, 2, 3 ...
std::vector<double> line_places(const std::vector<std::string>& values) {
    std::vector<double> places;
    for (const std::string& value : values) {
        char* end = nullptr;
        const double number = std::strtod(value.c_str(), &end);
        places.push_back(*end == '\0' ? number : static_cast<double>(places.size() + 1));
    }
    return places;
}

// Panels beside each other have one scale, where there is anything to show.
void share_scale(const std::vector<double>& values, Figure& figure) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    const bool logarithmic = figure.panels.front().y.scale == Scale::kLog;
    for (const double value : values) {
        if (!std::isfinite(value) || (logarithmic && value <= 0)) continue;
        low = std::min(low, value);
        high = std::max(high, value);
    }
    if (!(low < high)) return;
    const double margin = logarithmic ? 0 : 0.05 * (high - low);
    for (Plot& panel : figure.panels) {
        panel.y.from = low - margin;
        panel.y.to = high + margin;
    }
}

std::string lines_svg(const SweepPlot& plot, const Plan& plan, const JournalRows& content) {
    const PlotAxis panels = find_plot_axis(plan.sweep, plot.panels);
    const PlotAxis series = find_plot_axis(plan.sweep, plot.series);
    const PlotAxis columns = find_plot_axis(plan.sweep, plot.x);
    const std::vector<double> means = gather_means(plot, plan, content, panels, series, columns);
    const auto width = static_cast<std::ptrdiff_t>(columns.values.size());
    Figure figure;
    figure.title = plot.title.empty() ? plan.sweep.name : plot.title;
    figure.columns = std::min<int>(kPanelsAcross, static_cast<int>(panels.values.size()));
    if (figure.columns > 1) figure.panel_width = 420;
    auto from = means.begin();
    for (std::size_t p = 0; p < panels.values.size(); ++p) {
        Plot panel;
        panel.title = panel_title(panels, p);
        panel.x = {.label = plot.x, .scale = plot.log_x ? Scale::kLog : Scale::kLinear};
        panel.y = {.label = plot.value, .scale = plot.log_value ? Scale::kLog : Scale::kLinear};
        for (const std::string& value : series.values) {
            Series line;
            if (!series.name.empty()) line.name = series.name + " = " + short_text(value);
            line.x = line_places(columns.values);
            line.y.assign(from, from + width);
            line.markers = true;
            from += width;
            panel.series.push_back(std::move(line));
        }
        figure.panels.push_back(std::move(panel));
    }
    share_scale(means, figure);
    return svg_text(figure);
}

}  // namespace

std::string plot_svg(const SweepPlot& plot, const Plan& plan, const JournalRows& content) {
    return plot.kind == SweepPlotKind::kHeatMap ? heat_map_svg(plot, plan, content)
                                                : lines_svg(plot, plan, content);
}

}  // namespace stiction
