// nonlinear_cg.h - nonlinear conjugate gradients on a fixed-point iteration x <- g(x), Gauss-Seidel
// sweeps for example [SNE10]: the change of a sweep stands for the (preconditioned)
// gradient, and the way so far is taken along,
//
//   d = g(x) - x,   beta = |d|^2 / |d before|^2       (Fletcher-Reeves)
//   x+ = g(x) + beta p,   p+ = d + beta p
//
// in O(n) and without any merit function. It starts anew where the changes grow (beta > 1): states
// have changed. Followers y, affine images of x, are moved along.
#pragma once

#include "core/types.h"

namespace stiction {

// Kept by the caller: a warm start allocates nothing.
struct ConjugateHistory {
    VecX p, p_y;      // the way so far, of x and of its followers
    double size = 0;  // |d| of the last call
    bool begun = false;
};

inline void forget(ConjugateHistory& history) { history.begun = false; }

// x = g(x_before) and its followers y come in, with the size |d| of the change in any norm that
// stays the same; the point to go on from goes out.
void accelerate(ConjugateHistory& history, double size, const VecX& x_before, const VecX& y_before,
                VecX& x, VecX& y);

}  // namespace stiction
