// pgs.h - projected Gauss-Seidel for linear complementarity between bounds (box_lcp.h).
// In: the problem, settings, a guess of z (empty: none). Out: BoxResult.
//
// One sweep goes through the unknowns in order and puts each where its own row is solved,
//   z_i <- clamp(z_i - w_i / A_ii, lo_i, hi_i),     w = A z + b,
// with w kept up to date by one column of A for each unknown that moves: O(n) per moving unknown,
// nothing for one that stays at its bound. ([ALM09, eq. 3] leaves out the terms j >= i of the sum.)
//
// A row without a diagonal (A_ii <= 1e-14 of the largest) says nothing about its z_i; the
// unknown then goes to the bound that the sign of w_i asks for, and stays where it is if that is
// infinite. If the whole row is zero too, the problem has no solution, and that is told.
//
// Converges for symmetric positive semi-definite A when there is a solution, at a linear rate that
// is poor for ill-conditioned ones (large mass ratios, stacks); for others it may not. The best
// iterate is returned. Ends, besides the limit (default 2000 sweeps), with kIterationLimit and
//   stalled:  less than 1 % gained on the residual in max(200, 2 n) sweeps;
//   diverged: the residual above 1e8 times that of the start.
#pragma once

#include "solve/lcp/box_lcp.h"

namespace stiction {

using PgsWorkspace = BoxIterate;

// iterations counts sweeps.
void solve_pgs(const BoxLcp& problem, const SolveSettings& settings, const VecX& guess,
               PgsWorkspace& workspace, BoxResult& result);

// One sweep; w must be that of z, and is again afterwards (to rounding).
void pgs_sweep(const BoxLcp& problem, VecX& z, VecX& w);

}  // namespace stiction
