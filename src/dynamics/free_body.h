// free_body.h - inertia of free bodies in world axes, and the gyroscopic torque taken so that
// nothing is gained.
//
// Torque-free rotation keeps the angular momentum L = I(q) w in world axes. Over one step the body
// turns by h w_mid with
//
//   w_mid = I_B^-1 (L_B + exp(-h w_mid) L_B) / 2        (body axes; L_B the momentum at the start)
//
// a rotation about w_mid, so w_mid . (L_B+ - L_B) = 0 and the energy 1/2 L_B' I_B^-1 L_B stays as
// it is; L stays by construction, because the velocity after the step is I(q+)^-1 L (integrate.h).
// The gyroscopic torque of the step is what takes w to w_mid: I (w_mid - w) / h. To first order in
// h it is -w x I w.
#pragma once

#include "model/model.h"
#include "model/state.h"
#include "problem/link_system.h"

namespace stiction {

// I_W and its inverse at orientation q.
void world_inertia(const Body& body, const Quat& q, Mat3& inertia, Mat3& inverse);

// Torque [N m], world axes; exactly zero for an isotropic body and for one that does not turn.
[[nodiscard]] Vec3 gyroscopic_torque(const Body& body, const Quat& q, const Vec3& w, double h);

// Rotation by the rotation vector r (world axes): exp(r) q.
[[nodiscard]] Quat rotated(const Quat& q, const Vec3& r);

}  // namespace stiction
