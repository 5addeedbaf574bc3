// max_dissipation_workspace.h - what the solvers of max_dissipation keep per island.
#pragma once

#include <vector>

#include "contact/island/row_blocks.h"
#include "solve/cone/cone_qp.h"
#include "solve/factor/independent_rows.h"
#include "solve/lcp/box_lcp.h"

namespace stiction {

// The program over dense matrices. Unknowns come in threes: a block per contact, then one per
// limit or bounded row, of which only the first is in use. The impulse of a row is
// base + sign x[unknown].
struct MaxDissipationDense {
    struct Unknown {
        int row = kNone;  // of the island's rows; none: not in use, x = 0
        double base = 0;  // [N s]
        double sign = 1;
    };
    BoxLcp rows;                  // all rows of the island, joints included
    std::vector<int> equalities;  // rows that are eliminated
    std::vector<Unknown> unknowns;
    std::vector<int> local;  // per block of the system: offset of its velocities
    MatX whitened;
    VecX y;
    IndependentRows independent;
    IndependentRowsWorkspace independent_workspace;
    MatX E;  // factor of the equality rows' part
    MatX Y;  // per unknown its column of E^-1 A_E
    MatX A;  // of the unknowns
    VecX b;  // row velocities at v_hat and the bases' impulses
    VecX e;  // per equality
    ConeQp qp;
    ConeQpResult result;
};

// The program without matrices (max_dissipation_first_order.cpp), on RowBlocks.
struct MaxDissipationFirstOrder {
    struct Gap {
        int block = 0, row = 0;
        bool equality = false;  // a joint: its row velocity is to be zero
    };
    std::vector<Gap> gaps;                        // rows of N and J: contacts, limits, joints
    VecX weight;                                  // per block, tr W_aa / 3 [1/kg]
    VecX offset;                                  // per block, s of its cone [N s]
    VecX b;                                       // row velocities without impulses [m/s]
    VecX x, x_old, y, y_old, u, g, g_old, trial;  // 3 per block
    VecX lambda, lambda_hat;                      // per gap [N s]
    double nu = 0;                                // multiplier of kappa [m/s]
};

struct MaxDissipationWorkspace {
    std::vector<double> c_one;          // row impulses of phase I
    std::vector<RowState> state_one;    // and its set of pressing rows
    std::vector<double> viscous_bound;  // per contact of the problem, h mu_v |b_T|; empty: 0
    MaxDissipationDense dense;
    MaxDissipationFirstOrder first_order;

    // s of a contact's cone [N s].
    [[nodiscard]] double bound(int contact) const {
        return viscous_bound.empty() ? 0.0 : viscous_bound[static_cast<std::size_t>(contact)];
    }
};

}  // namespace stiction
