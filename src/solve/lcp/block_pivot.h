// block_pivot.h - block principal pivoting (Judice and Pires) with Murty's least-index method as
// its safeguard, for linear complementarity between bounds (box_lcp.h), symmetric or not.
// In: the problem, settings, the states of the last similar solve. Out: BoxResult.
//
// Each unknown is at its lower bound (L), at its upper bound (U) or free (F). For given states
//   z_L = lo_L, z_U = hi_U,   A_FF z_F = -(b_F + A_FL lo_L + A_FU hi_U),   w = A z + b,
// an unknown of F is wrong if it is outside its bounds, one of L if w_i < 0, of U if w_i > 0. All
// wrong ones change at once (F to the bound passed, L and U to F). While the number of wrong ones
// does not fall below the least seen for 10 passes in a row, only the wrong one of least index
// changes, until it does fall. For P-matrices this ends in finitely many passes; usually about 10
// whatever n, but Murty's method alone can take 2^n - 1. A pass costs |F|^3 / 3 + n |F|. Fixed
// unknowns (lo = hi) are never wrong, those without bounds are always free.
//
// Semi-definite A. Members of F whose pivot is below pivot_tolerance of their diagonal depend on
// the others (principal_factor.h); they go back to their bound, where w decides. If they are wrong
// there the passes may not end. Then (`retry`: when patience has run out, or half of the passes
// allowed are used) the same on A + l diag(A), l = 1e-8 or 1e-10, which is regular, from the states
// that 20, 80, 320, 1280 sweeps of pgs.h find; only the last try goes on with the least index. It
// is followed by a solve with the problem as given on the F found: the change of z that makes w_F
// zero, no matter which of the dependent members stay where they are. The best answer wins; the
// tolerance is judged on the problem as given. A symmetric problem whose regularised answer grows
// along a direction that proves that there is none ends with kNoSolution.
#pragma once

#include "solve/lcp/box_lcp.h"
#include "solve/lcp/face.h"

namespace stiction {

struct BlockPivotSettings {
    SolveSettings stop = kLcpStop;   // max_iterations: passes of all tries, 0: max(200, 20 n)
    double pivot_tolerance = 1e-11;  // relative to the diagonal: 1e4 roundings of a pivot
    int patience = 10;               // passes without progress before least index, as many as a
                                     // whole solve mostly takes; 0: Murty alone
    bool retry = true;               // on failure try regularised copies
};

struct BlockPivotWorkspace : BoxIterate {
    VecX diagonal;                  // n, what is added to A
    std::vector<BoundState> state;  // n
    Face face;                      // its members are the unknowns of state kFree
    std::vector<int> wrong;         // at most n
    MatX A;                         // n x n, regularised copy; empty until one is needed
};

// iterations counts passes, pivots the changes of state. An empty guess, or one of another size,
// means none.
void solve_block_pivot(const BoxLcp& problem, const BlockPivotSettings& settings,
                       const std::vector<BoundState>& guess, BlockPivotWorkspace& workspace,
                       BoxResult& result);

}  // namespace stiction
