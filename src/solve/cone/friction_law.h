// friction_law.h - the laws that a 3x3 block may obey (normal, tangent 1, tangent 2; or three rows
// between bounds), and one contact under the friction polygon of coulomb_lcp. u = W r + q, W 3x3.
//
// A law is a closed convex set K of impulses and a velocity d(u), and asks for
//   r in K,   (x - r) . d >= 0 for every x in K,
// which holds exactly where r = P(r - d), P the projection on K.
//   cone      |r_T| <= mu r_N           d = u + (mu |u_T|, 0, 0)
//   relaxed   |r_T| <= mu r_N (+ s)     d = u
//   polygon   r_T in mu r_N conv(d_i)   d = u + (mu max_i(-d_i.u_T), 0, 0)
//   bounds    lo <= r <= hi             d = u
// The polygon has `sides` directions d_i at angles 2 pi i / sides, the first along tangent 1. Its
// law is the LCP of Stewart-Trinkle and Anitescu-Potra, with lambda = max_i(-d_i.u_T) and r_T the
// sum of beta_i d_i.
#pragma once

#include <cmath>
#include <vector>

#include "core/types.h"

namespace stiction {

using FrictionDirections = std::vector<Eigen::Vector2d>;

// Exact at multiples of a quarter turn. sides >= 3.
void set_directions(int sides, FrictionDirections& directions);

// Nearest point to x of the cone and of the polygon's cone.
[[nodiscard]] inline Vec3 project_on_cone(double mu, const Vec3& x) {
    const double t = std::sqrt(x[1] * x[1] + x[2] * x[2]);
    if (mu * t <= -x[0]) return Vec3::Zero();
    if (t <= mu * x[0]) return x;
    const double s = (x[0] + mu * t) / (1 + mu * mu);
    return {s, mu * s * x[1] / t, mu * s * x[2] / t};
}
[[nodiscard]] Vec3 project_on_polygon(double mu, const FrictionDirections& directions,
                                      const Vec3& x);

// The same for the cone |x_T| <= mu x_N + s, x_N >= 0, and its derivative.
[[nodiscard]] Vec3 project_on_offset_cone(double mu, double s, const Vec3& x);
bool offset_cone_derivative(double mu, double s, const Vec3& x, Mat3& P);

// Derivatives of the first two at x, into P; false where it is zero, the apex being nearest.
bool cone_derivative(double mu, const Vec3& x, Mat3& P);
bool polygon_derivative(double mu, const FrictionDirections& directions, const Vec3& x, Mat3& P);

// Normal and tangential part one after the other (see `answer` below), and the derivatives.
[[nodiscard]] Vec3 cone_answer(double mu, const Vec3& z);
bool cone_answer_derivative(double mu, const Vec3& z, Mat3& P);
[[nodiscard]] Vec3 polygon_answer(double mu, const FrictionDirections& directions, const Vec3& z);
bool polygon_answer_derivative(double mu, const FrictionDirections& directions, const Vec3& z,
                               Mat3& P);

// d_N - u_N of the polygon, and how it changes with u_T.
[[nodiscard]] double polygon_shift(double mu, const FrictionDirections& directions, const Vec3& u);
[[nodiscard]] Eigen::Vector2d polygon_slope(double mu, const FrictionDirections& directions,
                                            const Vec3& u);

// Each law has
//   shift(u), dual(u)   d_N - u_N, and d
//   slope(u)            derivative of the shift with respect to u_T; any of them at a kink
//   project(weight, x)  the nearest point to x of K scaled by weight: cones do not notice it
//   derivative(x, P)    that of project(1, x); false where it is zero
//   answer(z)           r with r = P(z + (r - z) o ..) normal and tangential parts one after the
//                       other [Alart-Curnier]: r_N = max(0, z_N), r_T the nearest point to z_T of
//                       what r_N allows. The law holds exactly where r = answer(r - u / D), for any
//                       D > 0, with no shift; but answer is the gradient of nothing.
//   answer_derivative(z, P)  its derivative; false where it is zero
struct ConeLaw {
    double mu;
    [[nodiscard]] double shift(const Vec3& u) const {
        return mu * std::sqrt(u[1] * u[1] + u[2] * u[2]);
    }
    [[nodiscard]] Vec3 dual(const Vec3& u) const { return {u[0] + shift(u), u[1], u[2]}; }
    [[nodiscard]] Eigen::Vector2d slope(const Vec3& u) const {
        const double speed = std::sqrt(u[1] * u[1] + u[2] * u[2]);
        if (speed == 0) return Eigen::Vector2d::Zero();
        return {mu * u[1] / speed, mu * u[2] / speed};
    }
    [[nodiscard]] Vec3 project(double, const Vec3& x) const { return project_on_cone(mu, x); }
    bool derivative(const Vec3& x, Mat3& P) const { return cone_derivative(mu, x, P); }
    [[nodiscard]] Vec3 answer(const Vec3& z) const { return cone_answer(mu, z); }
    bool answer_derivative(const Vec3& z, Mat3& P) const {
        return cone_answer_derivative(mu, z, P);
    }
};

struct RelaxedLaw {
    double mu;
    [[nodiscard]] double shift(const Vec3&) const { return 0; }
    [[nodiscard]] const Vec3& dual(const Vec3& u) const { return u; }
    [[nodiscard]] Eigen::Vector2d slope(const Vec3&) const { return Eigen::Vector2d::Zero(); }
    [[nodiscard]] Vec3 project(double, const Vec3& x) const { return project_on_cone(mu, x); }
    bool derivative(const Vec3& x, Mat3& P) const { return cone_derivative(mu, x, P); }
    [[nodiscard]] Vec3 answer(const Vec3& z) const { return project(1, z); }
    bool answer_derivative(const Vec3& z, Mat3& P) const { return derivative(z, P); }
};

// The relaxed law on a cone with an offset, |r_T| <= mu r_N + s, r_N >= 0.
struct OffsetLaw {
    double mu, s;
    [[nodiscard]] double shift(const Vec3&) const { return 0; }
    [[nodiscard]] const Vec3& dual(const Vec3& u) const { return u; }
    [[nodiscard]] Eigen::Vector2d slope(const Vec3&) const { return Eigen::Vector2d::Zero(); }
    [[nodiscard]] Vec3 project(double weight, const Vec3& x) const {
        return project_on_offset_cone(mu, weight * s, x);
    }
    bool derivative(const Vec3& x, Mat3& P) const { return offset_cone_derivative(mu, s, x, P); }
    [[nodiscard]] Vec3 answer(const Vec3& z) const { return project(1, z); }
    bool answer_derivative(const Vec3& z, Mat3& P) const { return derivative(z, P); }
};

struct PolygonLaw {
    double mu;
    const FrictionDirections& directions;
    [[nodiscard]] double shift(const Vec3& u) const { return polygon_shift(mu, directions, u); }
    [[nodiscard]] Vec3 dual(const Vec3& u) const { return {u[0] + shift(u), u[1], u[2]}; }
    [[nodiscard]] Eigen::Vector2d slope(const Vec3& u) const {
        return polygon_slope(mu, directions, u);
    }
    [[nodiscard]] Vec3 project(double, const Vec3& x) const {
        return project_on_polygon(mu, directions, x);
    }
    bool derivative(const Vec3& x, Mat3& P) const {
        return polygon_derivative(mu, directions, x, P);
    }
    [[nodiscard]] Vec3 answer(const Vec3& z) const { return polygon_answer(mu, directions, z); }
    bool answer_derivative(const Vec3& z, Mat3& P) const {
        return polygon_answer_derivative(mu, directions, z, P);
    }
};

struct BoundsLaw {
    Vec3 lo, hi;
    [[nodiscard]] double shift(const Vec3&) const { return 0; }
    [[nodiscard]] const Vec3& dual(const Vec3& u) const { return u; }
    [[nodiscard]] Eigen::Vector2d slope(const Vec3&) const { return Eigen::Vector2d::Zero(); }
    bool derivative(const Vec3& x, Mat3& P) const {
        P.setZero();
        for (int i = 0; i < 3; ++i) P(i, i) = x[i] > lo[i] && x[i] < hi[i] ? 1.0 : 0.0;
        return P.diagonal().any();
    }
    [[nodiscard]] Vec3 answer(const Vec3& z) const { return project(1, z); }
    bool answer_derivative(const Vec3& z, Mat3& P) const { return derivative(z, P); }
    [[nodiscard]] Vec3 project(double weight, const Vec3& x) const {
        return x.cwiseMax(weight * lo).cwiseMin(weight * hi);
    }
};

// r of one contact under the polygon: every way the law can hold (open; sticking; at a corner or on
// an edge) is tried until one satisfies it to rounding, and the one that comes nearest is taken
// otherwise. W is positive definite to rounding.
[[nodiscard]] Vec3 solve_polygon_contact(const Mat3& W, const Vec3& q, double mu,
                                         const FrictionDirections& directions);

}  // namespace stiction
