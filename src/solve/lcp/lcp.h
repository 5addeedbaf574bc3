// lcp.h - the linear complementarity problem, and what every solver of it takes and gives.
//   find z >= 0 with w = A z + b >= 0 and z'w = 0.
// A solver takes a problem, settings, a guess and a workspace, and fills an LcpResult that the
// caller keeps: a second call of the same size allocates nothing. None of them throws for
// numerical reasons; LcpResult::status says how it ended.
#pragma once

#include <vector>

#include "core/solve_report.h"
#include "core/types.h"

namespace stiction {

struct Lcp {
    MatX A;  // n x n, need not be symmetric
    VecX b;  // n
};

// One entry per unknown, non-zero where z_i is basic (may be positive, with w_i = 0). It is what a
// solver hands to the next solve of a similar problem. Empty: no guess.
using LcpBasis = std::vector<char>;

// Where solvers of linear complementarity stop unless told otherwise: pivoting gives nearly all
// digits at once.
inline constexpr SolveSettings kLcpStop{.tolerance = 1e-10};

// residual(lcp, z) of the problem as given, in its units, is what SolveReport holds.
struct LcpResult : SolveReport {
    VecX z;
    VecX w;                     // A z + b, from the problem as given
    LcpBasis basic;             // guess for the next solve
    int pivots = 0;             // exchanges of a basic and a non-basic variable
    double regularisation = 0;  // used to find z, relative to the diagonal; 0: none
};

// max_i |min(z_i, w_i)|, the one yardstick for every solver: zero exactly at the solutions, and
// NaN if z or w is. It compares z_i with w_i, so it has a meaning as a number only in the units of
// the problem.
[[nodiscard]] double residual(const VecX& z, const VecX& w);
[[nodiscard]] double residual(const Lcp& lcp, const VecX& z);

// The same divided by the largest |b_i|; 0 when both are 0.
[[nodiscard]] double relative_residual(const Lcp& lcp, const VecX& z);

// Empties a result for a problem of n unknowns: z = w = 0, nothing basic.
void reset(LcpResult& result, Eigen::Index n);

// Start of every solver: takes over the guess (which may live in the result; one of another size
// counts as none) and empties the result. False if there is nothing to do: no unknowns, or numbers
// that are not finite, kNotFinite.
[[nodiscard]] bool begin(Eigen::Index n, bool finite, const LcpBasis& guess, LcpBasis& own_guess,
                         LcpResult& result);

// The end of one whose answer is beyond the range of a double: z = 0, w = b, kNotFinite.
void refuse(const VecX& b, LcpResult& result);

// x * 0 is 0 for finite x and NaN otherwise; the sum is vectorised, a test per entry is not.
template <typename Derived>
[[nodiscard]] bool all_finite(const Eigen::MatrixBase<Derived>& x) {
    return (x * 0.0).sum() == 0;
}

}  // namespace stiction
