// link_system.h - block-diagonal inertia and the links that couple its blocks.
//
// Everything that acts between two bodies (contacts, joints, limits, motors) acts through the
// relative motion of the pair, six numbers taken at a reference point p:
//
//   u = X_a v_a - X_b v_b + u0
//   u = (relative velocity of the points at p, length * relative spin)
//
// A link is such a pair. A constraint row is a 6-vector g with row velocity g . u, so its Jacobian
// is (g' X_a, -g' X_b), whatever the size of the blocks. `length` makes all six numbers velocities
// [m/s]. For a free body
//
//   v = (v_com, w),   X = [I, -[r]x; 0, length I],   r = p - x_com
//
// Blocks of other sizes carry matrices in a pool; their X has columns only for the velocities that
// move the body. u0 is what bodies with prescribed motion add.
#pragma once

#include <vector>

#include "core/types.h"
#include "core/ways.h"

namespace stiction {

struct InertiaBlock {
    int offset = 0;  // of its velocities in v
    int size = 6;
    bool free_body = true;            // M = diag(mass I, I_W)
    bool isotropic = false;           // free body whose I_W is a multiple of the identity
    double mass = 0;                  // [kg]
    double inv_mass = 0;              // [1/kg]
    Mat3 inertia = Mat3::Zero();      // I_W, world axes [kg m^2]
    Mat3 inv_inertia = Mat3::Zero();  // [1/(kg m^2)]
    // Otherwise a tree, with matrices as in core/ways.h:
    int ways = 0;       // where its ways start in `columns`
    int pool_M = 0;     // where M starts in the pool
    int pool_root = 0;  // and its factor R
};

// A link's side on a block that is not a free body. X has columns for some velocities only: for
// those that move the body, with each its whole way. So Z = X R'^-1 has no others.
struct GeneralSide {
    int columns = 0;  // where the list of these velocities starts, which ascend
    int count = 0;
    int X = 0;  // where X (6 x count, column-major) starts in the pool
    int Z = 0;  // where Z starts, which set_root_response() fills
};

struct Link {
    int a = kNone;  // blocks; kNone: not an unknown
    int b = kNone;
    double length = 1;  // [m]
    Vec3 r_a =
        Vec3::Zero();  // from the centre of mass of a (b) to the reference point, free bodies [m]
    Vec3 r_b = Vec3::Zero();
    GeneralSide general_a;  // other blocks
    GeneralSide general_b;
    Vec6 u0 = Vec6::Zero();  // relative velocity due to prescribed motion [m/s]
};

struct LinkSystem {
    std::vector<InertiaBlock> blocks;
    std::vector<Link> links;
    std::vector<double> pool;  // matrices of blocks that are not free bodies
    std::vector<int> columns;  // their ways and their links' columns, counted from the block's
                               // first velocity
    int nv = 0;
};

[[nodiscard]] inline Ways ways_of(const LinkSystem& system, const InertiaBlock& block) {
    return {system.columns.data() + block.ways, block.size};
}

// The operations of link_motion.h for blocks that are not free bodies; use those.
[[nodiscard]] Vec6 general_side_velocity(const LinkSystem& system, const InertiaBlock& block,
                                         const GeneralSide& side, const VecX& v);
void add_general_side_impulse(const LinkSystem& system, const InertiaBlock& block,
                              const GeneralSide& side, double sign, const Vec6& F, VecX& p);
void apply_general_inverse(const LinkSystem& system, const InertiaBlock& block, const VecX& p,
                           VecX& out);

// Z of a side whose X is in place: X_i M^-1 X_j' = Z_i Z_j'.
void set_root_response(LinkSystem& system, const InertiaBlock& block, const GeneralSide& side);

// The same of all sides, after the inertia of their blocks or their X has changed.
void refresh_responses(LinkSystem& system);

// Goes over the velocities that two sides on one block share: i and j are their columns' places.
struct SharedColumns {
    SharedColumns(const LinkSystem& system, const GeneralSide& side_i, const GeneralSide& side_j)
        : columns_i(system.columns.data() + side_i.columns),
          columns_j(system.columns.data() + side_j.columns),
          end_i(side_i.count),
          end_j(side_j.count) {}

    bool next() {
        ++i, ++j;
        while (i < end_i && j < end_j) {
            if (columns_i[i] == columns_j[j]) return true;
            ++(columns_i[i] < columns_j[j] ? i : j);
        }
        return false;
    }

    int i = -1, j = -1;
    const int *columns_i, *columns_j;
    int end_i, end_j;
};

// out = M v for one block's stretch of the vectors.
void apply_inertia(const LinkSystem& system, const InertiaBlock& block, const VecX& v, VecX& out);

[[nodiscard]] inline bool share_block(const Link& i, const Link& j) {
    return (i.a != kNone && (i.a == j.a || i.a == j.b)) ||
           (i.b != kNone && (i.b == j.a || i.b == j.b));
}

// du_i = D_ij F_j: the 6x6 block of the Delassus matrix that couples two links through the blocks
// they share.
[[nodiscard]] Mat6 delassus_block(const LinkSystem& system, const Link& i, const Link& j);

// X of one side of a link, 6 x size, without sign (tests, dense views and blocks that are not free
// bodies).
[[nodiscard]] MatX link_jacobian(const LinkSystem& system, const Link& link, bool side_a);

// M or its inverse of one block, dense (tests and dense views).
[[nodiscard]] MatX dense_inertia(const LinkSystem& system, const InertiaBlock& block);

}  // namespace stiction
