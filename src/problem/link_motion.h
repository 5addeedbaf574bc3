// link_motion.h - what links and inertia blocks do to vectors: the innermost operations of every
// solver, inline. Apart from link_system.h, which many more files include.
#pragma once

#include "core/types.h"
#include "problem/link_system.h"

namespace stiction {

// u of a link at velocities v, u0 included.
[[nodiscard]] inline Vec6 link_velocity(const LinkSystem& system, const Link& link, const VecX& v) {
    Vec6 u = link.u0;
    const auto add = [&](int id, const Vec3& r, const GeneralSide& side, double sign) {
        const InertiaBlock& block = system.blocks[at(id)];
        if (!block.free_body) {
            u += sign * general_side_velocity(system, block, side, v);
            return;
        }
        const Vec3 w = v.segment<3>(block.offset + 3);
        u.head<3>() += sign * (v.segment<3>(block.offset) + w.cross(r));
        u.tail<3>() += (sign * link.length) * w;
    };
    if (link.a != kNone) add(link.a, link.r_a, link.general_a, 1.0);
    if (link.b != kNone) add(link.b, link.r_b, link.general_b, -1.0);
    return u;
}

// p += X' F: adds what the link impulse F does to the generalized momentum of its two blocks.
inline void add_link_impulse(const LinkSystem& system, const Link& link, const Vec6& F, VecX& p) {
    const auto add = [&](int id, const Vec3& r, const GeneralSide& side, double sign) {
        const InertiaBlock& block = system.blocks[at(id)];
        if (!block.free_body) {
            add_general_side_impulse(system, block, side, sign, F, p);
            return;
        }
        const Vec3 force = sign * F.head<3>();
        p.segment<3>(block.offset) += force;
        p.segment<3>(block.offset + 3) += r.cross(force) + (sign * link.length) * F.tail<3>();
    };
    if (link.a != kNone) add(link.a, link.r_a, link.general_a, 1.0);
    if (link.b != kNone) add(link.b, link.r_b, link.general_b, -1.0);
}

// out = M^-1 p for one block's stretch of the vectors.
inline void apply_inverse_inertia(const LinkSystem& system, const InertiaBlock& block,
                                  const VecX& p, VecX& out) {
    if (!block.free_body) {
        apply_general_inverse(system, block, p, out);
        return;
    }
    const Vec3 angular = p.segment<3>(block.offset + 3);
    out.segment<3>(block.offset) = block.inv_mass * p.segment<3>(block.offset);
    out.segment<3>(block.offset + 3).noalias() = block.inv_inertia * angular;
}

}  // namespace stiction
