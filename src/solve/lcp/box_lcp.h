// box_lcp.h - linear complementarity between bounds, and the convex program it belongs to.
//
//   lo <= z <= hi,   w = A z + b,
//   w_i >= 0 where z_i = lo_i,   w_i <= 0 where z_i = hi_i,   else w_i = 0.
//
// For symmetric positive semi-definite A these are the optimality conditions of
//
//   min 1/2 z'Az + b'z,   lo <= z <= hi.
//
// Bounds may be infinite; lo = 0, hi = infinity is the plain LCP, lo = -infinity, hi = infinity a
// linear equation.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/solve_report.h"
#include "core/types.h"
#include "solve/lcp/lcp.h"

namespace stiction {

struct BoxLcp {
    MatX A;       // n x n
    VecX b;       // n
    VecX lo, hi;  // n, lo <= hi
};

// Where an unknown stands. The values are what state files hold.
enum class BoundState : std::uint8_t { kFree = 0, kLower = 1, kUpper = 2 };

// The tolerance that a solver is given is on relative_residual; its report holds
// residual(problem, z) of the problem as given, in its units.
struct BoxResult : SolveReport {
    VecX z;
    VecX w;                         // A z + b, from the problem as given
    std::vector<BoundState> state;  // guess for the next solve
    int pivots = 0;                 // changes of an unknown's state, in pivoting solvers
    double regularisation = 0;      // what was added to the diagonal to find z; 0: nothing
    bool stalled = false;           // ended before its limit: the residual no longer fell
    bool diverged = false;          // ended before its limit: the residual grew without bound
};

// max_i |z_i - clamp(z_i - w_i, lo_i, hi_i)|: zero exactly at the solutions, NaN if z or w is.
[[nodiscard]] double residual(const BoxLcp& problem, const VecX& z, const VecX& w);
[[nodiscard]] double residual(const BoxLcp& problem, const VecX& z);

// d_i = |A_ii|, 1 where that is 0: in the units z_i sqrt(d_i) masses do not matter.
[[nodiscard]] inline double diagonal(const BoxLcp& problem, Eigen::Index i) {
    const double d = std::abs(problem.A(i, i));
    return d > 0 ? d : 1.0;
}

// max_i |d_i z_i - clamp(d_i z_i - w_i, d_i lo_i, d_i hi_i)| / scale: every term in the unit of w,
// so that it has a meaning for any masses. 0 when all are 0.
[[nodiscard]] double relative_residual(const BoxLcp& problem, const VecX& z, const VecX& w);

// max |b_i|, |d_i c_i|, where c is the point of the box next to 0: max |b| if 0 is in the box.
[[nodiscard]] double scale(const BoxLcp& problem);

// relative_residual is at most `tolerance`, or at most what evaluating w in double precision costs,
// 4 eps max_i sum_j |A_ij z_j| / scale; that excuse holds up to 1e-8.
[[nodiscard]] bool is_solution(const BoxLcp& problem, double tolerance, const VecX& z,
                               const VecX& w);

// w = A z + b
void evaluate(const BoxLcp& problem, const VecX& z, VecX& w);

// 1/2 z'Az + b'z from w = A z + b.
[[nodiscard]] double objective(const BoxLcp& problem, const VecX& z, const VecX& w);

// What a solver says before it starts: kNotFinite for NaN or infinity where it may not be,
// kNoSolution for lo > hi, kSolved when it may go on.
[[nodiscard]] SolveStatus check(const BoxLcp& problem);

// |A_ij - A_ji| <= 1e-12 sqrt|A_ii A_jj| for all i, j.
[[nodiscard]] bool is_symmetric(const MatX& A);

// Whether `direction` shows that 1/2 z'Az + b'z, A symmetric positive semi-definite, falls without
// end in the box: u stays in the box for ever, A u = 0 and b'u < 0. Judged in the units in which
// A_ii = 1, where |u| = 1: |A u| <= 1e-8, b'u <= -1e-6 |b|.
[[nodiscard]] bool is_unbounded_along(const BoxLcp& problem, const VecX& direction);

void clamp_to_box(const BoxLcp& problem, VecX& z);

// The state in which an unknown is found at z_i: at a bound if it is there exactly.
[[nodiscard]] BoundState state_at(const BoxLcp& problem, Eigen::Index i, double z_i);

// The point of a solver that may get worse on its way, and the best it has been at, by
// relative_residual.
struct BoxIterate {
    VecX z, w;                // n
    VecX best;                // n
    double least = 0;         // residual of the best
    double window_start = 0;  // the same at the last call of stalls()

