// frame_figures.h - the pictures of a report on frames (frame_report.h).
#pragma once

#include <vector>

#include "compare/frame_table.h"
#include "plot/plot.h"

namespace stiction {

inline constexpr double kSmallest = 1e-17;  // on a logarithmic axis; below all is rounding

// Of the pictures of all solvers, which are then to be compared by eye.
struct SharedAxes {
    double most_contacts = 1;
    double least_error = 1, largest_error = kSmallest;
};

[[nodiscard]] SharedAxes shared_axes(const std::vector<ComparedFrame>& rows);

// [LLLT15, Fig. 3] of one variant. Bars: what resting contacts do; lines: how wrong friction is.
[[nodiscard]] Figure variant_figure(const std::vector<ComparedFrame>& rows, std::size_t variant,
                                    const SharedAxes& axes);

// Performance profiles over time and over error.
[[nodiscard]] Figure profile_figure(const FrameComparison& comparison,
                                    const std::vector<ComparedFrame>& rows);

// Residual over iterations and over time; solves the frame again.
[[nodiscard]] Figure convergence_figure(const FrameComparison& comparison,
                                        const FrameChosen& chosen);

}  // namespace stiction
