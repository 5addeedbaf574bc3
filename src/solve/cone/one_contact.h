// one_contact.h - the Coulomb cone problem of a single contact, solved exactly without iteration
// over states: u = W r + q with the law of cone_problem.h, W 3x3.
//
// q_N >= 0: r = 0. Else r = -W^-1 q if that lies in the cone (sticking). Else the contact slides,
// u_N = 0 and u_T = -lambda r_T with lambda > 0:
//   (W + lambda diag(0, 1, 1)) r = -q,   |r_T| = mu r_N.
// r_N is eliminated; with S = W_TT - W_TN W_NT / W_NN, b = q_T - W_TN q_N / W_NN the rest is
//   (S + lambda I) r_T = -b,   r_N = -(q_N + W_NT r_T) / W_NN,
// one equation g(lambda) = |r_T| - mu r_N = 0. g(0) > 0 (sticking leaves the cone) and
// g(infinity) = mu q_N / W_NN < 0, so a root is bracketed; a safeguarded Newton finds it.
#pragma once

#include "core/types.h"

namespace stiction {

// r of one contact. `lambda` is the guess for a sliding contact, e.g. its last value (<= 0: none),
// and is set to the one found (0 when it does not slide). W is positive definite to rounding, or
// its normal entry is at least positive: a singular tangential part is taken as sliding.
[[nodiscard]] Vec3 solve_one_contact(const Mat3& W, const Vec3& q, double mu, double& lambda);

// r of one contact under the relaxed law, |r_T| <= mu r_N + s (friction_law.h): exact where it sticks,
// or W = diag(a, c, c) as of spheres; else a few steps from `guess`.
[[nodiscard]] Vec3 solve_relaxed_contact(const Mat3& W, const Vec3& q, double mu, double s,
                                         const Vec3& guess);

// r between bounds with u = W r + q: u_i >= 0 at lo_i, <= 0 at hi_i, 0 between. By elimination
// where no bound acts, else by a few Gauss-Seidel passes from `guess`: exact only in the limit. A
// row with W_ii = 0 keeps its guess. `inverse` is bounded_inverse(W): W^-1, or not a number where W
// is singular.
[[nodiscard]] Vec3 solve_bounded_rows(const Mat3& W, const Mat3& inverse, const Vec3& q,
                                      const Vec3& lo, const Vec3& hi, const Vec3& guess);
[[nodiscard]] Mat3 bounded_inverse(const Mat3& W);

}  // namespace stiction
