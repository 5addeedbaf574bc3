// pivoting_nodes.cpp - structure, bases and matrix of the nodes.
#include "contact/routes/pivoting_nodes.h"

#include <algorithm>
#include <cmath>

namespace stiction {

namespace {

using Node = PivotingWorkspace::Node;

// On |y|^2 / |g|^2, as for FIND-INDICES: an angle of 1e-5.
constexpr double kRankTolerance = 1e-10;
// Rows that are left out of the basis share in the link's impulse if they lie in it to this angle,
// squared: the impulse is then the sum of the rows' own, but for rounding. Soft rows all do: they have
// no levers, what they push is their law, whatever the direction.
constexpr double kSharingTolerance = 1e-18;
// Relative pivot of G'G above which six directions are taken as they are: half the digits are left.
constexpr double kFullRankPivot = 1e-8;
// Least over mean diagonal of D below which the finer proximal weight is taken from the start: a
// body so slender has directions that the coarser one would drown.
constexpr double kFlat = 1e-4;

bool same_structure(const Pivoting& call) {
    const std::vector<int>& signature = call.ws.signature;
    if (signature.size() != 2 * at(call.links())) return false;
    for (int l = 0; l < call.links(); ++l) {
        if (signature[2 * at(l)] != call.link(l).a || signature[2 * at(l) + 1] != call.link(l).b)
            return false;
    }
    return true;
}

// Links that share a block are coupled: one edge per such pair.
void analyse_structure(Pivoting& call) {
    PivotingWorkspace& ws = call.ws;
    ws.signature.clear();
    std::vector<std::pair<int, int>> incidence;  // block, link
    for (int l = 0; l < call.links(); ++l) {
        const Link& link = call.link(l);
        ws.signature.push_back(link.a);
        ws.signature.push_back(link.b);
        if (link.a != kNone) incidence.emplace_back(link.a, l);
        if (link.b != kNone) incidence.emplace_back(link.b, l);
    }
    std::sort(incidence.begin(), incidence.end());
    ws.edges.clear();
    for (std::size_t i = 0; i < incidence.size(); ++i) {
        for (std::size_t j = i + 1;
             j < incidence.size() && incidence[j].first == incidence[i].first; ++j) {
            // A link between two bodies of one tree is listed twice there, and no edge to itself.
            if (incidence[i].second != incidence[j].second)
                ws.edges.emplace_back(incidence[i].second, incidence[j].second);
        }
    }
    std::sort(ws.edges.begin(), ws.edges.end());
    ws.edges.erase(std::unique(ws.edges.begin(), ws.edges.end()), ws.edges.end());
    ws.cholesky.analyse(call.links(), ws.edges);
    ws.nodes.resize(at(call.links()));
    ws.F.resize(at(call.links()));
    ws.correction.resize(at(call.links()));
    ws.D_diagonal.resize(at(call.links()));
    ws.D_off.resize(ws.edges.size());
}

// Whether a rigid row may be left without an impulse where it nearly depends on others.
bool may_stand_aside(const Row& row) {
    return row.compliance == 0 && row.lo < 0 && row.target == 0;
}

// What must be left of a row, squared, for another direction. Beside soft rows those that may not
// stand aside have all of theirs: a soft row would take what is left for its own.
double least_left(const Node& node, const Row& row) {
    return node.soft && !may_stand_aside(row) ? kSharingTolerance : kRankTolerance;
}

// One more direction of the basis: the free row, soft or not, of which most is left outside; the rest
// of every row shrinks by it. False where none has more left than the tolerance.
bool add_direction(Pivoting& call, int l, bool soft, Node& node) {
    int best = kNone;
    double most = 0;
    for (int r = call.row_begin(l); r < call.row_end(l); ++r) {
        const Row& row = call.rows.rows[at(r)];
        if (call.rows.state[at(r)] != BoundState::kFree || (row.compliance > 0) != soft) continue;
        const double left = call.ws.left[at(r)].squaredNorm(), whole = row.g.squaredNorm();
        if (left <= std::max(most, least_left(node, row)) * whole) continue;
        most = left / whole;
        best = r;
    }
    if (best == kNone) return false;
    Vec6 y = call.ws.left[at(best)];
    for (int k = 0; k < node.rank; ++k)  // once more: rounding grew as the rest shrank
        y -= node.basis.row(k).dot(y) * node.basis.row(k).transpose();
    y.normalize();
    node.basis.row(node.rank++) = y.transpose();
    for (int r = call.row_begin(l); node.rank < 6 && r < call.row_end(l); ++r) {
        if (call.rows.state[at(r)] == BoundState::kFree)
            call.ws.left[at(r)] -= y.dot(call.ws.left[at(r)]) * y;
    }
    return true;
}

// Orthonormal basis of the free rows by Gram-Schmidt, the row of which most is left first: in any
// other order small rests multiply, and the Gram matrix is singular though no row nearly depends on
// those before it. Rigid rows come before soft ones: they then have no part in the directions that
// only soft rows reach.
void build_basis(Pivoting& call, int l, Node& node) {
    node.identity = false;
    node.rank = 0;
    node.basis.setZero();
    for (int r = call.row_begin(l); r < call.row_end(l); ++r)
        call.ws.left[at(r)] = call.rows.rows[at(r)].g;
    while (node.rank < 6 && add_direction(call, l, false, node)) continue;
    node.rigid = node.rank;
    for (int r = call.row_begin(l); r < call.row_end(l); ++r) {
        const Row& row = call.rows.rows[at(r)];
        const double left = node.rank < 6 ? call.ws.left[at(r)].squaredNorm() : 0.0;
        const bool outside = row.compliance == 0 && left > kSharingTolerance * row.g.squaredNorm();
        call.ws.aside[at(r)] = outside && may_stand_aside(row);
        node.spills = node.spills || (outside && !may_stand_aside(row) &&
                                      call.rows.state[at(r)] == BoundState::kFree);
    }
    while (node.soft && node.rank < 6 && add_direction(call, l, true, node)) continue;
}

// K += w g g', lower triangle (whole packets of two, so a little of the upper one comes along).
inline void add_outer(const Vec6& g, double w, Mat6& K) {
    K.col(0) += (w * g[0]) * g;
    K.col(1) += (w * g[1]) * g;
    K.col(2).tail<4>() += (w * g[2]) * g.tail<4>();
    K.col(3).tail<4>() += (w * g[3]) * g.tail<4>();
    K.col(4).tail<2>() += (w * g[4]) * g.tail<2>();
    K.col(5).tail<2>() += (w * g[5]) * g.tail<2>();
}

// K = sum of w g g' over the free rows in the basis (lower triangle), identity on the padding; of
// rigid rows in their directions, of soft ones in the others.
void build_gram(const Pivoting& call, int l, Node& node) {
    Mat6 K = Mat6::Zero();
    for (int r = call.row_begin(l); r < call.row_end(l); ++r) {
        if (call.rows.state[at(r)] != BoundState::kFree) continue;
        const Row& row = call.rows.rows[at(r)];
        if (node.identity) {
            add_outer(row.g, 1.0, K);
        } else if (node.soft) {
            if (row.compliance > 0) {
                add_outer(soft_part(node, node.basis * row.g), softness(node, row), K);
            } else if (call.ws.aside[at(r)] == 0) {
                add_outer(rigid_part(node, node.basis * row.g), 1.0, K);
            }
        } else if (call.ws.aside[at(r)] == 0) {
            add_outer(node.basis * row.g, 1.0, K);
        }
    }
    for (int k = node.rank; k < 6; ++k) K(k, k) = 1.0;
    node.K = K;
}

// Whether the factor K has lost the digits that shares of impulses need.
bool is_uneven(const Node& node) {
    constexpr double kUneven = 1e-3;  // squared it is the ratio of pivots: ten digits are left
    double least = node.K(0, 0), most = least;
    for (int k = 1; k < node.rank; ++k) {
        least = std::min(least, node.K(k, k));
        most = std::max(most, node.K(k, k));
    }
    return node.rank > 0 && least < kUneven * most;
}

// What the free rigid rows want, in the basis: of a node without soft ones that is all.
void set_rigid_target(const Pivoting& call, int l, Node& node) {
    for (int r = call.row_begin(l); r < call.row_end(l); ++r) {
        const Row& row = call.rows.rows[at(r)];
        if (call.rows.state[at(r)] != BoundState::kFree || row.compliance > 0) continue;
        if (!node.identity && call.ws.aside[at(r)] != 0) continue;
        node.target += row.target * in_basis(node, row.g);
    }
    if (node.soft) node.target = rigid_part(node, node.target);
    forward6(node.K, node.target);
    backward6(node.K, node.target);
}

// In the directions that are left: of soft rows, whose velocity in the others is known.
void add_soft_target(const Pivoting& call, int l, Node& node) {
    Vec6 target = Vec6::Zero();
    for (int r = call.row_begin(l); r < call.row_end(l); ++r) {
        const Row& row = call.rows.rows[at(r)];
        if (call.rows.state[at(r)] != BoundState::kFree || row.compliance == 0) continue;
        const Vec6 g = in_basis(node, row.g);
        target += softness(node, row) * (row.target - g.dot(node.target)) * soft_part(node, g);
    }
    forward6(node.K, target);
    backward6(node.K, target);
    node.target += target;
}

void set_target(const Pivoting& call, int l, Node& node) {
    node.target.setZero();
    if (!node.has_target) return;
    set_rigid_target(call, l, node);
    if (node.soft) add_soft_target(call, l, node);
}

void set_compliance(Node& node) {
    node.P.setZero();
    for (int k = node.rigid; k < node.rank; ++k) {
        Vec6 column = Vec6::Unit(k);
        forward6(node.K, column);
        backward6(node.K, column);
        node.P.col(k) = node.compliance * column;
    }
}

}  // namespace

void find_structure(Pivoting& call) {
    if (!same_structure(call)) analyse_structure(call);
}

void set_delassus(Pivoting& call) {
    PivotingWorkspace& ws = call.ws;
    for (int l = 0; l < call.links(); ++l) {
        Mat6& D = ws.D_diagonal[at(l)];
        D = delassus_block(call.system, call.link(l), call.link(l));
        ws.nodes[at(l)].scale = D.trace() / 6.0;
        const bool flat = D.diagonal().minCoeff() < kFlat * ws.nodes[at(l)].scale;
        ws.nodes[at(l)].delta = (flat ? kFineProximal : kProximal) * ws.nodes[at(l)].scale;
    }
    for (int e = 0; e < static_cast<int>(ws.edges.size()); ++e) {
        const auto [row, column] = ws.cholesky.orientation(e);
        ws.D_off[at(e)] = delassus_block(call.system, call.link(row), call.link(column));
    }
}

void build_node(Pivoting& call, int l) {
    Node& node = call.ws.nodes[at(l)];
    int free_rows = 0;
    node.soft = node.spills = false;
    node.has_target = false;
    for (int r = call.row_begin(l); r < call.row_end(l); ++r) {
        if (call.rows.state[at(r)] != BoundState::kFree) continue;
        ++free_rows;
        const Row& row = call.rows.rows[at(r)];
        if (row.compliance > 0) {
            node.compliance =
                node.soft ? std::min(node.compliance, row.compliance) : row.compliance;
            node.soft = true;
        }
        node.has_target = node.has_target || row.target != 0;
    }
    bool done = false;
    if (free_rows >= 6 && !node.soft) {
        node.identity = true;
        node.rank = 6;
        build_gram(call, l, node);
        done = factor6(node.K, kFullRankPivot) == 0 && !is_uneven(node);  // pivots have digits
    }
    if (!done) {
        build_basis(call, l, node);
        build_gram(call, l, node);
        factor6(node.K, 0.0);
    }
    node.uneven = is_uneven(node);
    set_target(call, l, node);
    if (node.soft) set_compliance(node);
}

void build_matrix(Pivoting& call) {
    PivotingWorkspace& ws = call.ws;
    ws.cholesky.clear();
    for (int l = 0; l < call.links(); ++l) {
        const Node& node = ws.nodes[at(l)];
        Mat6& A = ws.cholesky.diagonal(l);
        if (node.identity) {
            A = ws.D_diagonal[at(l)];
        } else {
            A.noalias() = node.basis * ws.D_diagonal[at(l)] * node.basis.transpose();
            for (int k = node.rank; k < 6; ++k) A(k, k) = node.scale;
        }
        if (node.soft) A += node.P;
        A.diagonal().array() += node.delta;
    }
    for (int e = 0; e < static_cast<int>(ws.edges.size()); ++e) {
        const auto [row, column] = ws.cholesky.orientation(e);
        const Node& i = ws.nodes[at(row)];
        const Node& j = ws.nodes[at(column)];
        Mat6& A = ws.cholesky.off_diagonal(e);
        A = ws.D_off[at(e)];
        if (!i.identity) A = i.basis * A;
        if (!j.identity) A = A * j.basis.transpose();
    }
}

}  // namespace stiction
