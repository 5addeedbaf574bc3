// lemke.h - complementary pivoting for any LCP  z >= 0, w = A z + b >= 0, z'w = 0.
// In: the problem, settings, the basic set of the last similar solve. Out: LcpResult.
// Follows Lemke's method with a covering vector and the lexicographic rule [CPS92, ch. 4].
//
// Scaling. With a positive diagonal S the LCP (S A S, S b) has the solution S^-1 z. S is chosen of
// powers of two (no rounding) so that |A_ii| is near 1, and where A_ii = 0 (the cone rows of
// Coulomb's law) so that the largest entry of column i is near 1. For a contact problem all
// unknowns and rows are then in sqrt(J), whatever the masses; tolerances apply to this form.
//
// Method. w = A z + b + d z0 with d = (1, ..., 1). At the smallest z0 that makes w >= 0 some w_r
// is zero: exchange z0 and w_r. From then on the complement of what left the basis enters, until
// z0 leaves. The tableau holds the basic variables as affine functions of the n + 1 others,
//   x_B = q + T x_N,
// and an exchange of row r and column s with p = T_rs is one rank-1 update by columns,
//   T_rj <- -T_rj / p,   T_ij <- T_ij + T_is T_rj(new),   T_is <- T_is / p,   T_rs <- 1 / p.
//
// Degeneracy. Contact problems have many zeros in b, hence ties in the ratio test. b is thought of
// as b + (e, e^2, ..., e^n), e -> 0: the value of a basic variable is then a polynomial in e whose
// coefficients stand in the tableau (the column of w_j, negated, gives that of e^j), ties are
// broken by comparing these from the lowest power up, and no basis can come back. In a long run the
// tableau is rebuilt from the data every 100 + n/2 exchanges, else rounding would undo this.
//
// End. z_B is solved from the data as given, A_BB z_B = -b_B (LU and iterative refinement), so that
// the error that the tableau has gathered does not enter. It is accepted when with z >= 0 exactly
//   |w_i| (where z_i > 0), -w_i (where z_i = 0)   <=   tolerance max|b| + 4 eps |z|_1
// in the scaled form; the last term is what evaluating w itself costs.
//
// Guess. For a given basic set B first A_BB z_B = -b_B alone is tried. If that is no solution, the
// principal pivot transform of (A, b) on B, again an LCP, is solved as above with z0's column all
// ones, i.e. with the covering vector for which B is feasible at large z0.
//
// Ladder. direct guess, Lemke from the guess, Lemke from z = 0, the same with another d, then
// from z = 0 on A + l D with D = S^-2, l = 1e-14, 1e-12, ..., 1e-4. There the final solve refines
// against the problem as given, which converges also when A_BB is singular but consistent.
// Best answer of all tries wins. If none is accepted, the status is that of Lemke from z = 0:
// kNoSolution for a ray (a proof for copositive-plus A, e.g. positive semi-definite), or
// kIterationLimit.
#pragma once

#include <vector>

#include "solve/factor/principal_factor.h"
#include "solve/lcp/lcp.h"

namespace stiction {

// The tolerance is relative to the largest |b_i|; max_iterations counts the pivots of all tries
// together, 0: max(2000, 60 n).
struct LemkeSettings {
    SolveSettings stop = kLcpStop;
    bool retry = true;  // on failure try another path and then regularised copies
};

struct LemkeWorkspace {
    std::vector<double> scale;    // n, diagonal of S
    std::vector<double> tableau;  // n x (n + 2) by columns: T, then q
    std::vector<int> basic;       // n, variable of each row: j, n + j its complement, 2 n is z0
    std::vector<int> nonbasic;    // n + 1, variable of each column
    std::vector<int> place;       // 2 n + 1, row (as ~row, negative) or column of each variable
    std::vector<int> tied;        // rows that tie in the ratio test
    std::vector<char> flipped;    // n, whether variable j is z_j, not w_j (start from a guess)
    PrincipalFactor factor;       // of the scaled A_BB
    std::vector<int> members;     // k, indices in B
    std::vector<double> rhs;      // k
    std::vector<double> z, w;     // n, the current try, scaled z and w
    LcpBasis guess;               // copy: the guess may live in the result
    LcpBasis set;                 // basic set of the current try
    std::vector<char> wanted;     // 2 n + 1, variables of the basis that is rebuilt
};

// iterations counts the tries of the ladder, each at most one run of Lemke's method. An empty
// guess, or one of another size, means none.
void solve_lemke(const Lcp& lcp, const LemkeSettings& settings, const LcpBasis& guess,
                 LemkeWorkspace& workspace, LcpResult& result);

}  // namespace stiction
