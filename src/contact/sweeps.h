// sweeps.h - Gauss-Seidel over the row blocks of an island without forming W: the velocities are
// kept, each block in turn is solved exactly for its three impulses while the others stand,
//
//   u = J_a v_a + J_b v_b + offset + compliance o r,   W_aa = J_a M_a^-1 J_a' + J_b M_b^-1 J_b'
//   r <- law(W_aa, u - W_aa r),   v_a += M_a^-1 J_a' dr,   v_b += M_b^-1 J_b' dr
//
// at O(1) per block, memory linear in the blocks. Contacts obey the Coulomb cone or a friction
// polygon, other blocks their bounds. For islands of free bodies; others take W.
#pragma once

#include <vector>

#include "contact/row_blocks.h"
#include "solve/friction_law.h"

namespace stiction {

struct SweepSettings {
    double tolerance = 1e-8;  // on natural and scaled residuals of the law (cone_problem.h)
    int max_sweeps = 1000;
    // Give up early when, at the rate seen, more than this many sweeps are left; 0: never.
    int give_up_ahead = 0;
    const FrictionDirections* polygon = nullptr;  // else the cone
};

struct SweepBlock {
    Eigen::Matrix<double, 3, 6> J_a, J_b;
    Eigen::Matrix<double, 6, 3> P_a, P_b;  // M^-1 J'
    Mat3 W;
    Vec3 offset;
    double weight;  // tr W / 3, or 1
    double lambda;  // of a sliding contact, for the next sweep (one_contact.h)
    int v_a, v_b;   // offsets in v, kNone: not an unknown
};

struct SweepWorkspace {
    std::vector<SweepBlock> blocks;
};

struct SweepResult {
    bool solved = false;
    int sweeps = 0;
    ConeResidual residual;
};

// True if every body of the island is a free body, as the sweeps need.
[[nodiscard]] bool can_sweep(const ContactProblem& problem, const Island& island);

// From rows.r and the velocities v of the same impulses (apply_row_impulses); both are updated.
[[nodiscard]] SweepResult sweep(const ContactProblem& problem, const SweepSettings& settings,
                                SweepWorkspace& workspace, RowBlocks& rows, VecX& v);

}  // namespace stiction
