// phase_two_sweeps.h - phase II (solve/cone/dissipation.h) by sweeps, without any factor. Two problems of
// contact that sweeps solve well take turns: the relaxed cones, and the gaps without friction.
//
// With V = M^-1 G' and |.| in the metric M the program is
//
//   min 1/2 |V x|^2 + b'x    over x in K with e'x <= kappa and E'(A x + b) >= 0
//
// Its primal-dual steps [CP11] in the metric A = G V, the only one in which both parts of a step are
// problems of contact again, are
//
//   cones   K contains x+  _|_  A x+ + b - A E lambda + sigma e + tau A (x+ - x)  in K*
//   gaps    0 <= lambda+  _|_  E'(A (2 x+ - x) + b) + E'A E (lambda+ - lambda) / tau >= 0
//   sum     sigma+ = max(0, sigma + omega (e'(2 x+ - x) - kappa))
//
// A itself is needed nowhere. With lambda = tau l and s = 1 / (1 + tau) sweeps have, in velocities of
// the bodies (v_hat: those of no impulses),
//
//   cones   s (v_hat - tau (V x + V E l)) + V x+,   the rest of u and sigma e times s
//   gaps    v_hat + 2 V x+ - V x - V E l + V E l+
//
// Each part is left after a few sweeps with momentum, where the next step takes it up. tau weighs
// the two against each other: it grows while gaps and sum are what is wrong, and falls while they are not.
#pragma once

#include <vector>

#include "contact/routes/sweep_momentum.h"

namespace stiction {

// Kept by the caller: a warm start allocates nothing.
struct PhaseTwoSweeps {
    SweepSystem cones, gaps;
    SweepMomentum cone_momentum, gap_momentum;
    LaneVector before;         // impulses before a sweep
    IslandRows gap_rows;       // normals, limits, joints
    Triples gap_triples;       // of these
    std::vector<int> place;    // in x of each row of the island
    std::vector<int> gap_row;  // in x of each row of gap_triples, or kNone
    VecX offset, scaled;       // of u of the cones, and what the sweeps are given of it
    VecX v_hat, v_from, v;     // six numbers per body
    VecX V_x, V_x_last, V_l;   // likewise
    VecX x, l, lambda;         // impulses: of the cones, of gap_triples, tau l in the places of x
    VecX u, w, A_lambda;
};

}  // namespace stiction
