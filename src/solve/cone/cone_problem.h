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

#include <vector>

#include "core/solve_report.h"
#include "core/types.h"
#include "solve/cone/friction_law.h"
#include "solve/factor/block_matrix.h"

namespace stiction {

// The law of every block.
struct ConeLaws {
    VecX mu;  // nc, >= 0

    // A block may also hold three rows between bounds (joints, limits, motors) instead of a
    // contact: K is then the box lo <= r <= hi and uhat = u. Bounds may be infinite; its mu is 0.
    // All three are empty where there are contacts only, which is what `newton` and
    // `interior_point` take; `prox_newton`, `pgs` and `split` take both.
    std::vector<char> bounded;  // nc, non-zero for such a block
    VecX lo, hi;                // 3 nc

    // Contacts obey the polygon of these directions, or the cone without mu |u_T|: prox_newton
    // alone takes these.
    const FrictionDirections* polygon = nullptr;
    bool relaxed = false;
    const VecX* offset = nullptr;  // nc or more, s of relaxed cones; null: 0

    [[nodiscard]] int contacts() const { return static_cast<int>(mu.size()); }
    [[nodiscard]] bool is_bounded(int a) const { return !bounded.empty() && bounded[at(a)] != 0; }
};

struct ConeProblem : ConeLaws {
    BlockMatrix W;  // nc block rows; positive semi-definite to rounding, need not be symmetric
    VecX q;         // 3 nc, velocity without contact impulses
};

// The two measures of an answer, zero exactly at the solutions. P projects on K.
struct ConeResidual {
    double natural = 0;  // |r - P(r - uhat)| / max(1, |q|): mixes impulses and velocities
    double scaled = 0;  // |x - P(x - uhat)| / |q|, x_a = block_weight(W, a) r_a: in velocity units;
                        // 0 when q and r are 0
    [[nodiscard]] double worst() const { return natural > scaled ? natural : scaled; }
};

// The residual of the report is the worse of the two, and so is what a tolerance is on.
struct ConeResult : SolveReport {
    VecX r;                  // 3 nc
    VecX u;                  // 3 nc, W r + q
    int factorisations = 0;  // of a matrix over all contacts
    ConeResidual coulomb;    // of the problem as given; NaN if r is not finite
};

// Calls f with the law of block a (friction_law.h).
template <typename Function>
decltype(auto) with_law(const ConeLaws& laws, int a, const Function& f) {
    if (laws.is_bounded(a)) {
        return f(BoundsLaw{laws.lo.segment<3>(3 * a), laws.hi.segment<3>(3 * a)});
    }
    if (laws.polygon != nullptr) return f(PolygonLaw{laws.mu[a], *laws.polygon});
    if (laws.relaxed && laws.offset != nullptr) return f(OffsetLaw{laws.mu[a], (*laws.offset)[a]});
    if (laws.relaxed) return f(RelaxedLaw{laws.mu[a]});
    return f(ConeLaw{laws.mu[a]});
}

// The squared errors |r - P(r - d)|^2 and |x - P(x - d)|^2, x = weight r, added up over blocks:
// the one yardstick of every solver that works block by block, whatever the law of a block.
struct SquaredErrors {
    double natural = 0, scaled = 0;

    template <typename Law>
    void add(const Law& law, double weight, const Vec3& r, const Vec3& u) {
        const Vec3 d = law.dual(u);
        const Vec3 x = weight * r;
        natural += (r - law.project(1, r - d)).squaredNorm();
        scaled += (x - law.project(weight, x - d)).squaredNorm();
    }

    // For |q| = size. Both are NaN if one is not finite.
    [[nodiscard]] ConeResidual residual(double size) const;
};

// Residuals of r where u = W r + q is known, by the weights of the blocks; and of r alone.
[[nodiscard]] ConeResidual residual(const ConeLaws& laws, const VecX& q, const VecX& weight,
                                    const VecX& r, const VecX& u);
[[nodiscard]] ConeResidual residual(const ConeProblem& problem, const VecX& r, const VecX& u);
[[nodiscard]] ConeResidual residual(const ConeProblem& problem, const VecX& r);

// The result takes over r, u and their residuals.
void keep(const VecX& r, const VecX& u, const ConeResidual& coulomb, ConeResult& result);

// Sizes agree, columns ascend and lie in range, all numbers are finite, mu >= 0.
[[nodiscard]] bool is_valid(const ConeProblem& problem);

// Start of every solver: r takes over the guess (which may live in the result), or zero if that is
// empty, of another size or not finite; the result is r = 0, u = q with an infinite residual. False
// if nothing is to be tried: no blocks (kSolved), or a problem that is not valid (kNotFinite, r =
// 0, u = 0, residual NaN).
[[nodiscard]] bool begin(const ConeProblem& problem, const VecX& guess, VecX& r,
                         ConeResult& result);

// The same for solvers of contacts alone: of a problem with blocks of bounded rows r = 0 is all
// they return (kIterationLimit).
[[nodiscard]] bool begin_contacts(const ConeProblem& problem, const VecX& guess, VecX& r,
                                  ConeResult& result);

// The status of what is in the result: solved, not finite, or why it ended without being either.
void finish(const SolveSettings& settings, bool late, ConeResult& result);

}  // namespace stiction
