// pivoting.h - the convex program behind no-slip contact, viscous friction, frictionless impact and
// position projection, block-sparse:
//
//   min 1/2 |v - v_free|_M^2   over rows that are equalities, wherever their bounds let them
//
// with the rows and their law in island_rows.h.
//
// Method (solver name `sparse_ppm`): principal pivoting on the set of free rows, as in
// [D15, Algorithm 1], but all rows with a wrong sign change at once and the linear algebra is done
// on links. The free rows G of a link span at most six directions, so a link is one node with at
// most six unknowns, the impulse F = G'c that it transmits:
//
//   B_i (sum_j D_ij B_j' F_j) = B_i (u*_i - u_i,free)
//
// with D the Delassus blocks of pairs of links and B an orthonormal basis of the row space, solved
// by block Cholesky. Redundant rows within a link cost nothing (c is the least-squares share of F,
// and nothing for rows that depend on others nearly but not quite); redundancy across links is met
// by a proximal term (delta I) whose effect is removed by refinement on the true residual, with a
// smaller delta where that is not enough.
//
// Soft rows beside rigid ones on a link: the rigid rows alone say how it moves in the directions that
// they span, B_1 u = u*_1. In the others the soft rows add up to one compliance,
//
//   B_2 u + P F_2 = u*_2,    P^-1 = sum of g_2 g_2' / compliance,    u*_2 = P sum of g_2 (target - g_1 . u*_1) / compliance
//
// and what they push along B_1, c = (target - g . u) / compliance being known, the rigid rows take off F_1.
//
// When changing all rows at once stops making progress, only the worst are changed, and at last the
// last wrong row alone: Murty's rule, which ends where the free rows are independent. Where they
// are not, the limit on factorisations does.
#pragma once

#include <utility>
#include <vector>

#include "contact/island/island_rows.h"
#include "core/solve_report.h"
#include "solve/factor/block_cholesky.h"

namespace stiction {

// On w and c, relative to the island's velocity scale: what rounding leaves after refinement.
inline constexpr double kPivotingTolerance = 1e-10;

struct PivotingReport : SolveReport {  // iterations: factorisations; residual: as a velocity [m/s]
    int pivots = 0;                    // rows that changed state
};

// What a caller keeps per island between steps. The elimination order is found again only when the
// links change.
struct PivotingWorkspace {
    struct Node {
        int rank = 0;
        int rigid = 0;              // of which rigid rows span the first, where there are soft ones
        bool identity = false;      // basis is the identity
        bool soft = false;          // has rows with compliance
        bool uneven = false;        // rows nearly depend on one another: K has few digits
        bool spills = false;        // some free row lies only nearly in the basis
        bool has_target = false;    // some free row wants a velocity other than 0
        Mat6 basis = Mat6::Zero();  // rows: orthonormal directions; the first `rank` count
        Mat6 K = Mat6::Zero();      // factor of G' W G in that basis, padded with the identity
        double compliance = 0;      // of its least soft row: W is that over the row's own [1/kg]
        Mat6 P = Mat6::Zero();      // compliance of the node (soft rows), in the basis
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
    std::vector<BoundState> wanted;  // per row: the state its signs ask for
    std::vector<double> violation;   // per row: how wrong it is [m/s]
    std::vector<Vec6> left;          // per row: its part outside the basis, while that is made
    std::vector<char> aside;         // per row: free, but nearly dependent on others: no impulse
};

// rows.state: guess in, final set out. rows.c: out. v: out, on the island's blocks only; momentum:
// scratch of v's size, on the island's blocks only (so islands may share both vectors in parallel).
[[nodiscard]] PivotingReport solve_by_pivoting(const LinkSystem& system,
                                               const SolveSettings& settings, const VecX& v_free,
                                               PivotingWorkspace& workspace, IslandRows& rows,
                                               VecX& momentum, VecX& v);

}  // namespace stiction
