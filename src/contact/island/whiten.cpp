// whiten.cpp - closed forms for free bodies, the stored factor of trees.
#include "contact/island/whiten.h"

#include <Eigen/Cholesky>
#include <cmath>

namespace stiction {

namespace {

// y += sign L^-1 X' g of one side, y the stretch of its block. Of a tree L^-1 X' = Z'.
void add_side(const LinkSystem& system, const Link& link, bool side_a, const Vec6& g, double* y) {
    const InertiaBlock& block = system.blocks[at(side_a ? link.a : link.b)];
    const double sign = side_a ? 1.0 : -1.0;
    if (!block.free_body) {
        const GeneralSide& side = side_a ? link.general_a : link.general_b;
        const int* column = system.columns.data() + side.columns;
        const double* Z = system.pool.data() + side.Z;
        for (int c = 0; c < side.count; ++c, Z += 6)
            y[column[c]] += sign * Eigen::Map<const Vec6>(Z).dot(g);
        return;
    }
    const Vec3 force = sign * g.head<3>();
    Vec3 torque = (side_a ? link.r_a : link.r_b).cross(force) + (sign * link.length) * g.tail<3>();
    block.inertia.llt().matrixL().solveInPlace(torque);
    Eigen::Map<Vec3>{y} += force / std::sqrt(block.mass);
    Eigen::Map<Vec3>{y + 3} += torque;
}

}  // namespace

int number_velocities(const LinkSystem& system, std::span<const int> blocks,
                      std::vector<int>& local) {
    local.resize(system.blocks.size());
    int count = 0;
    for (const int b : blocks) {
        local[at(b)] = count;
        count += system.blocks[at(b)].size;
    }
    return count;
}

void add_whitened_row(const LinkSystem& system, const Link& link, const Vec6& g,
                      std::span<const int> local, Eigen::Ref<VecX> y) {
    if (link.a != kNone) add_side(system, link, true, g, y.data() + local[at(link.a)]);
    if (link.b != kNone) add_side(system, link, false, g, y.data() + local[at(link.b)]);
}

void whiten_rows(const LinkSystem& system, const IslandRows& rows, std::vector<int>& local,
                 MatX& Y) {
    const int velocities = number_velocities(system, rows.blocks, local);
    Eigen::Index soft = 0;
    for (const Row& row : rows.rows) soft += row.compliance > 0 ? 1 : 0;
    Y.setZero(velocities + soft, static_cast<Eigen::Index>(rows.rows.size()));
    Eigen::Index place = velocities;
    for (std::size_t l = 0; l < rows.links.size(); ++l) {
        const Link& link = system.links[at(rows.links[l])];
        for (int r = rows.begin[l]; r < rows.begin[l + 1]; ++r) {
            const double compliance = rows.rows[at(r)].compliance;
            add_whitened_row(system, link, rows.rows[at(r)].g, local, Y.col(r));
            if (compliance > 0) Y(place++, r) = std::sqrt(compliance);
        }
    }
}

void add_whitened_velocity(const LinkSystem& system, std::span<const int> blocks,
                           std::span<const int> local, const VecX& nu, const VecX& v_from,
                           VecX& v) {
    for (const int b : blocks) {
        const InertiaBlock& block = system.blocks[at(b)];
        auto v_b = v.segment(block.offset, block.size);
        if (block.free_body) {
            Vec3 spin = nu.segment<3>(local[at(b)] + 3);
            block.inertia.llt().matrixU().solveInPlace(spin);
            v_b.head<3>() = nu.segment<3>(local[at(b)]) / std::sqrt(block.mass);
            v_b.tail<3>() = spin;
        } else {
            v_b = nu.segment(local[at(b)], block.size);
            solve_root_transposed(ways_of(system, block), system.pool.data() + block.pool_root,
                                  v_b.data());
        }
        v_b += v_from.segment(block.offset, block.size);
    }
}

}  // namespace stiction
