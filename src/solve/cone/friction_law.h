// friction_law.h - one contact under the friction laws other than the exact cone of one_contact.h:
// friction bounded by a box, and the friction polygon of coulomb_lcp. u = W r + q, W 3x3, normal
// first.
//
// A law is a closed convex set K of impulses and a velocity d(u), and asks for
//   r in K,   (x - r) . d >= 0 for every x in K.
//   cone      |r_T| <= mu r_N                     d = u + (mu |u_T|, 0, 0)
//   polygon   r_T in mu r_N conv(d_i)             d = u + (mu max_i(-d_i.u_T), 0, 0)
//   box       r_N >= 0, |r_T1|, |r_T2| <= bound   d = u
// The polygon has `sides` directions d_i at angles 2 pi i / sides, the first along tangent 1. Its
// law is the LCP of Stewart-Trinkle and Anitescu-Potra, with lambda = max_i(-d_i.u_T) and r_T the
// sum of beta_i d_i. Under the box law friction acts whether or not the contact presses.
#pragma once

#include <vector>

#include "core/types.h"

namespace stiction {

using FrictionDirections = std::vector<Eigen::Vector2d>;

// Exact at multiples of a quarter turn. sides >= 3.
void set_directions(int sides, FrictionDirections& directions);

// d(u) of the polygon law, and the nearest point of its cone to x. O(1) but for the maximum.
[[nodiscard]] Vec3 polygon_dual(double mu, const FrictionDirections& directions, const Vec3& u);
[[nodiscard]] Vec3 project_on_polygon(double mu, const FrictionDirections& directions,
                                      const Vec3& x);
[[nodiscard]] Vec3 project_on_box(double bound, const Vec3& x);

// r of one contact: every way the law can hold (open; sticking; at a corner or on an edge of the
// polygon; each set of bounds of the box) is tried until one satisfies it to rounding, and the one
// that comes nearest is taken otherwise. W is positive definite to rounding.
[[nodiscard]] Vec3 solve_polygon_contact(const Mat3& W, const Vec3& q, double mu,
                                         const FrictionDirections& directions);
[[nodiscard]] Vec3 solve_box_contact(const Mat3& W, const Vec3& q, double bound);

}  // namespace stiction
