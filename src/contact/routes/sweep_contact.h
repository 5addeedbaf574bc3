// sweep_contact.h - what a visit of one contact reads.
#pragma once

#include "core/types.h"

namespace stiction {

// Four cache lines.
struct alignas(64) SweepContact {
    Vec3 n, s, t;          // rows of D
    Vec3 p_a, p_b;         // from the centres of mass
    Vec3 offset;           // of u
    Vec3 W_n;              // first row of W
    Vec3 inverse, across;  // W^-1: its diagonal and entries 12, 13, 23; not a number: near-singular
    double inv_mass_a, inv_mass_b;        // 0: prescribed
    double inv_inertia_a, inv_inertia_b;  // < 0: see SweepWorkspace::inv_inertia
    double mu;
};
static_assert(sizeof(SweepContact) == 4 * 64);

}  // namespace stiction
