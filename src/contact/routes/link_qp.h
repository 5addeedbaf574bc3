// link_qp.h - the convex program behind no-slip contact, position projection and frictionless
// impact, block-sparse.
//
//   min 1/2 |v - v_free|_M^2     subject to rows on link velocities u (problem/link_system.h); for
//   row i with impulse c_i
//       w_i = g_i . u - target_i + compliance_i c_i,
//       lo_i < c_i < hi_i : w_i = 0,     c_i = lo_i : w_i >= 0,     c_i = hi_i : w_i <= 0
//
// An equality has lo = -inf, hi = inf; a contact normal lo = 0, hi = inf; a motor finite bounds.
//
// Method ("sparse_ppm"): principal pivoting on the set of free rows, as in [D15, Algorithm 1], but
// all rows with a wrong sign change at once and the linear algebra is done on links. The free rows
// G of a link span at most six directions, so a link is one node with at most six unknowns, the
// impulse F = G' c that it transmits:
//
//   B_i (sum_j D_ij B_j' F_j) = B_i (u*_i - u_i,free),       D: Delassus blocks, B: orthonormal
//   basis of the row space
//
// solved by block Cholesky. Redundant rows within a link cost nothing (c is the least-squares share
// of F); redundancy across links is met by a proximal term (delta I) whose effect is removed by
// refinement on the true residual, with a smaller delta where that is not enough. When
// changing all rows at once stops making progress, only the worst are changed, and at last the last
// wrong row alone (Murty's rule), which ends.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/deadline.h"
#include "core/status.h"
#include "core/types.h"
#include "problem/link_system.h"
#include "solve/factor/block_cholesky.h"

namespace stiction {

struct QpRow {
    Vec6 g = Vec6::Zero();
    double target = 0;                                     // [m/s]
    double compliance = 0;                                 // [1/kg]
    double lo = -std::numeric_limits<double>::infinity();  // [N s]
    double hi = std::numeric_limits<double>::infinity();   // [N s]
};

enum class RowState : std::uint8_t { kFree, kLower, kUpper };

// One island. Rows of links[l] are rows[row_begin[l] .. row_begin[l + 1]).
struct LinkQp {
    std::span<const int> links;   // ids into the system
    std::span<const int> blocks;  // all blocks these links touch
    std::vector<int> row_begin;
    std::vector<QpRow> rows;
};

struct LinkQpSettings {
    double tolerance = 1e-10;  // on w and c, relative to the island's velocity scale [-]
    int max_iterations = 0;    // factorisations, or sweeps of link_sweeps.h; 0: own limit
    Deadline deadline = {};    // looked at once per iteration; ends with kBudget
};

struct LinkQpResult {
    SolveStatus status = SolveStatus::kSolved;
    int iterations = 0;   // factorisations
    int pivots = 0;       // rows that changed state
    double residual = 0;  // largest violation of the law above by the answer, as a velocity [m/s]
};

// What a caller keeps per island between steps. The elimination order is found again only when the
// links change.
struct LinkQpWorkspace {
    struct Node {
        int rank = 0;
        bool identity = false;       // basis is the identity
        bool soft = false;           // has rows with compliance
        bool has_target = false;     // some free row wants a velocity other than 0
        Mat6 basis = Mat6::Zero();   // rows: orthonormal directions; the first `rank` count
        Mat6 K = Mat6::Zero();       // factor of G' W G in that basis, padded with the identity
        Mat6 P = Mat6::Zero();       // compliance of the node (soft rows), in the basis
        Vec6 target = Vec6::Zero();  // u*, in the basis
        Vec6 u_free = Vec6::Zero();  // link velocity at v_free
        Vec6 u = Vec6::Zero();
        double delta = 0;  // proximal weight [1/kg]
        double scale = 0;  // mean diagonal of D [1/kg]
    };
    std::vector<int> signature;  // blocks of each link, to recognise an unchanged structure
    std::vector<std::pair<int, int>> edges;
    BlockCholesky cholesky;
    std::vector<Node> nodes;
    std::vector<Vec6> F;  // impulse per node, in the basis
    std::vector<Vec6> correction;
    std::vector<Mat6> D_diagonal;  // Delassus blocks per link and per edge
    std::vector<Mat6> D_off;
    std::vector<RowState> wanted;   // per row: the state its signs ask for
    std::vector<double> violation;  // per row: how wrong it is [m/s]
};

// states: guess in, final set out. c: impulse per row. v: v_free in, answer out, on the island's
// blocks only; momentum: scratch of v's size, on the island's blocks only (so islands may share
// both vectors in parallel).
[[nodiscard]] LinkQpResult solve_link_qp(const LinkSystem& system, const LinkQp& qp,
                                         const LinkQpSettings& settings, const VecX& v_free,
                                         std::span<RowState> states, LinkQpWorkspace& workspace,
                                         std::span<double> c, VecX& momentum, VecX& v);

}  // namespace stiction
