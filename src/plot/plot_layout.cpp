// plot_layout.cpp - range of the data, rows of the legend, room for names.
#include "plot/plot_layout.h"

#include <algorithm>
#include <cmath>

#include "plot/svg_drawing.h"

namespace stiction::plotting {

namespace {

constexpr double kLineSample = 24;  // [px] of line before a name
constexpr double kBoxSample = 13;   // [px] of a bar's colour before its name

Range data_range(const Plot& plot, bool of_x) {
    Range range;
    const bool log = (of_x ? plot.x : plot.y).scale == Scale::kLog;
    const auto usable = [log](double v) { return std::isfinite(v) && (!log || v > 0); };
    if (is_bar_chart(plot) && !of_x && !log) range.add(0);
    if (is_bar_chart(plot) && plot.bars == BarStyle::kStacked) {
        for (std::size_t c = 0; c < plot.categories.size(); ++c) {
            double up = 0, down = 0;
            for (const Series& series : plot.series) {
                if (c >= series.y.size() || !std::isfinite(series.y[c])) continue;
                (series.y[c] > 0 ? up : down) += series.y[c];
                if (log && usable(up)) range.add(up);
            }
            if (!log) range.add(up), range.add(down);
        }
    } else {
        for (const Series& series : plot.series) {
            const std::vector<double>& values = of_x ? series.x : series.y;
            for (const double value : values) {
                if (usable(value)) range.add(value);
            }
        }
    }
    for (const Mark& mark : plot.marks) {
        if (mark.vertical == of_x && usable(mark.at)) range.add(mark.at);
    }
    return range;
}

// Names in rows from the left.
Legend lay_out_legend(const Plot& plot, double width) {
    constexpr double kRow = 19;  // [px]: a line of kFont with room
    Legend legend;
    for (std::size_t s = 0; s < plot.series.size(); ++s) {
        if (plot.series[s].name.empty()) continue;
        const double sample = is_bar_chart(plot) ? kBoxSample : kLineSample;
        legend.entries.push_back({&plot.series[s], s, nullptr, sample});
    }
    for (const Mark& mark : plot.marks) {
        if (is_in_legend(plot, mark)) legend.entries.push_back({nullptr, 0, &mark, kLineSample});
    }
    double x = 0, y = 0;
    for (LegendEntry& entry : legend.entries) {
        const double wide = entry.sample + 6 + text_width(entry.name()) + 16;
        if (x > 0 && x + wide > width) {
            x = 0;
            y += kRow;
        }
        entry.x = x;
        entry.y = y;
        x += wide;
    }
    if (!legend.entries.empty()) legend.height = y + kRow + 5;
    return legend;
}

Layout lay_out(const Plot& plot, double x, double y, double width, double height,
               const Ticks& y_ticks) {
    Layout layout;
    layout.left = x + widest(y_ticks.names) + 10 + (plot.y.label.empty() ? 0 : 22);
    layout.right = x + width - 12;
    layout.legend_top = y + (plot.title.empty() ? 4 : 26);
    layout.legend = lay_out_legend(plot, layout.right - layout.left);
    layout.top = layout.legend_top + layout.legend.height + 6;
    layout.names_height = 20;
    if (is_bar_chart(plot)) {
        const double widest_name = widest(plot.categories);
        const double room =
            (layout.right - layout.left) / static_cast<double>(plot.categories.size());
        layout.slanted = widest_name > room - 6;
        if (layout.slanted) {
            constexpr double kRadians = kSlant * 3.14159265358979 / 180;
            layout.names_height = 14 + widest_name * std::sin(kRadians);
            // The first name leans out to the left.
            layout.left =
                std::max(layout.left,
                         x + text_width(plot.categories[0]) * std::cos(kRadians) - room / 2 + 4);
        }
    }
    layout.bottom = y + height + (layout.slanted ? layout.names_height - 20 : 0) -
                    layout.names_height - (plot.x.label.empty() ? 0 : 22);
    return layout;
}

}  // namespace

bool is_in_legend(const Plot& plot, const Mark& mark) {
    return is_bar_chart(plot) && !mark.vertical && !mark.label.empty();
}

double widest(const std::vector<std::string>& names) {
    double width = 0;
    for (const std::string& name : names) width = std::max(width, text_width(name));
    return width;
}

Panel prepare(const Plot& plot, double x, double y, double width, double height) {
    Panel panel;
    const int count = std::max(3, static_cast<int>(height / 40));
    panel.rx = settle(plot.x, data_range(plot, true), count, true);
    panel.ry = settle(plot.y, data_range(plot, false), count, false);
    panel.y_ticks = make_ticks(panel.ry, count);
    panel.layout = lay_out(plot, x, y, width, height, panel.y_ticks);
    panel.rx.begin = panel.layout.left;
    panel.rx.end = panel.layout.right;
    panel.ry.begin = panel.layout.bottom;
    panel.ry.end = panel.layout.top;
    return panel;
}

}  // namespace stiction::plotting
