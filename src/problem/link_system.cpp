// link_system.cpp - products with the inertia blocks and the links; closed forms where both are
// free bodies.
#include "problem/link_system.h"

#include <algorithm>
#include <array>

namespace stiction {

namespace {

Eigen::Map<const Eigen::Matrix<double, 6, Eigen::Dynamic>> six_rows(const LinkSystem& system,
                                                                    int start, int cols) {
    return {system.pool.data() + start, 6, cols};
}

const InertiaBlock& block_of(const LinkSystem& system, int block) {
    return system.blocks[at(block)];
}

// The block below for inverse inertia k I (cubes, balls): [r_i]x [r_j]x = r_j r_i' - (r_i . r_j) I.
void add_isotropic_block(const InertiaBlock& body, double sign, const Vec3& r_i, double l_i,
                         const Vec3& r_j, double l_j, Mat6& D) {
    const double k = sign * body.inv_inertia(0, 0);
    D.topLeftCorner<3, 3>() -= r_j * (k * r_i).transpose();
    D.topLeftCorner<3, 3>().diagonal().array() += sign * body.inv_mass + k * r_i.dot(r_j);
    D.topRightCorner<3, 3>() -= skew((k * l_j) * r_i);
    D.bottomLeftCorner<3, 3>() += skew((k * l_i) * r_j);
    D.bottomRightCorner<3, 3>().diagonal().array() += k * l_i * l_j;
}

// Adds sign * X_i M^-1 X_j' of a shared free body to D:
//   X_j' (f, t) = (f, r_j x f + l_j t),   X_i (v, w) = (v - r_i x w, l_i w)
void add_free_body_block(const InertiaBlock& body, double sign, const Vec3& r_i, double l_i,
                         const Vec3& r_j, double l_j, Mat6& D) {
    const Mat3& K = body.inv_inertia;
    Mat3 K_rj;  // K [r_j]x, by its rows: k' [r]x = (k x r)'
    for (int row = 0; row < 3; ++row) K_rj.row(row) = K.row(row).transpose().cross(r_j).transpose();
    Mat3 ri_K_rj, ri_K;
    for (int col = 0; col < 3; ++col) {
        ri_K_rj.col(col) = r_i.cross(K_rj.col(col));
        ri_K.col(col) = r_i.cross(K.col(col));
    }
    D.topLeftCorner<3, 3>() -= sign * ri_K_rj;
    D.topLeftCorner<3, 3>().diagonal().array() += sign * body.inv_mass;
    D.topRightCorner<3, 3>() -= (sign * l_j) * ri_K;
    D.bottomLeftCorner<3, 3>() += (sign * l_i) * K_rj;
    D.bottomRightCorner<3, 3>() += (sign * l_i * l_j) * K;
}

void add_shared_block(const LinkSystem& system, int block_id, bool i_is_a, bool j_is_a,
                      const Link& i, const Link& j, Mat6& D) {
    const InertiaBlock& block = block_of(system, block_id);
    const double sign = i_is_a == j_is_a ? 1.0 : -1.0;
    if (block.free_body) {
        const auto add = block.isotropic ? add_isotropic_block : add_free_body_block;
        add(block, sign, i_is_a ? i.r_a : i.r_b, i.length, j_is_a ? j.r_a : j.r_b, j.length, D);
        return;
    }
    const GeneralSide& side_i = i_is_a ? i.general_a : i.general_b;
    const GeneralSide& side_j = j_is_a ? j.general_a : j.general_b;
    const double* Z_i = system.pool.data() + side_i.Z;
    const double* Z_j = system.pool.data() + side_j.Z;
    constexpr std::size_t kChunk = 32;  // columns at a time: most robots have no more velocities
    std::array<const double*, kChunk> z_i, z_j;
    SharedColumns shared(system, side_i, side_j);
    std::size_t count = kChunk;
    while (count == kChunk) {
        for (count = 0; count < kChunk && shared.next(); ++count) {
            z_i[count] = Z_i + 6 * shared.i;
            z_j[count] = Z_j + 6 * shared.j;
        }
        for (int k = 0; k < 6; ++k) {
            Vec6 column = Vec6::Zero();
            for (std::size_t c = 0; c < count; ++c)
                column += z_j[c][k] * Eigen::Map<const Vec6>(z_i[c]);
            D.col(k) += sign * column;
        }
    }
}

// M from the upper parts of its columns.
void apply_general_inertia(const LinkSystem& system, const InertiaBlock& block, const VecX& v,
                           VecX& out) {
    const Ways ways = ways_of(system, block);
    auto p = out.segment(block.offset, block.size);
    const auto x = v.segment(block.offset, block.size);
    p.setZero();
    for (int k = 0; k < block.size; ++k) {
        const double* M = system.pool.data() + block.pool_M + ways.start(k);
        const int* way = ways.way(k);
        const int last = ways.count(k) - 1;
        for (int d = 0; d < last; ++d) {
            p[way[d]] += M[d] * x[k];
            p[k] += M[d] * x[way[d]];
        }
        p[k] += M[last] * x[k];
    }
}

}  // namespace

Vec6 general_side_velocity(const LinkSystem& system, const InertiaBlock& block,
                           const GeneralSide& side, const VecX& v) {
    const auto X = six_rows(system, side.X, side.count);
    const int* column = system.columns.data() + side.columns;
    Vec6 u = Vec6::Zero();
    for (int c = 0; c < side.count; ++c) u += v[block.offset + column[c]] * X.col(c);
    return u;
}

void add_general_side_impulse(const LinkSystem& system, const InertiaBlock& block,
                              const GeneralSide& side, double sign, const Vec6& F, VecX& p) {
    const auto X = six_rows(system, side.X, side.count);
    const int* column = system.columns.data() + side.columns;
    for (int c = 0; c < side.count; ++c) p[block.offset + column[c]] += sign * X.col(c).dot(F);
}

// Z R' = X: from the last velocity on, each takes its part from those before it.
void set_root_response(LinkSystem& system, const InertiaBlock& block, const GeneralSide& side) {
    const Ways ways = ways_of(system, block);
    const int* column = system.columns.data() + side.columns;
    double* Z = system.pool.data() + side.Z;
    std::copy_n(system.pool.data() + side.X, 6 * side.count, Z);
    for (int k = side.count - 1; k >= 0; --k) {
        const double* R = system.pool.data() + block.pool_root + ways.start(column[k]);
        const int* way = ways.way(column[k]);
        int d = ways.count(column[k]) - 1;
        const Vec6 z = R[d] * Eigen::Map<const Vec6>(Z + 6 * k);
        Eigen::Map<Vec6>{Z + 6 * k} = z;
        for (int j = k - 1; --d >= 0; --j) {
            while (column[j] != way[d]) --j;
            Eigen::Map<Vec6>{Z + 6 * j} -= R[d] * z;
        }
    }
}

void refresh_responses(LinkSystem& system) {
    for (const Link& link : system.links) {
        const auto refresh = [&](int id, const GeneralSide& side) {
            if (id == kNone || system.blocks[at(id)].free_body) return;
            set_root_response(system, system.blocks[at(id)], side);
        };
        refresh(link.a, link.general_a);
        refresh(link.b, link.general_b);
    }
}

void apply_general_inverse(const LinkSystem& system, const InertiaBlock& block, const VecX& p,
                           VecX& out) {
    double* x = out.data() + block.offset;
    std::copy_n(p.data() + block.offset, block.size, x);
    const Ways ways = ways_of(system, block);
    const double* const R = system.pool.data() + block.pool_root;
    solve_root(ways, R, x);
    solve_root_transposed(ways, R, x);
}

void apply_inertia(const LinkSystem& system, const InertiaBlock& block, const VecX& v, VecX& out) {
    if (!block.free_body) {
        apply_general_inertia(system, block, v, out);
        return;
    }
    const Vec3 spin = v.segment<3>(block.offset + 3);
    out.segment<3>(block.offset) = block.mass * v.segment<3>(block.offset);
    out.segment<3>(block.offset + 3).noalias() = block.inertia * spin;
}

Mat6 delassus_block(const LinkSystem& system, const Link& i, const Link& j) {
    Mat6 D = Mat6::Zero();
    if (i.a != kNone && i.a == j.a) add_shared_block(system, i.a, true, true, i, j, D);
    if (i.a != kNone && i.a == j.b) add_shared_block(system, i.a, true, false, i, j, D);
    if (i.b != kNone && i.b == j.a) add_shared_block(system, i.b, false, true, i, j, D);
    if (i.b != kNone && i.b == j.b) add_shared_block(system, i.b, false, false, i, j, D);
    return D;
}

MatX link_jacobian(const LinkSystem& system, const Link& link, bool side_a) {
    const InertiaBlock& block = block_of(system, side_a ? link.a : link.b);
    if (!block.free_body) {
        const GeneralSide& side = side_a ? link.general_a : link.general_b;
        MatX X = MatX::Zero(6, block.size);
        for (int c = 0; c < side.count; ++c)
            X.col(system.columns[at(side.columns + c)]) +=
                six_rows(system, side.X, side.count).col(c);
        return X;
    }
    Mat6 X = Mat6::Identity();
    X.topRightCorner<3, 3>() = -skew(side_a ? link.r_a : link.r_b);
    X.bottomRightCorner<3, 3>() *= link.length;
    return X;
}

MatX dense_inertia(const LinkSystem& system, const InertiaBlock& block) {
    if (!block.free_body)
        return to_dense(ways_of(system, block), system.pool.data() + block.pool_M);
    Mat6 M = Mat6::Zero();
    M.topLeftCorner<3, 3>() = block.mass * Mat3::Identity();
    M.bottomRightCorner<3, 3>() = block.inertia;
    return M;
}

}  // namespace stiction
