// plot.h - plots as SVG, without any other library: lines, steps and markers on linear or
// logarithmic axes, bars beside or on top of each other, several panels in one file.
// A plot is plain data; what cannot be drawn (NaN, infinity, <= 0 on a logarithmic axis) leaves a
// gap, and a plot without data says so.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace stiction {

enum class Scale { kLinear, kLog };

struct Axis {
    std::string label;  // with its unit, e.g. "time [ms]"
    Scale scale = Scale::kLinear;
    std::optional<double> from = {}, to = {};  // where it begins and ends; empty: follows the data
};

enum class LineStyle { kHidden, kStraight, kStep };  // kStep: holds each y until the next x

struct Series {
    std::string name;       // in the legend; empty: not listed
    std::vector<double> x;  // unused by bars
    std::vector<double> y;  // bars: one per category
    LineStyle line = LineStyle::kStraight;
    bool markers = false;
    bool dashed = false;
    int colour = -1;  // of the palette; -1: the series' place in the plot
};

// A line across the plot with a word beside it, e.g. a tolerance.
struct Mark {
    double at = 0;
    std::string label;
    bool vertical = true;
};

enum class BarStyle { kGrouped, kStacked };

struct Plot {
    std::string title;
    Axis x;
    Axis y;
    std::vector<Series> series;
    std::vector<std::string> categories;  // not empty: bars, one group per category
    BarStyle bars = BarStyle::kGrouped;
    std::vector<Mark> marks;
};

struct Figure {
    std::string title;
    std::vector<Plot> panels;
    int columns = 1;            // panels beside each other
    double panel_width = 640;   // [px], axis labels included
    double panel_height = 400;  // [px]; long names of categories add to it
};

[[nodiscard]] std::string svg_text(const Figure& figure);
[[nodiscard]] std::string svg_text(const Plot& plot);
void write_svg(const std::string& path, const Figure& figure);  // throws as write_file does
void write_svg(const std::string& path, const Plot& plot);

}  // namespace stiction
