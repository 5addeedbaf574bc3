// plots.h - small plots inside a panel: lines over time, and stage times stacked.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "draw/picture.h"
#include "view/timeline.h"

namespace stiction {

struct PlotLine {
    std::string_view label;
    Colour colour;
    std::vector<double> x, y;
    bool dots = false;  // marks at the points
};

struct PlotLook {
    float height = 90;         // pixels at scale 1
    bool logarithmic = false;  // y; values <= 0 are left out
    std::string_view x_label = {};
    std::string_view y_unit = {};
    bool from_zero = false;  // y axis holds 0
};

// Across the whole width of the panel.
void line_plot(const char* id, std::span<const PlotLine> lines, const PlotLook& look);

// Stage times stacked over steps or time, ready to be drawn; red below where steps were not solved.
struct StagePlot {
    struct Switch {
        double part = 0;    // of the width, from the left
        std::string model;  // or what else was changed
    };
    std::vector<CostColumn> columns;
    std::vector<Switch> models;  // the first runs from the left edge, a line marks the others
    double top = 1;              // of the axis [s]
    std::string axis;            // what the width is: "5 s sim"
};
[[nodiscard]] StagePlot make_stage_plot(const Timeline& timeline, int columns);
void draw_stage_plot(const char* id, const StagePlot& plot, float width, float height);

}  // namespace stiction
