// whiten.cpp - closed forms for free bodies; blocks of other sizes go through their dense matrices.
#include "contact/island/whiten.h"

#include <Eigen/Cholesky>
#include <cmath>

namespace stiction {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// x <- sign L^-1 X' g of one side, added to y.
void add_side(const LinkSystem& system, const Link& link, bool side_a, const Vec6& g, int offset,
              Eigen::Ref<VecX> y) {
    const InertiaBlock& block = system.blocks[at(side_a ? link.a : link.b)];
    const double sign = side_a ? 1.0 : -1.0;
    if (!block.free_body) {
        VecX x = sign * (link_jacobian(system, link, side_a).transpose() * g);
        dense_inertia(system, block).llt().matrixL().solveInPlace(x);
        y.segment(offset, block.size) += x;
        return;
    }
    const Vec3 force = sign * g.head<3>();
    Vec3 torque = (side_a ? link.r_a : link.r_b).cross(force) + (sign * link.length) * g.tail<3>();
    block.inertia.llt().matrixL().solveInPlace(torque);
    y.segment<3>(offset) += force / std::sqrt(block.mass);
    y.segment<3>(offset + 3) += torque;
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
    if (link.a != kNone) add_side(system, link, true, g, local[at(link.a)], y);
    if (link.b != kNone) add_side(system, link, false, g, local[at(link.b)], y);
}

void whiten_velocity(const LinkSystem& system, std::span<const int> blocks,
                     std::span<const int> local, const VecX& v, VecX& nu) {
    for (const int b : blocks) {
        const InertiaBlock& block = system.blocks[at(b)];
        if (!block.free_body) {
            nu.segment(local[at(b)], block.size) =
                dense_inertia(system, block).llt().matrixU() * v.segment(block.offset, block.size);
            continue;
        }
        const Vec3 spin = v.segment<3>(block.offset + 3);
        nu.segment<3>(local[at(b)]) = std::sqrt(block.mass) * v.segment<3>(block.offset);
        nu.segment<3>(local[at(b)] + 3) = block.inertia.llt().matrixU() * spin;
    }
}

void unwhiten_velocity(const LinkSystem& system, std::span<const int> blocks,
                       std::span<const int> local, const VecX& nu, VecX& v) {
    for (const int b : blocks) {
        const InertiaBlock& block = system.blocks[at(b)];
        if (!block.free_body) {
            v.segment(block.offset, block.size) = dense_inertia(system, block)
                                                      .llt()
                                                      .matrixU()
                                                      .solve(nu.segment(local[at(b)], block.size));
            continue;
        }
        Vec3 spin = nu.segment<3>(local[at(b)] + 3);
        block.inertia.llt().matrixU().solveInPlace(spin);
        v.segment<3>(block.offset) = nu.segment<3>(local[at(b)]) / std::sqrt(block.mass);
        v.segment<3>(block.offset + 3) = spin;
    }
}

}  // namespace stiction
