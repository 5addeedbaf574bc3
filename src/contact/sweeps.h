// sweeps.h - Gauss-Seidel over the row blocks of an island without forming W: the velocities are
// kept, each block in turn is solved exactly for its three impulses while the others stand,
//
//   u = D (v_a - v_b) + A_a w_a + A_b w_b + offset + compliance o r,     v, w: linear, angular
//   r <- law(W_aa, u - W_aa r),   v_a += D'dr / m_a,   w_a += I_a^-1 A_a' dr,   b likewise
//
// at O(1) per block, memory linear in the blocks. Contacts obey the Coulomb cone or a friction
// polygon, other blocks their bounds. For islands of free bodies; others take W.
//
// Sweeps alone converge linearly, slowly in large piles; from the second judgement on they are
// combined (anderson.h), which settled piles need for residuals below 1e-4 or so.
#pragma once

#include <vector>

#include "contact/row_blocks.h"
#include "core/deadline.h"
#include "solve/anderson.h"
#include "solve/friction_law.h"

namespace stiction {

struct SweepSettings {
    double tolerance = 1e-8;  // on natural and scaled residuals of the law (cone_problem.h)
    int max_sweeps = 1000;
    // Give up early when, at the rate seen, more than this many sweeps are left; 0: never.
    int give_up_ahead = 0;
    const FrictionDirections* polygon = nullptr;  // else the cone
    Deadline deadline = {};                       // looked at once per sweep
};

struct SweepBlock {
    Mat3 D, A_a, A_b;
    Mat3 P_a, P_b;  // I^-1 A'
    Mat3 W;
    Vec3 offset, compliance;
    double inv_mass_a, inv_mass_b;  // 0: prescribed
    double mu;
    double weight;  // tr W / 3, or 1
    double lambda;  // of a sliding contact, for the next sweep (one_contact.h)
    int a, b;       // places of the bodies' velocities in SweepWorkspace::v
    bool bounded;
};

struct SweepWorkspace {
    std::vector<SweepBlock> blocks;
    VecX v;  // of the island's bodies, then six zeros for all prescribed ones
    VecX r;  // before the sweeps that are combined
    VecX best_r, best_v;
    AndersonHistory history;
};

struct SweepResult {
    bool solved = false;
    bool late = false;  // ended by the deadline
    int sweeps = 0;
    ConeResidual residual;
};

// True if every body of the island is a free body, as the sweeps need.
[[nodiscard]] bool can_sweep(const ContactProblem& problem, const Island& island);

// From rows.r and the velocities v of the same impulses (apply_row_impulses); both are updated.
[[nodiscard]] SweepResult sweep(const ContactProblem& problem, const Island& island,
                                const SweepSettings& settings, SweepWorkspace& workspace,
                                RowBlocks& rows, VecX& v);

}  // namespace stiction
