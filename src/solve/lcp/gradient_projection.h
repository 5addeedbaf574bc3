// gradient_projection.h - gradient projection with subspace minimisation [NW06, sec. 16.7] for
//   min f(z) = 1/2 z'Az + b'z,   lo <= z <= hi,   A symmetric positive semi-definite (box_lcp.h).
// In: the problem, settings, a guess of z. Out: BoxResult.
//
// All is done in the units x_i = z_i sqrt(A_ii), in which A has ones on its diagonal, so that
// masses do not matter. An iteration:
//   1. Cauchy point. Along P(x - t g), g the gradient and P the projection on the box, f is
//      piecewise quadratic; the first local minimiser is found piece by piece. A piece costs one
//      column of A, O(n), since one unknown stops at each break; all of it O(n^2).
//   2. On the face of the Cauchy point (F, the unknowns off their bounds) f is reduced by conjugate
//      gradients, at most cg_steps of O(n^2). When the face is that of the last iteration it is
//      likely the right one, and the step to its minimiser is solved for (principal_factor.h,
//      O(k^3)):
//        A_FF d = -w_F.
//   3. The step is cut by a projected search,
//        z <- P(z + t d),   t = 1, 1/2, 1/4, ...,
//      until f is not above that of the Cauchy point.
// f never rises, and the Cauchy point alone makes the method converge. Where A_FF is singular and
// the gradient has a part along a null vector of it, that is followed to the first bound; if there
// is none, f falls for ever inside the box, and it ends with kNoSolution.
#pragma once

#include "solve/lcp/box_lcp.h"
#include "solve/lcp/face.h"

namespace stiction {

struct GradientProjectionSettings {
    SolveSettings stop = kLcpStop;  // max_iterations: 0: 500
    int cg_steps = 30;              // at most, per iteration
};

struct GradientProjectionWorkspace : BoxIterate {
    VecX direction, A_direction;                 // n, p and A p
    VecX trial, w_trial;                         // n
    VecX residual;                               // n, of the conjugate gradients
    std::vector<std::pair<double, int>> breaks;  // t where an unknown reaches its bound
    Face face;
    std::vector<int> last_members;  // of the face before
};

void solve_gradient_projection(const BoxLcp& problem, const GradientProjectionSettings& settings,
                               const VecX& guess, GradientProjectionWorkspace& workspace,
                               BoxResult& result);

}  // namespace stiction
