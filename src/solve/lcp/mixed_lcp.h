// mixed_lcp.h - complementarity with unconstrained unknowns beside those of an LCP [D15, sec. II]:
//   A x + C y + g = 0,     0 <= y  |  D x + B y + h >= 0.
// With a regular A the free unknowns are x = -A^-1 (C y + g), and y solves the LCP (F, e),
//   F = B - D A^-1 C,   e = h - D A^-1 g.
// O(p^3 + p^2 q + p q^2) for p unknowns x and q unknowns y. ([D15, eq. 7] prints C x + D y + h for
// the row that y is complementary to; it is that of eq. 5.)
#pragma once

#include "solve/factor/principal_factor.h"
#include "solve/lcp/lcp.h"

namespace stiction {

struct MixedLcp {
    MatX A, C;  // p x p, p x q
    MatX D, B;  // q x p, q x q
    VecX g, h;  // p, q
};

// kSingular: A has no inverse to working precision (a pivot below 1e-12 once its rows
// and columns are scaled), and
// x cannot be eliminated; that says nothing about whether the problem has a solution.
enum class MixedStatus { kReduced, kSingular, kNotFinite };

struct MixedReduction {
    Lcp lcp;                       // (F, e)
    MatX A_inv_C;                  // p x q
    VecX A_inv_g;                  // p
    MatX scaled;                   // p x p, A with rows and columns scaled
    VecX row_scale, column_scale;  // p
    PrincipalFactor factor;
};

// Fills `reduction`; lcp is empty unless the status is kReduced. A second call of the same size
// allocates nothing.
[[nodiscard]] MixedStatus reduce(const MixedLcp& problem, MixedReduction& reduction);

// x for a solution y of reduction.lcp.
void recover(const MixedReduction& reduction, const VecX& y, VecX& x);

// The larger of max |A x + C y + g| and residual(y, D x + B y + h); NaN if any of it is.
[[nodiscard]] double residual(const MixedLcp& problem, const VecX& x, const VecX& y);

}  // namespace stiction
