// plot_layout.h - where the parts of one panel of a figure lie: settled before anything is drawn.
#pragma once

#include <string>
#include <vector>

#include "plot/plot.h"
#include "plot/plot_axis.h"

namespace stiction::plotting {

[[nodiscard]] inline bool is_bar_chart(const Plot& plot) { return !plot.categories.empty(); }

struct LegendEntry {
    const Series* series = nullptr;
    std::size_t place = 0;       // of the series
    const Mark* mark = nullptr;  // instead of a series
    double sample = 0;           // [px]
    double x = 0, y = 0;         // [px] from the legend's corner

    [[nodiscard]] const std::string& name() const {
        return series != nullptr ? series->name : mark->label;
    }
};

struct Legend {
    std::vector<LegendEntry> entries;
    double height = 0;  // [px]
};

// True where a mark's word would lie on the bars.
[[nodiscard]] bool is_in_legend(const Plot& plot, const Mark& mark);

inline constexpr double kSlant = 35;  // [degrees] of long names of categories

struct Layout {
    double left = 0, top = 0, right = 0, bottom = 0;  // [px] of the plotting area
    double legend_top = 0;
    Legend legend;
    bool slanted = false;     // names of categories
    double names_height = 0;  // [px] below the area that names take
};

struct Panel {
    Ruler rx, ry;
    Ticks y_ticks;
    Layout layout;
};

// For the plot in a box with the corner x, y; height without what long names of categories add.
[[nodiscard]] Panel prepare(const Plot& plot, double x, double y, double width, double height);

// Width of the longest name [px].
[[nodiscard]] double widest(const std::vector<std::string>& names);

}  // namespace stiction::plotting
