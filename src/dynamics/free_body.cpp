// free_body.cpp - world inertia, implicit midpoint for torque-free rotation, quaternion
// exponential.
#include "dynamics/free_body.h"

#include <cmath>

namespace stiction {

namespace {

// The contraction rate is about h |w| / 2: 50 rounds reach rounding up to a turn of 1 rad a step.
constexpr int kMaxFixedPointRounds = 50;
constexpr double kFixedPointTolerance = 1e-15;  // of |w|: rounding; what is left is energy gained

// exp(r) as a quaternion.
Quat exponential(const Vec3& r) {
    const double half = 0.5 * r.norm();
    const double sinc = half < 1e-4 ? 1.0 - half * half / 6.0 : std::sin(half) / half;
    const Vec3 v = 0.5 * sinc * r;
    return {std::cos(half), v.x(), v.y(), v.z()};
}

}  // namespace

void world_inertia(const Body& body, const Quat& q, Mat3& inertia, Mat3& inverse) {
    if (body.isotropic) {
        inertia = body.inertia_B;
        inverse = body.inv_inertia_B;
        return;
    }
    const Mat3 R = q.toRotationMatrix();
    inertia.noalias() = R * body.inertia_B * R.transpose();
    inverse.noalias() = R * body.inv_inertia_B * R.transpose();
}

Vec3 gyroscopic_torque(const Body& body, const Quat& q, const Vec3& w, double h) {
    if (body.isotropic || w.isZero(0.0)) return Vec3::Zero();
    const Vec3 w_B = q.conjugate() * w;
    const Vec3 L_B = body.inertia_B * w_B;
    Vec3 w_mid = w_B;
    for (int round = 0; round < kMaxFixedPointRounds; ++round) {
        const Vec3 L_end = exponential(-h * w_mid) * L_B;
        const Vec3 next = 0.5 * (body.inv_inertia_B * (L_B + L_end));
        const double change = (next - w_mid).norm();
        w_mid = next;
        if (change <= kFixedPointTolerance * w_B.norm()) break;
    }
    return q * Vec3(body.inertia_B * (w_mid - w_B) / h);
}

Quat rotated(const Quat& q, const Vec3& r) {
    if (r.isZero(0.0)) return q;
    return (exponential(r) * q).normalized();
}

}  // namespace stiction
