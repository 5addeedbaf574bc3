// row_sweeps.h - the convex program of pivoting.h by projected Gauss-Seidel over its rows, without
// any matrix: for islands so large and so entangled (piles) that factors would fill.
//
//   w = g . u - target + compliance c,   c <- clamp(c - w / (W + compliance), lo, hi),
//   v += M^-1 X'g dc,                    W = g'X M^-1 X'g
//
// at O(1) per row and memory linear in the rows. Converges for every such program (it is convex),
// linearly; after a few sweeps they are combined (anderson.h). The answer is as good as the sweeps
// it is given.
#pragma once

#include <vector>

#include "contact/island/island_rows.h"
#include "core/solve_report.h"
#include "solve/factor/anderson.h"

namespace stiction {

struct SweptRow {
    Vec6 J_a = Vec6::Zero(), J_b = Vec6::Zero();  // row on the velocities of the two bodies
    Vec6 P_a = Vec6::Zero(), P_b = Vec6::Zero();  // M^-1 J'
    double W = 0;
    double offset = 0;             // g . u0 - target
    int v_a = kNone, v_b = kNone;  // offsets in v; kNone: not an unknown
};

struct RowSweepWorkspace {
    std::vector<SweptRow> rows;
    VecX c, c_before;  // of all rows; c_before the sweeps that are combined
    VecX v;            // of the island's bodies, one after the other
    AndersonHistory history;
};

// From rows.c as given (it is clamped first). Iterations are sweeps. rows.state and v are outputs, v
// on the island's blocks only. Free bodies only.
[[nodiscard]] SolveReport sweep_rows(const LinkSystem& system, const SolveSettings& settings,
                                     const VecX& v_free, RowSweepWorkspace& workspace,
                                     IslandRows& rows, VecX& v);

}  // namespace stiction
