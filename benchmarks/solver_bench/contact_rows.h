// contact_rows.h - random contacts between random bodies, and the problems that solvers make of
// them. Symbols as in docs/notation.md; a seed gives the same numbers on every machine.
#pragma once

#include "core/random.h"
#include "core/types.h"
#include "solve/lcp/active_set.h"
#include "solve/lcp/box_lcp.h"
#include "solve/lcp/lcp.h"

namespace stiction {

struct ContactRows {
    MatX N, S, T;  // nc x nv
    MatX K;        // nv x nv, K K' = M^-1
    VecX v_hat;    // nv, velocity without contact impulses [m/s, rad/s]
    VecX bias;     // nc, >= 0 [m/s]
    VecX mu;       // nc

    [[nodiscard]] Eigen::Index contacts() const { return mu.size(); }
};

// nb bodies of 0.1 to 10 kg in a heap, at any angle; contact i is on body i mod nb and on another
// one or, one time in three, on the ground. A fifth of the gaps is open.
[[nodiscard]] ContactRows heap_contacts(Random& random, int nb, int nc);

// nb cubes in a row, the outer ones pushed inwards: nc points spread at random over the nb - 1
// faces between them, most of them redundant.
[[nodiscard]] ContactRows grasp_contacts(Random& random, int nb, int nc);

// Coulomb friction on a four-sided cone [Stewart-Trinkle], unknowns (c_n, beta, lambda): 6 nc.
[[nodiscard]] Lcp stewart_trinkle_lcp(const ContactRows& rows);

// Without friction: A = N C N', as a box LCP, and as what ppm takes.
[[nodiscard]] BoxLcp frictionless_problem(const ContactRows& rows);
[[nodiscard]] PpmProblem ppm_problem(const ContactRows& rows);

// Unknowns (c_n, c_s, c_t) contact by contact, |c_s|, |c_t| <= mu times the normal impulse of the
// frictionless problem, cfm added to the diagonal [1/kg].
[[nodiscard]] BoxLcp friction_box_problem(const ContactRows& rows, double cfm);

}  // namespace stiction
