// free_body.cpp - world inertia, rotation without torque, quaternion exponential.
#include "dynamics/free_body.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace stiction {

namespace {

constexpr double kLongestTurn = 1;  // of one part of a step [rad]: Newton's method converges
constexpr int kMostParts = 1000;
constexpr int kNewtonSteps = 6;  // five reach rounding at a turn of 1 rad, one to be sure
// Of |w|: the step after one of this size ends at rounding, because convergence is quadratic.
constexpr double kLastStep = 1e-8;

// exp(r) as a quaternion.
Quat exponential(const Vec3& r) {
    const double half = 0.5 * r.norm();
    const double sinc = half < 1e-4 ? 1.0 - half * half / 6.0 : std::sin(half) / half;
    const Vec3 v = 0.5 * sinc * r;
    return {std::cos(half), v.x(), v.y(), v.z()};
}

// tan(x)/x and its derivative over x as series in x^2, which |x| <= 1/2 needs no more of: any k
// conserves, and the phase is exact to 1e-5 at the longest turn.
struct Stretch {
    double k, rate;
    explicit Stretch(double xx)
        : k(1 + xx * (1.0 / 3 + xx * (2.0 / 15 + xx * (17.0 / 315 + xx * (62.0 / 2835))))),
          rate(2.0 / 3 + xx * (8.0 / 15 + xx * (34.0 / 105 + xx * (496.0 / 2835)))) {}
};

// m_2 m_3 and so on in turn.
Vec3 products(const Vec3& m) { return {m[1] * m[2], m[2] * m[0], m[0] * m[1]}; }

// Newton's method for the mean spin; false: not converged.
bool find_mean(const Vec3& a, const Vec3& w, double h, Vec3& m, double& k) {
    m = w - 0.5 * h * a.cwiseProduct(products(w));
    const double size = w.norm();
    bool last = false;
    for (int i = 0; i < kNewtonSteps; ++i) {
        const Stretch stretch(0.25 * h * h * m.squaredNorm());
        k = stretch.k;
        const Vec3 torque = 0.5 * h * a.cwiseProduct(products(m));
        const double s = 0.5 * h * k;
        Mat3 J;
        J << 1, s * a[0] * m[2], s * a[0] * m[1],  //
            s * a[1] * m[2], 1, s * a[1] * m[0],   //
            s * a[2] * m[1], s * a[2] * m[0], 1;
        J.noalias() += (0.25 * h * h * stretch.rate * torque) * m.transpose();
        const Vec3 change = J.inverse() * (m - w + k * torque);
        m -= change;
        if (last) return true;
        last = change.norm() <= kLastStep * size;
    }
    return false;
}

// Rotation by cay(c).
Quat cayley(const Vec3& c) { return Quat(1, 0.5 * c[0], 0.5 * c[1], 0.5 * c[2]).normalized(); }

// Turns about the angular momentum, with the spin fixed in the body: nothing of the motion between,
// but energy and angular momentum as they were.
FreeTurn unresolved_turn(const Body& body, const Vec3& spin, double h) {
    const Vec3 L = body.moments.cwiseProduct(spin);
    const double rate = spin.dot(L) / L.squaredNorm();
    return {spin, rate * L, spin, exponential(h * rate * L), kMostParts, false};
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

FreeTurn free_turn(const Body& body, const Vec3& spin, double h) {
    FreeTurn result{spin, spin, spin};
    if (spin.isZero(0.0)) return result;
    const double wanted = h * spin.norm() / kLongestTurn;
    if (!(wanted <= kMostParts)) return unresolved_turn(body, spin, h);
    result.parts = std::max(1, static_cast<int>(std::ceil(wanted)));
    const double part = h / result.parts;
    Vec3 sum = Vec3::Zero();
    for (int i = 0; i < result.parts; ++i) {
        Vec3 m;
        double k = 1;
        if (!find_mean(body.coupling, result.end, part, m, k))
            return unresolved_turn(body, spin, h);
        sum += result.turn * m;
        result.end = 2 * m - result.end;
        const Quat turn = cayley(part * k * m);
        result.turn = i == 0 ? turn : (result.turn * turn).normalized();
    }
    result.mean = sum / result.parts;
    return result;
}

Vec3 gyroscopic_torque(const Body& body, const Quat& q, const FreeTurn& turn, double h) {
    const Vec3 change = body.moments.cwiseProduct(turn.mean - turn.start);
    return q * (body.q_BP * Vec3(change / h));
}

Quat rotated(const Quat& q, const Vec3& r) {
    if (r.isZero(0.0)) return q;
    return (exponential(r) * q).normalized();
}

}  // namespace stiction
