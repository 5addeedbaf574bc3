// principal_factor.h - factors of a principal submatrix A_FF of a dense matrix, for solvers that
// guess which unknowns are free and solve A_FF x = r for them.
// Works on S A_FF S, S diagonal with S_ii = |A_ii|^-1/2 (1 where A_ii = 0), so that thresholds are
// relative to the diagonal whatever the units and masses. O(k^3) to factor, O(k^2) to solve.
//
// Symmetric: Cholesky with diagonal pivoting, stopped where no pivot is left above the tolerance.
// The members left over depend on the others (or have a negative pivot); solve() gives them x = 0.
// Otherwise: LU with row pivoting, which only tells whether A_FF is regular.
#pragma once

#include <span>
#include <vector>

#include "core/types.h"

namespace stiction {

// y += a x
inline void axpy(int n, double a, const double* __restrict x, double* __restrict y) {
    for (int i = 0; i < n; ++i) y[i] += a * x[i];
}

struct PrincipalFactor {
    int size = 0;               // k
    int rank = 0;               // independent members; k when regular
    bool symmetric = true;      // which of the two factors it holds
    std::vector<int> order;     // k, member of each pivot: the first `rank` are independent
    std::vector<double> scale;  // k, S
    std::vector<double> lu;     // k x k by columns
    std::vector<double> x;      // k, scratch
};

// Reserves for up to n members, so that later calls allocate nothing.
void reserve(PrincipalFactor& factor, Eigen::Index n);

// Factors A_FF for F = members. Returns whether it is regular.
bool factor_principal(const MatX& A, std::span<const int> members, bool symmetric, double tolerance,
                      PrincipalFactor& factor);

// LU, S = 1, of a matrix that the caller writes into factor.lu after resize(). Returns whether it
// is regular.
void resize(PrincipalFactor& factor, int k);
bool factor_general(double tolerance, PrincipalFactor& factor);

// x <- A_FF^-1 x, in the order of the members. Needs rank = k if not symmetric.
void solve_principal(PrincipalFactor& factor, std::span<double> x);

// Symmetric only: a vector x over the members with A_FF x = 0 to the tolerance of the factor, one
// for each dependent member, order[k], rank <= k < size: x = 1 there, and -A_II^-1 A_I,order[k] for
// the independent ones I.
void flat_direction(const MatX& A, std::span<const int> members, PrincipalFactor& factor, int k,
                    std::span<double> x);

}  // namespace stiction
