// frame_figures.cpp - rows of a comparison as plots.
#include "compare/frame_figures.h"

#include <algorithm>
#include <cmath>

namespace stiction {

namespace {

constexpr int kMostIterations = 2000;    // of a curve
constexpr std::size_t kMostLabels = 12;  // numbers below the bars

std::vector<const ComparedFrame*> rows_of(const std::vector<ComparedFrame>& rows,
                                          std::size_t variant) {
    std::vector<const ComparedFrame*> mine;
    for (const ComparedFrame& row : rows) {
        if (row.variant == variant) mine.push_back(&row);
    }
    return mine;
}

// What frames are called below the pictures: their numbers, or their places where there are several
// files.
int frame_number(const std::vector<const ComparedFrame*>& rows, std::size_t i) {
    const bool one_file = rows.front()->file == rows.back()->file;
    return static_cast<int>(one_file ? rows[i]->frame : i) + 1;
}

}  // namespace

SharedAxes shared_axes(const std::vector<ComparedFrame>& rows) {
    SharedAxes axes;
    for (const ComparedFrame& row : rows) {
        const ContactQuality& q = row.quality;
        axes.most_contacts = std::max<double>(axes.most_contacts, q.resting);
        for (const double error : {q.alignment.norm, q.creep.norm, q.cone.norm}) {
            if (!std::isfinite(error)) continue;
            axes.least_error = std::min(axes.least_error, std::max(error, kSmallest));
            axes.largest_error = std::max(axes.largest_error, error);
        }
    }
    return axes;
}

Figure variant_figure(const std::vector<ComparedFrame>& all, std::size_t variant,
                      const SharedAxes& axes) {
    const std::vector<const ComparedFrame*> rows = rows_of(all, variant);
    Plot bars;
    bars.title = "Resting contacts";
    bars.bars = BarStyle::kStacked;
    bars.y.label = "contacts";
    bars.y.to = 1.05 * axes.most_contacts;
    bars.x.label = "frame";
    const std::size_t every = std::max<std::size_t>(1, rows.size() / kMostLabels);
    Series wrong, good, sticking;
    wrong.name = "slide, friction pushes";
    good.name = "slide, friction brakes";
    sticking.name = "stick";
    wrong.colour = 1;
    good.colour = 0;
    sticking.colour = 5;
    Plot lines;
    lines.title = "Errors of friction";
    lines.x.label = "frame";
    lines.y = {"norm over the contacts", Scale::kLog, axes.least_error, 2 * axes.largest_error};
    Series alignment, creep, cone;
    alignment.name = "alignment [-]";
    creep.name = "creep [m/s]";
    cone.name = "cone [N s]";
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const ContactQuality& q = rows[i]->quality;
        const int number = frame_number(rows, i);
        bars.categories.push_back(i % every == 0 ? std::to_string(number) : "");
        wrong.y.push_back(q.misaligned);
        good.y.push_back(q.sliding - q.misaligned);
        sticking.y.push_back(q.resting - q.sliding);
        const auto add = [&](Series& series, const ErrorNorm& error) {
            series.x.push_back(number);
            series.y.push_back(std::max(error.norm, kSmallest));
        };
        add(alignment, q.alignment);
        add(creep, q.creep);
        add(cone, q.cone);
    }
    bars.series = {wrong, good, sticking};
    lines.series = {alignment, creep, cone};
    Figure figure;
    figure.columns = 2;
    figure.panel_width = 500;
    figure.panel_height = 280;
    figure.panels = {bars, lines};
    return figure;
}

Figure profile_figure(const FrameComparison& comparison, const std::vector<ComparedFrame>& rows) {
    Figure figure;
    figure.columns = 2;
    figure.panel_width = 500;
    figure.panel_height = 320;
    Plot time = profile_plot(frame_profile(comparison, rows, false));
    time.title = "Solved within a factor of the quickest";
    Plot error = profile_plot(frame_profile(comparison, rows, true));
    error.title = "Error within a factor of the least";
    error.x.label = "error over the least error";
    figure.panels = {time, error};
    return figure;
}

Figure convergence_figure(const FrameComparison& comparison, const FrameChosen& chosen) {
    Plot iterations, time;
    iterations.title = "Frame " + std::to_string(chosen.frame + 1) + ": residual";
    iterations.x = {"iterations of the solver", Scale::kLog};
    iterations.y = {"larger of natural and scaled", Scale::kLog};
    time.title = iterations.title;
    time.x = {"CPU time [ms]", Scale::kLog};
    time.y = iterations.y;
    for (std::size_t v = 0; v < comparison.variants(); ++v) {
        const FrameComparison::Convergence c = comparison.convergence(chosen, v, kMostIterations);
        Series series;
        series.name = comparison.label(v);
        series.markers = true;
        series.x = c.iterations;
        for (const double r : c.residual) series.y.push_back(std::max(r, kSmallest));
        iterations.series.push_back(series);
        series.x.clear();
        for (const double t : c.seconds) series.x.push_back(1e3 * t);
        time.series.push_back(series);
    }
    Figure figure;
    figure.columns = 2;
    figure.panel_width = 500;
    figure.panel_height = 320;
    figure.panels = {iterations, time};
    return figure;
}

}  // namespace stiction
