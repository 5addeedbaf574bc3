// cone_problem.h - contact with Coulomb friction on the true cone (Signorini-Coulomb problem), and
// what every solver of it takes and gives. Three numbers per contact: normal, tangent 1, tangent 2.
//
//   u = W r + q,   K = { x : |x_T| <= mu x_N },   uhat = u + (mu |u_T|, 0, 0)
//   r in K,  uhat in the dual cone of K,  r . uhat = 0                       (each contact)
//
// The same in words: u_N >= 0, r_N >= 0, u_N r_N = 0, |r_T| <= mu r_N, and where a contact slides
// friction is mu r_N against u_T. Leaving mu |u_T| out gives the convex relaxation, the optimality
// condition of  min 1/2 r'Wr + q'r, r in K.
//
// W is given as sparse blocks here, or implied by the dynamics (implied_cone_problem.h).
#pragma once

#include <cmath>
#include <vector>

#include "core/deadline.h"
#include "core/status.h"
#include "core/types.h"
#include "solve/factor/block_matrix.h"

namespace stiction {

struct ConeProblem {
    BlockMatrix W;  // nc block rows; positive semi-definite to rounding, need not be symmetric
    VecX q;         // 3 nc, velocity without contact impulses
    VecX mu;        // nc, >= 0

    // A block may also hold three rows between bounds (joints, limits, motors) instead of a
    // contact: K is then the box lo <= r <= hi and uhat = u. Bounds may be infinite; its mu is 0.
    // All three are empty where there are contacts only, which is what `newton`, `pgs` and
    // `interior_point` take; `prox_newton` takes both.
    std::vector<char> bounded;  // nc, non-zero for such a block
    VecX lo, hi;                // 3 nc

    [[nodiscard]] int contacts() const { return static_cast<int>(mu.size()); }
    [[nodiscard]] bool is_bounded(int a) const { return !bounded.empty() && bounded[at(a)] != 0; }
};

struct ConeSettings {
    double tolerance = 1e-8;  // on both residuals below
    int max_iterations = 0;   // 0: the solver's own limit
    Deadline deadline = {};   // looked at once per iteration; ends with kBudget
};

// The two measures of an answer, zero exactly at the solutions. P projects on K.
struct ConeResidual {
    double natural = 0;  // |r - P(r - uhat)| / max(1, |q|): mixes impulses and velocities
    double scaled = 0;   // |x - P(x - uhat)| / |q|, x_a = (tr W_aa / 3) r_a: in velocity units;
                         // 0 when q and r are 0
    [[nodiscard]] double worst() const { return natural > scaled ? natural : scaled; }
};

struct ConeResult {
    VecX r;  // 3 nc
    VecX u;  // 3 nc, W r + q
    SolveStatus status = SolveStatus::kSolved;
    int iterations = 0;      // what one is, the solver's header says
    int factorisations = 0;  // of a matrix over all contacts
    ConeResidual residual;   // of the problem as given; NaN if r is not finite
};

// Nearest point of K to x.
[[nodiscard]] inline Vec3 project_on_cone(double mu, const Vec3& x) {
    const double t = std::sqrt(x[1] * x[1] + x[2] * x[2]);
    if (mu * t <= -x[0]) return Vec3::Zero();
    if (t <= mu * x[0]) return x;
    const double s = (x[0] + mu * t) / (1 + mu * mu);
    return {s, mu * s * x[1] / t, mu * s * x[2] / t};
}

// Nearest point to x of K scaled by `weight`: of the cone, or of the box of a block of bounded
// rows.
[[nodiscard]] inline Vec3 project_on_block(const ConeProblem& problem, int a, double weight,
                                           const Vec3& x) {
    if (!problem.is_bounded(a)) return project_on_cone(problem.mu[a], x);
    return x.cwiseMax(weight * problem.lo.segment<3>(3 * a))
        .cwiseMin(weight * problem.hi.segment<3>(3 * a));
}

// Residuals of r where u = W r + q is known; and of r alone.
[[nodiscard]] ConeResidual residual(const ConeProblem& problem, const VecX& r, const VecX& u);
[[nodiscard]] ConeResidual residual(const ConeProblem& problem, const VecX& r);

// Sizes agree, columns ascend and lie in range, all numbers are finite, mu >= 0. Every solver
// refuses what is not (status kNotFinite, r = 0).
[[nodiscard]] bool is_valid(const ConeProblem& problem);

// r = 0, u = q and its residual, for a start and for refused problems.
void reset(const ConeProblem& problem, ConeResult& result);

}  // namespace stiction
