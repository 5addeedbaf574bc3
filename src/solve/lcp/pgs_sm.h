// pgs_sm.h - projected Gauss-Seidel with subspace minimisation [ALM09, sec. III], for linear
// complementarity between bounds (box_lcp.h) with positive definite, or consistent positive
// semi-definite, A. In: the problem, settings, a guess of z. Out: BoxResult.
//
// A cycle is k_pgs sweeps of pgs.h, which guess the free set F = { i : lo_i < z_i < hi_i }, and
// then at most k_sm times
//   A_FF d = -w_F,   z_F <- clamp(z_F + d, lo_F, hi_F),   F <- F without what reached a bound,
// ending as soon as nothing had to be clamped. Sweeps cost O(n^2), a subspace solve |F|^3 / 3.
// Sweeps are good at finding F and poor at the values, the solve is the reverse, so that often one
// cycle does where sweeps alone take thousands.
//
// Safeguards beyond the paper. Members of F whose pivot is below 1e-11 of their diagonal (rows that
// depend on others) keep the value of the sweeps. A cycle's subspace part is undone when it raised
// the objective (symmetric A) or the residual (others), and the next cycle sweeps twice as long;
// the sweeps alone converge, so the whole does. Where it was undone, or where rows depend on
// others, symmetric problems from the second cycle on go down to the minimum on F by steps that end
// at the first bound, each with one member less: subspace solves, and where one leaves w_i != 0 in
// a dependent row the flat direction that this row shows. Redundant contacts have many of those,
// and sweeps crawl along them. The residual is judged after the sweeps and after the solves, the
// better point is kept.
#pragma once

#include "solve/lcp/box_lcp.h"
#include "solve/lcp/face.h"

namespace stiction {

struct PgsSmSettings {
    SolveSettings stop = kLcpStop;  // max_iterations: cycles, 0: 200
    int k_pgs = 5;                  // sweeps per cycle, 3..6 in [ALM09]
    int k_sm = 3;                   // subspace solves per cycle, 1..3 in [ALM09]
};

struct PgsSmWorkspace : BoxIterate {
    VecX before, w_before;  // n, the point after the sweeps
    Face face;
};

// iterations counts cycles, pivots the subspace solves.
void solve_pgs_sm(const BoxLcp& problem, const PgsSmSettings& settings, const VecX& guess,
                  PgsSmWorkspace& workspace, BoxResult& result);

}  // namespace stiction
