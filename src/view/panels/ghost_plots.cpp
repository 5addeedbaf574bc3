// ghost_plots.cpp - gathers what the plots of the comparison show, and draws them.
#include "view/panels/ghost_plots.h"

#include <array>

#include "view/palette.h"
#include "view/panels/plots.h"

namespace stiction {

namespace {

constexpr std::ptrdiff_t kMaxPoints = 600;  // of a line: two per pixel of the panel

}  // namespace

void GhostPlots::add(const Snapshot& snapshot) {
    if (!snapshot.ghost) {
        clear();
        return;
    }
    const double t = snapshot.state.time;
    if (!t_.empty() && t <= t_.back()) {
        if (t == t_.back()) return;
        clear();
    }
    t_.push_back(t);
    apart_.push_back(snapshot.ghost->distance_max);
    mine_.push_back(snapshot.record.step_seconds);
    ghost_.push_back(snapshot.ghost->record.step_seconds);
    if (std::ssize(t_) <= 2 * kMaxPoints) return;
    for (std::vector<double>* values : {&t_, &apart_, &mine_, &ghost_})
        values->erase(values->begin(), values->begin() + kMaxPoints);
}

void GhostPlots::clear() {
    for (std::vector<double>* values : {&t_, &apart_, &mine_, &ghost_}) values->clear();
}

void GhostPlots::draw() const {
    const std::array<PlotLine, 1> apart = {
        PlotLine{"largest distance", palette::kGhost, t_, apart_}};
    line_plot("apart", apart, {.height = 80, .y_unit = "m", .from_zero = true});
    const std::array<PlotLine, 2> times = {PlotLine{"step", palette::kSkyBlue, t_, mine_},
                                           PlotLine{"ghost", palette::kGhost, t_, ghost_}};
    line_plot("times", times, {.height = 90, .x_label = "t [s]", .y_unit = "s", .from_zero = true});
}

}  // namespace stiction
