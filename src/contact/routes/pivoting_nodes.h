// pivoting_nodes.h - inside pivoting.cpp: the links of an island as nodes of a sparse matrix.
#pragma once

#include "contact/routes/pivoting.h"

namespace stiction {

// Delta over the mean diagonal of D. Enough to make a node with dependent rows regular, little
// enough for two or three refinements to remove it.
inline constexpr double kProximal = 1e-10;
// The same when the answer is not good enough: points of a link that are 1e-5 of a body apart leave
// directions with 1e-10 of that diagonal. What rows share without need is then less exact.
inline constexpr double kFineProximal = 1e-12;
// Where a body weighs kHeavy times another even that drowns what the heavy one feels; the factors
// keep two digits there, and refinement on the true residual the others.
inline constexpr double kFinestProximal = 1e-14;
inline constexpr double kHeavy = 1e8;

// Everything one call works on, so that its steps read as the method.
struct Pivoting {
    const LinkSystem& system;
    IslandRows& rows;
    const VecX& v_free;
    PivotingWorkspace& ws;
    VecX& momentum;
    VecX& v;
    double speed = 0;  // velocity scale of the island [m/s]

    [[nodiscard]] int links() const { return static_cast<int>(rows.links.size()); }
    [[nodiscard]] const Link& link(int l) const { return system.links[at(rows.links[at(l)])]; }
    [[nodiscard]] int row_begin(int l) const { return rows.begin[at(l)]; }
    [[nodiscard]] int row_end(int l) const { return rows.begin[at(l + 1)]; }
};

// Finds edges and elimination order where the links are others than last time.
void find_structure(Pivoting& call);

// D of every link and edge, the nodes' scales and proximal weights.
void set_delassus(Pivoting& call);

// Basis, Gram matrix and target of a link's free rows; and the matrix over all nodes.
void build_node(Pivoting& call, int l);
void build_matrix(Pivoting& call);

[[nodiscard]] inline Vec6 in_basis(const PivotingWorkspace::Node& node, const Vec6& x) {
    if (node.identity) return x;
    return node.basis * x;  // rows beyond the rank are zero
}

[[nodiscard]] inline Vec6 from_basis(const PivotingWorkspace::Node& node, const Vec6& x) {
    if (node.identity) return x;
    return node.basis.transpose() * x;
}

// Of a vector in the basis of a node with soft rows: what lies in the directions of rigid rows, and
// what in those that only soft ones reach.
[[nodiscard]] inline Vec6 rigid_part(const PivotingWorkspace::Node& node, Vec6 x) {
    x.tail(6 - node.rigid).setZero();
    return x;
}
[[nodiscard]] inline Vec6 soft_part(const PivotingWorkspace::Node& node, Vec6 x) {
    x.head(node.rigid).setZero();
    return x;
}

// Weight of a soft row beside the least soft one of its node.
[[nodiscard]] inline double softness(const PivotingWorkspace::Node& node, const Row& row) {
    return node.compliance / row.compliance;
}

}  // namespace stiction
