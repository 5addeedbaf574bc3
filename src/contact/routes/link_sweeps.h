// link_sweeps.h - the convex program of link_qp.h by projected Gauss-Seidel over its rows, without
// any matrix: for islands so large and so entangled (piles) that the factors of link_qp would fill.
//
//   w = g . u - target + compliance c,   c <- clamp(c - w / (W + compliance), lo, hi),
//   v += M^-1 X'g dc,                    W = g'X M^-1 X'g
//
// at O(1) per row and memory linear in the rows. Converges for every such program (it is convex),
// linearly; after a few sweeps they are combined (anderson.h). The answer is as good as the sweeps
// it is given.
#pragma once

#include <span>
#include <vector>

#include "contact/routes/link_qp.h"
#include "solve/factor/anderson.h"

namespace stiction {

struct LinkSweepRow {
    Vec6 J_a = Vec6::Zero(), J_b = Vec6::Zero();  // row on the velocities of the two bodies
    Vec6 P_a = Vec6::Zero(), P_b = Vec6::Zero();  // M^-1 J'
    double W = 0;
    double offset = 0;             // g . u0 - target
    int v_a = kNone, v_b = kNone;  // offsets in v; kNone: not an unknown
};

struct LinkSweepWorkspace {
    std::vector<LinkSweepRow> rows;
    VecX c, c_before;  // of all rows; c_before the sweeps that are combined
    VecX v;            // of the island's bodies, one after the other
    AndersonHistory history;
};

inline constexpr int kMostFactoredLinks = 300;  // of an entangled island

// Whether an island is better swept: beyond `most_links` links that are entangled (many links per
// body; chains and stacks factor without fill), all of free bodies.
[[nodiscard]] bool prefers_sweeps(const LinkSystem& system, std::span<const int> links,
                                  std::span<const int> blocks, int most_links,
                                  std::vector<int>& scratch);

// From c as given (it is clamped first). settings.max_iterations counts sweeps; v and states are
// outputs, on the island's blocks only. Free bodies only.
[[nodiscard]] LinkQpResult sweep_link_qp(const LinkSystem& system, const LinkQp& qp,
                                         const LinkQpSettings& settings, const VecX& v_free,
                                         std::span<RowState> states, LinkSweepWorkspace& workspace,
                                         std::span<double> c, VecX& v);

}  // namespace stiction
