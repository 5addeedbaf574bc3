// interior_point_iteration.h - the iteration of interior_point.h, from a start of its own to the
// tolerance.
#pragma once

#include <functional>

#include "core/deadline.h"
#include "core/status.h"
#include "solve/cone/interior_point_workspace.h"

namespace stiction::interior_point {

struct Outcome {
    SolveStatus status = SolveStatus::kIterationLimit;
    int iterations = 0;
    int factorisations = 0;
};

// Residual of x and v by the law of the caller, with u = H x + c - C'v.
using Measure = std::function<double(const VecX& x, const VecX& v, const VecX& u)>;

// best_x and best_v hold the start and then the best point; their residual is `best`.
// max_iterations 0: the method's own limit.
[[nodiscard]] Outcome iterate(const Problem& problem, double tolerance, int max_iterations,
                              const Deadline& deadline, double& best, const Measure& measure,
                              Workspace& ws);

}  // namespace stiction::interior_point
