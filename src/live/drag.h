// drag.h - the spring by which the mouse pulls a body. Its force is taken at the start of a step:
//
//   F = M_p (w^2 (target - p) - 2 w v_p),    M_p^-1 = 1/m - [r]x I^-1 [r]x
//
// p is the held point, v_p its velocity, r its arm from the centre of mass, M_p the inertia that
// the point has against a push. So the point moves as one of mass 1 on a critically damped spring,
// whatever the body's mass, shape and held point; w is limited by the step size: with w h <= 0.4
// the explicit force is stable (the limit is 0.83).
#pragma once

#include <optional>

#include "control/controls.h"
#include "core/types.h"
#include "model/model.h"
#include "model/state.h"

namespace stiction {

// A spring from a point of a body to a point in the world.
struct Drag {
    int body = kNone;
    Vec3 point_B = Vec3::Zero();  // body frame [m]
    Vec3 target = Vec3::Zero();   // world [m]
    double strength = 1;          // multiplies a stiffness that suits the body's mass and the step

    bool operator==(const Drag&) const = default;
};

// Throws InputError unless the body is a dynamic one and the numbers are finite.
void check_drag(const Model& model, const Drag& drag);

// The spring's force for a step of size h from `state`.
[[nodiscard]] BodyForce drag_force(const Model& model, const State& state, double h,
                                   const Drag& drag);

}  // namespace stiction
