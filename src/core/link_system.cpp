// link_system.cpp - products with the inertia blocks and the links; closed forms where both are
// free bodies.
#include "core/link_system.h"

namespace stiction {

namespace {

using ConstMap = Eigen::Map<const MatX>;

ConstMap pool_matrix(const LinkSystem& system, int start, int rows, int cols) {
    return {system.pool.data() + start, rows, cols};
}

const InertiaBlock& block_of(const LinkSystem& system, int block) {
    return system.blocks[static_cast<std::size_t>(block)];
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
    const auto X_i = pool_matrix(system, i_is_a ? i.pool_X_a : i.pool_X_b, 6, block.size);
    const auto X_j = pool_matrix(system, j_is_a ? j.pool_X_a : j.pool_X_b, 6, block.size);
    const auto inverse = pool_matrix(system, block.pool_inverse, block.size, block.size);
    for (int col = 0; col < 6;
         ++col) {  // one column at a time: no temporary of the block's size squared
        for (int k = 0; k < block.size; ++k) {
            D.col(col).noalias() += (sign * inverse.row(k).dot(X_j.row(col))) * X_i.col(k);
        }
    }
}

}  // namespace

Vec6 general_side_velocity(const LinkSystem& system, const InertiaBlock& block, int pool_X,
                           const VecX& v) {
    return pool_matrix(system, pool_X, 6, block.size) * v.segment(block.offset, block.size);
}

void add_general_side_impulse(const LinkSystem& system, const InertiaBlock& block, int pool_X,
                              double sign, const Vec6& F, VecX& p) {
    p.segment(block.offset, block.size).noalias() +=
        sign * (pool_matrix(system, pool_X, 6, block.size).transpose() * F);
}

void apply_general_inverse(const LinkSystem& system, const InertiaBlock& block, const VecX& p,
                           VecX& out) {
    out.segment(block.offset, block.size).noalias() =
        pool_matrix(system, block.pool_inverse, block.size, block.size) *
        p.segment(block.offset, block.size);
}

void apply_inertia(const LinkSystem& system, const InertiaBlock& block, const VecX& v, VecX& out) {
    if (!block.free_body) {
        out.segment(block.offset, block.size).noalias() =
            pool_matrix(system, block.pool_M, block.size, block.size) *
            v.segment(block.offset, block.size);
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
    if (!block.free_body)
        return pool_matrix(system, side_a ? link.pool_X_a : link.pool_X_b, 6, block.size);
    Mat6 X = Mat6::Identity();
    X.topRightCorner<3, 3>() = -skew(side_a ? link.r_a : link.r_b);
    X.bottomRightCorner<3, 3>() *= link.length;
    return X;
}

MatX dense_inertia(const LinkSystem& system, const InertiaBlock& block) {
    if (!block.free_body) return pool_matrix(system, block.pool_M, block.size, block.size);
    Mat6 M = Mat6::Zero();
    M.topLeftCorner<3, 3>() = block.mass * Mat3::Identity();
    M.bottomRightCorner<3, 3>() = block.inertia;
    return M;
}

}  // namespace stiction
