// split.h - contact with Coulomb friction in two parts that take turns [LLLT15, section 6]: normal
// impulses and rows between bounds by block principal pivoting with friction as it stands, friction by
// Gauss-Seidel with the normal impulses as they stand.
//
//   pass:  A = W over the rows N (normals, bounded rows),  b = q_N + W_NT r_T
//          r_N: lo <= r_N <= hi, w = A r_N + b complementary          (block_pivot.h)
//          r_T: kSweeps times, contact by contact,
//               r_T <- P(r_T - u_T / w_T),  P on |r_T| <= mu r_N,  w_T the larger eigenvalue of W_TT
//
// until the residual of the whole problem is met or the passes are spent. A fixed point solves the
// problem. Passes contract where friction is weak enough, mu times the coupling of tangents to normals
// below 1; otherwise they go in circles and the best answer seen is returned. The dense matrix of
// normals makes it O(n^3) for the first pass; states that stay cost one solve with it each.
// Takes contacts and blocks of bounded rows.
#pragma once

#include "solve/cone/cone_problem.h"
#include "solve/lcp/block_pivot.h"

namespace stiction {

struct SplitWorkspace {
    VecX r, u;              // the iterate
    VecX weight;            // nc, larger eigenvalue of W_TT, 1 where that is 0
    std::vector<int> rows;  // rows of N among the 3 nc
    BoxLcp lcp;
    BlockPivotWorkspace pivoting;
    BoxResult result;
};

// Solves from `guess` (3 nc; one that is empty, of another size or not finite counts as zero).
// max_iterations counts passes, 0: 200.
void solve_split(const ConeProblem& problem, const SolveSettings& settings, const VecX& guess,
                 SplitWorkspace& workspace, ConeResult& result);

}  // namespace stiction
