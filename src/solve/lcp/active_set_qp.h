// active_set_qp.h - primal active-set method for the convex program with bounds of box_lcp.h,
//   min f(z) = 1/2 z'Az + b'z,   lo <= z <= hi,   A symmetric positive semi-definite.
// In: the problem, settings, the states of the last similar solve. Out: BoxResult. It is what a
// general quadratic-program solver makes of the frictionless problem of [D15], and a second opinion
// on ppm.h and block_pivot.h that also takes upper bounds.
//
// F holds the free unknowns, always with a regular A_FF = R'R (Cholesky); the others are at a bound
// (or at 0, if they have none), w = A z + b. A pass, with w_F = 0 on entry:
//   1. the unknown i at a bound with w_i of the wrong sign and largest |w_i| / sqrt(A_ii) enters,
//      or the one of least index while f stalls;
//   2. c = A_FF^-1 A_Fi. If the pivot A_ii - c'A_Fi is above pivot_tolerance (A_ii + sum c_j^2
//   A_jj)
//      the factor grows by one row. Otherwise f is linear along z_i = t, z_F - t c, and falls: t is
//      as large as the bounds allow; the unknown that reaches its bound first leaves F and i takes
//      its place (or i itself goes to its other bound). Nothing in the way: f has no minimum,
//      kNoSolution, and i is set aside;
//   3. z_F moves towards the minimiser over F; what reaches a bound on the way leaves F, and the
//      move goes on from there.
// f falls from pass to pass, so no F comes back, but for steps of length zero: there the least
// index serves, and the pivot limit is the last resort. A row is added or deleted in O(k^2), k the
// size of F (Givens rotations), a pass costs O(n k).
#pragma once

#include "solve/lcp/box_lcp.h"

namespace stiction {

struct ActiveSetSettings {
    SolveSettings stop = kLcpStop;   // max_iterations: pivots, 0: max(1000, 20 n)
    double pivot_tolerance = 1e-10;  // see 2.
};

struct ActiveSetWorkspace {
    std::vector<int> free;          // F, in the order of the factor
    MatX R;                         // n x n, the leading k rows and columns are in use
    VecX z, w;                      // n
    VecX c, r, step;                // n, the leading k are in use
    std::vector<char> role;         // n, kAtBound, kInF, ... of active_set_qp.cpp
    std::vector<BoundState> state;  // n, copy: the guess may live in the result
};

// iterations counts passes, pivots the changes of F.
void solve_active_set_qp(const BoxLcp& problem, const ActiveSetSettings& settings,
                         const std::vector<BoundState>& guess, ActiveSetWorkspace& workspace,
                         BoxResult& result);

}  // namespace stiction
