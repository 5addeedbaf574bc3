// friction_law.h - the laws that a 3x3 block may obey (normal, tangent 1, tangent 2; or three rows
// between bounds), and one contact under the friction polygon of coulomb_lcp. u = W r + q, W 3x3.
//
// A law is a closed convex set K of impulses and a velocity d(u), and asks for
//   r in K,   (x - r) . d >= 0 for every x in K,
// which holds exactly where r = P(r - d), P the projection on K.
//   cone      |r_T| <= mu r_N           d = u + (mu |u_T|, 0, 0)
//   relaxed   |r_T| <= mu r_N           d = u
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

// d(u) of the polygon.
[[nodiscard]] Vec3 polygon_dual(double mu, const FrictionDirections& directions, const Vec3& u);

// Each law has d(u) as dual(u), and as project(weight, x) the nearest point to x of K scaled by
// weight: cones do not notice it.
struct ConeLaw {
    double mu;
    [[nodiscard]] Vec3 dual(const Vec3& u) const {
        return {u[0] + mu * std::sqrt(u[1] * u[1] + u[2] * u[2]), u[1], u[2]};
    }
    [[nodiscard]] Vec3 project(double, const Vec3& x) const { return project_on_cone(mu, x); }
};

struct RelaxedLaw {
    double mu;
    [[nodiscard]] const Vec3& dual(const Vec3& u) const { return u; }
    [[nodiscard]] Vec3 project(double, const Vec3& x) const { return project_on_cone(mu, x); }
};

struct PolygonLaw {
    double mu;
    const FrictionDirections& directions;
    [[nodiscard]] Vec3 dual(const Vec3& u) const { return polygon_dual(mu, directions, u); }
    [[nodiscard]] Vec3 project(double, const Vec3& x) const {
        return project_on_polygon(mu, directions, x);
    }
};

struct BoundsLaw {
    Vec3 lo, hi;
    [[nodiscard]] const Vec3& dual(const Vec3& u) const { return u; }
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