    void start(const BoxLcp& problem);  // w from z, which is the best
    // Keeps z if it is better, w being that of z. Returns its residual.
    double consider(const BoxLcp& problem);
    // At the end of a window of iterations: whether it gained less than 1 %, which takes for ever.
    [[nodiscard]] bool stalls();
};

// Start of every solver: takes over the guess (which may live in the result), empties the result
// and checks the problem. False, with the reason as its status, if nothing is to be tried. A guess
// that is empty, of another size or not finite counts as z = 0 or as lower bounds; z is clamped to
// the box.
[[nodiscard]] bool begin(const BoxLcp& problem, BoxResult& result);
[[nodiscard]] bool begin(const BoxLcp& problem, const VecX& guess, VecX& z, BoxResult& result);
[[nodiscard]] bool begin(const BoxLcp& problem, const std::vector<BoundState>& guess,
                         std::vector<BoundState>& state, BoxResult& result);

// An empty result of size n, and the end of every solver: z, w, state, residual of the problem as
// given. An answer that is not finite becomes the point of the box next to 0, with kNotFinite.
void reset(BoxResult& result, Eigen::Index n);
void finish(const BoxLcp& problem, const VecX& z, BoxResult& result);

// The same, with the status after whether z solves the problem to the tolerance.
void judge_and_finish(const BoxLcp& problem, double tolerance, const VecX& z, BoxResult& result);

// The whole of a solver that goes on from z by passes, which consider() what they reach: until that
// is a solution, a pass returns false (shown to have none), nothing is gained any more, or the
// limit or the deadline is met.
template <typename Pass>
void solve_by_passes(const BoxLcp& problem, const SolveSettings& stop, int own_limit, int window,
                     BoxIterate& point, BoxResult& result, const Pass& pass) {
    point.start(problem);
    const int limit = stop.max_iterations > 0 ? stop.max_iterations : own_limit;
    while (point.least > stop.tolerance && result.iterations < limit) {
        ++result.iterations;
        if (!pass()) {
            result.status = SolveStatus::kNoSolution;
            break;
        }
        if (point.least <= stop.tolerance) break;
        result.stalled = result.iterations % window == 0 && point.stalls();
        if (result.stalled) break;
        if (stop.deadline.passed()) {
            result.status = SolveStatus::kBudget;
            break;
        }
    }
    judge_and_finish(problem, stop.tolerance, point.best, result);
}

// The bound of a state, and where an unknown without that bound rests: lower, else upper, else 0.
[[nodiscard]] inline double bound(const BoxLcp& problem, Eigen::Index i, BoundState state) {
    const double lo = problem.lo[i], hi = problem.hi[i];
    if (state == BoundState::kUpper && hi < std::numeric_limits<double>::infinity()) return hi;
    if (lo > -std::numeric_limits<double>::infinity()) return lo;
    return hi < std::numeric_limits<double>::infinity() ? hi : 0.0;
}

// The LCP (y, l), with one l for each finite upper bound, and the way back z = lo + y:
//   0 <= y  |  A y + (b + A lo) + l >= 0,      0 <= l  |  hi - lo - y >= 0.
// Its solutions are those of the box problem, for solvers of LCPs alone. Every unknown needs a
// finite lower bound.
[[nodiscard]] Lcp to_lcp(const BoxLcp& problem);
[[nodiscard]] VecX from_lcp(const BoxLcp& problem, const VecX& z);

}  // namespace stiction
