// ppm.h - modified principal pivoting (Algorithm 1 of [D15]) for the frictionless contact problem
//   0 <= z  |  w = N C N' z + N v_hat + bias >= 0,      C = K K' positive semi-definite (m x m),
// whose n x n matrix N C N' is never formed: O(m^2) per row in use and O(m n) per pass over w.
//
// It is the optimality condition of the convex problem  min f(z) = 1/2 |Y' z|^2 + q'z, z >= 0, with
// the whitened rows y_i = K' N_i' and q = N v_hat + bias. For a set a of active rows the minimiser
// over z_a solves A_aa z_a = -q_a, A_aa = Y_a Y_a' = R'R, R the Cholesky factor of A_aa. It is kept
// with Q, Q R = Y_a' (columns y_i), because then the pivot of a new row is the squared length of
//   y - Q Q'y
// (projected twice), free of the cancellation in A_ii - |l|^2. A row is appended with that column;
// one is deleted by dropping its column and restoring the triangle with Givens rotations; both
// O(m^2).
//
// A pass, with z_a > 0 and w_a = 0 on entry:
//   1. a row i with w_i < 0 enters: the most negative one, or the one of least index while f
//   stalls;
//   2. if its pivot exceeds tolerance * scale_i, it is appended. Else y_i = Y_a' c depends on the
//      active rows, and z_i = t, z_a - t c changes f by t w_i without end: t is the least z_j / c_j
//      over c_j > 0, that row j leaves and i takes its place. No such j: z = (1, max(-c, 0)) shows
//      that the rows contradict one another, and i is set aside. So is a row that is locked from
//      the start, |y_i|^2 <= tolerance * scale_i;
//   3. z moves towards the minimiser over a; where a z_j reaches 0 on the way, j is deleted and the
//      move goes on from there. (Algorithm 1 moves at once and lets z_j < 0 stand.)
// f falls from pass to pass, and no set comes back, but for steps of length zero, where the least
// index serves; the pivot limit is the last resort. The active rows are independent, so at most
// rank(C) of the z_i are non-zero. A guess is factored at once and costs no pivot if it is right.
//
// [D15] calls v_hat "f*"; C takes the place of M^-1 because it is singular with joints or no-slip
// rows. With a bias the right-hand side need not lie in the range of N: hence step 2.
#pragma once

#include <vector>

#include "solve/lcp/lcp.h"

namespace stiction {

struct PpmProblem {
    MatX N;      // n x m
    MatX K;      // m x r, C = K K'
    VecX v_hat;  // m
    VecX bias;   // n
    VecX scale;  // n, N_i M^-1 N_i', what |y_i|^2 would be without joints; empty: |y_i|^2 itself
};

struct PpmSettings {
    // Tolerance on w, relative to the largest |N_i| |v_hat| + |bias_i|; max_iterations: pivots, 0:
    // max(1000, 20 n).
    SolveSettings stop = kLcpStop;
    double pivot_tolerance = 1e-10;  // on a pivot, relative to scale_i
};

struct PpmWorkspace {
    std::vector<int> active;  // k rows in the order of the factor
    MatX Q, R;                // r x r each; Q R = Y_a' in the leading k columns
    VecX q, w;                // n
    VecX z, target;           // r, z_a and the minimiser over a, in the order of the factor
    VecX y, c, u;             // r
    VecX t;                   // r, R z_a at the minimiser: f = -1/2 |t|^2
    VecX row, a;              // m, N_i' and the velocity v_hat + C N' z
    std::vector<char> state;  // n, kIdle, kActive, ... of ppm.cpp
    LcpBasis guess;           // copy: the guess may live in the result
};

// iterations counts passes. kNoSolution: some rows contradict others, or a locked row is violated;
// z then solves the problem without them.
void solve_ppm(const PpmProblem& problem, const PpmSettings& settings, const LcpBasis& guess,
               PpmWorkspace& workspace, LcpResult& result);

}  // namespace stiction
