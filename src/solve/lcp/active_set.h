// active_set.h - primal active-set method for the convex program with bounds of box_lcp.h,
//   min f(z) = 1/2 z'A z + b'z,   lo <= z <= hi,   A symmetric positive semi-definite,
// with two factors, each under a solver name of its own:
//   active_set_qp  A is given. What a general quadratic-program solver makes of the frictionless
//                  problem of [D15], and a second opinion that also takes upper bounds.
//   ppm            modified principal pivoting [D15, Algorithm 1]: A = N C N' is never formed.
//
// F holds the free unknowns, always with a regular A_FF = R'R; the others are at a bound (or at 0,
// if they have none), w = A z + b. A pass, with w_F = 0 on entry:
//   1. an unknown i at a bound with w_i of the wrong sign enters: by the rule of the solver
//      (below), or the one of least index while f stalls;
//   2. c = A_FF^-1 A_Fi. If the pivot A_ii - A_iF c of i is large enough, the factor grows by one
//      column. Otherwise f is linear along z_i = t, z_F - t c, and falls: t is as large as the
//      bounds allow; the unknown that reaches its bound first leaves F and i takes its place (or i
//      itself goes to its other bound). Nothing in the way: f has no minimum, kNoSolution, and i is
//      set aside;
//   3. z_F moves towards the minimiser over F; what reaches a bound on the way leaves F, and the
//      move goes on from there.
// f falls from pass to pass, so no F comes back, but for steps of length zero: there the least
// index serves, and the pivot limit is the last resort. The members of F are independent, so F is
// never larger than the rank of A. A guess is factored at once and costs no pivot if it is right.
//
// active_set_qp. The largest |w_i| / sqrt(A_ii) enters, the steepest way down. The pivot is large
// enough above pivot_tolerance (A_ii + sum c_j^2 A_jj), the terms that it is a difference of. R is
// the Cholesky factor of A_FF. A pass costs O(n k), k the size of F.
//
// ppm. For contact without friction,
//   0 <= z  |  w = N C N' z + N v_hat + bias >= 0,      C = K K' positive semi-definite (m x m),
// f is 1/2 |Y' z|^2 + q'z with the whitened rows y_i = K' N_i' and q = N v_hat + bias. Rows are
// formed as they are tried, and Y_F' = Q R (columns y_i) is kept: then the pivot of a row is the
// squared length of
//   y - Q Q'y
// (projected twice), free of the cancellation in A_ii - A_iF c. It is large enough above
// pivot_tolerance * scale_i. With t = R z_F at the minimiser, R't = -q_F,
//   w = N (v_hat + K Q t) + bias,      f = -1/2 |t|^2.
// The most negative w_i enters, as in Algorithm 1. (That moves to the minimiser at once and lets
// z_j < 0 stand, where step 3 stops at zero.) A row that is locked, |y_i|^2 <= pivot_tolerance *
// scale_i, is set aside from the start. [D15] calls v_hat "f*"; C takes the place of M^-1 because
// it is singular with joints or no-slip rows. With a bias the right-hand side need not lie in the
// range of N: hence the exchange in step 2. O(m^2) per row in use and O(m n) per pass.
#pragma once

#include <vector>

#include "solve/lcp/box_lcp.h"
#include "solve/lcp/lcp.h"

namespace stiction {

struct PpmProblem {
    MatX N;      // n x m
    MatX K;      // m x r, C = K K'
    VecX v_hat;  // m
    VecX bias;   // n
    VecX scale;  // n, N_i M^-1 N_i', what |y_i|^2 would be without joints; empty: |y_i|^2 itself
    VecX lo = {}, hi = {};  // n, bounds of z, finite or not; empty: 0 and infinity
    VecX start =
        {};  // n, of what is not free in the guess: one of its bounds; empty: the lower one
};

struct ActiveSetSettings {
    // max_iterations: pivots, 0: max(1000, 20 n). The tolerance of ppm is on w, relative to the
    // largest |N_i| |v_hat| + |bias_i|.
    SolveSettings stop = kLcpStop;
    // On squares of lengths: what is left of a row beside those of F has lost 5 of its 16 digits.
    double pivot_tolerance = 1e-10;
};

struct ActiveSetWorkspace {
    std::vector<int> free;   // F, k unknowns in the order of the factor
    MatX Q, R;               // the leading k columns are in use; Q has no rows where A is given
    VecX z, w;               // n
    VecX c, r;               // of the unknown that was split last: A_FF^-1 A_Fi, R c
    VecX rest;               // ppm: what Q leaves of its row
    VecX target, step;       // z_F at the minimiser over F, and a way to go
    VecX unit;               // active_set_qp: n, sqrt(A_ii)
    VecX t, q;               // ppm: R target; n, w at z = 0
    VecX row, a;             // ppm: m, N_i' and a velocity
    VecX d;                  // ppm: r, of the unknowns at bounds that are not zero
    double work = 0;         // ppm: 1/2 |d|^2 + q_B'z_B
    std::vector<char> role;  // n, kAtBound, kInF, ... of active_set.cpp
    std::vector<BoundState> state;  // copies: the guess may live in the result
    LcpBasis guess;
};

// iterations counts passes, pivots the changes of F and of bounds.
void solve_active_set_qp(const BoxLcp& problem, const ActiveSetSettings& settings,
                         const std::vector<BoundState>& guess, ActiveSetWorkspace& workspace,
                         BoxResult& result);

// The same. kNoSolution: some rows contradict others, or a locked row is violated; z then solves
// the problem without them.
void solve_ppm(const PpmProblem& problem, const ActiveSetSettings& settings, const LcpBasis& guess,
               ActiveSetWorkspace& workspace, LcpResult& result);

}  // namespace stiction
