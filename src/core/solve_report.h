// solve_report.h - when a solver is to stop, and what every solver says at its end.
#pragma once

#include "core/deadline.h"
#include "core/status.h"

namespace stiction {

struct SolveSettings {
    double tolerance = 1e-8;  // on the residual of the problem at hand; its header says which [-]
    int max_iterations = 0;   // what one is, the solver's header says; 0: the solver's own limit
    Deadline deadline = {};   // looked at once per iteration; ends with kBudget
};

struct SolveReport {
    SolveStatus status = SolveStatus::kSolved;
    int iterations = 0;
    double residual = 0;  // of the problem as given, also where a solver worked on another
};

}  // namespace stiction
