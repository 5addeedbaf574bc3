// interior_point_step.h - one step of interior_point.h: F and its linearisation at the point,
// targets for the products y o z, n x_N, v g, the step towards them, and the move.
#pragma once

#include "solve/cone/interior_point_workspace.h"

namespace stiction::interior_point {

// u = H x + c, F, and the infeasibility C x - d - g of the rows.
void evaluate(const Problem& problem, Workspace& ws);

// Scalings and diagonal blocks. False if a point has left its cone.
[[nodiscard]] bool linearise(const Problem& problem, Workspace& ws);

// Complementarity products: their mean, the mean after a step, the least.
[[nodiscard]] double mean_product(const Workspace& ws);
[[nodiscard]] double mean_product_after(double step, const Workspace& ws);
[[nodiscard]] double least_product(const Workspace& ws);

// Target: all products zero.
void aim_for_the_boundary(Workspace& ws);

// Target y o z = target e, with `share` of the second-order terms of the step at hand.
void aim_for_the_centre(const Problem& problem, double target, double share, Workspace& ws);

// Solves for all steps, with the matrix factored, and returns the longest one that stays inside.
[[nodiscard]] double solve_steps(const Problem& problem, Workspace& ws);

void advance(const Problem& problem, double step, Workspace& ws);

}  // namespace stiction::interior_point
