// free_body.h - inertia of free bodies in world axes, and rotation without torque, which keeps
// energy and angular momentum whatever the moments of inertia and the spin.
//
// In principal axes, with w at the start of a step, w+ at its end and their mean m = (w + w+)/2,
//
//   m_1 = w_1 - k h/2 a_1 m_2 m_3,   a_1 = (I_3 - I_2) / I_1,   and so on in turn
//   q+  = q cay(k h m),              cay(c) the rotation about c by 2 atan(|c|/2)
//
// For k = 1 it is the implicit midpoint rule of Euler's equations. For any k the energy stays,
// because sum I_i m_i (w+_i - w_i) = -k h m_1 m_2 m_3 sum I_i a_i = 0, and so does the angular
// momentum in world axes, because I (w+ - w) = -k h m x I m is what cay(k h m) turns I w by. With
// k = tan(x)/x, x = h |m|/2, the body turns by h |m|, so that a steady spin has no error of phase.
//
// |a| <= 1 (moments of inertia keep the triangle inequality), so Newton's method on these three
// equations knows nothing of the ratio of the moments and converges for h |w| <= 1; longer steps
// are cut.
#pragma once

#include "model/model.h"
#include "model/state.h"
#include "problem/link_system.h"

namespace stiction {

// I_W and its inverse at orientation q.
void world_inertia(const Body& body, const Quat& q, Mat3& inertia, Mat3& inverse);

// A step of rotation without torque, in the principal axes that the body has at its start.
struct FreeTurn {
    Vec3 start = Vec3::Zero();     // spin at the start [rad/s]
    Vec3 mean = Vec3::Zero();      // mean over the step, in the axes of the start
    Vec3 end = Vec3::Zero();       // at the end, in the axes of the end
    Quat turn = Quat::Identity();  // q_P+ = q_P turn
    int parts = 1;                 // the step was cut into
    bool resolved = true;  // false: too fast to follow; energy and momentum are kept all the same
};
[[nodiscard]] FreeTurn free_turn(const Body& body, const Vec3& spin, double h);

// The torque that takes the spin to its mean over the step, I (m - w) / h, in world axes [N m]: to
// first order in h half of -w x I w.
[[nodiscard]] Vec3 gyroscopic_torque(const Body& body, const Quat& q, const FreeTurn& turn,
                                     double h);

// Rotation by the rotation vector r (world axes): exp(r) q.
[[nodiscard]] Quat rotated(const Quat& q, const Vec3& r);

}  // namespace stiction
