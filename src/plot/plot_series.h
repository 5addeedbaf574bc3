// plot_series.h - the two kinds of charts: series as lines and markers, and as bars.
#pragma once

#include <string>

#include "plot/plot_layout.h"
#include "plot/svg_drawing.h"

namespace stiction::plotting {

// Of the series in that place of its plot, for the chart and its legend.
[[nodiscard]] const char* colour_of(const Series& series, std::size_t place);

// Series that share a colour differ by their dashes.
[[nodiscard]] std::string dashes_of(const Series& series, std::size_t place);

// False: there is nothing to draw.
[[nodiscard]] bool has_data(const Plot& plot, const Panel& panel);

void draw_lines(const Plot& plot, const Ruler& rx, const Ruler& ry, Drawing& out);
void draw_bars(const Plot& plot, const Ruler& ry, const Layout& at, Drawing& out);

}  // namespace stiction::plotting
