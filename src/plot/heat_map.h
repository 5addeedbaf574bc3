// heat_map.h - tables of numbers as coloured cells, in panels beside each other that share one scale
// of colours.
#pragma once

#include <string>
#include <vector>

#include "plot/plot.h"

namespace stiction {

struct HeatMapPanel {
    std::string title;
    std::vector<double> values;  // row by row from the bottom; what is not finite stays grey
};

struct HeatMap {
    std::string title;
    std::string x_label, y_label, value_label;
    std::vector<std::string> columns, rows;  // names of the values of x and y
    Scale scale = Scale::kLinear;  // of the colours; what is <= 0 on a kLog one stays grey
    std::vector<HeatMapPanel> panels;
    int across = 3;  // panels beside each other
};

[[nodiscard]] std::string svg_text(const HeatMap& map);
void write_svg(const std::string& path, const HeatMap& map);  // throws as write_file does

}  // namespace stiction
