// solve_report.h - when a solver is to stop, and what every solver says at its end.
#pragma once

#include <algorithm>

#include "core/deadline.h"
#include "core/status.h"

namespace stiction {

struct SolveSettings {
    double tolerance = 1e-8;  // on the residual of the problem at hand; its header says which [-]
    int max_iterations = 0;   // what one is, the solver's header says; 0: the solver's own limit
    Deadline deadline = {};   // looked at once per iteration; ends with kBudget
};

// For methods that look for the rows that act: they end with the answer or not at all, and a wide
// tolerance lets a row pass whose state is wrong and which breaks by far more than that.
[[nodiscard]] inline SolveSettings exactly(SolveSettings stop) {
    constexpr double kExact = 1e-8;
    stop.tolerance = std::min(stop.tolerance, kExact);
    return stop;
}

struct SolveReport {
    SolveStatus status = SolveStatus::kSolved;
    int iterations = 0;
    double residual = 0;  // of the problem as given, also where a solver worked on another
};

}  // namespace stiction
