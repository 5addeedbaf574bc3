// pgs.cpp - projected Gauss-Seidel; method and endings in pgs.h.
#include "solve/lcp/pgs.h"

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

using Eigen::Index;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNoDiagonal = 1e-14;  // relative to the largest: what rounding leaves of a zero
constexpr double kDiverged = 1e8;      // over the residual of the start: all digits are lost
constexpr int kSweeps = 2000;          // all but one in a hundred random contacts need less
constexpr int kWindow = 200;           // sweeps; most problems are solved within one
constexpr int kRefresh = 32;  // sweeps after which w is evaluated anew, for 3 % of the time

// A row of zeros whose b_i pushes z_i towards an infinite bound: w_i = b_i whatever z is.
bool has_contradiction(const BoxLcp& p) {
    for (Index i = 0; i < p.b.size(); ++i) {
        const bool open = p.b[i] < 0 ? p.hi[i] == kInfinity : p.b[i] > 0 && p.lo[i] == -kInfinity;
        if (open && p.A(i, i) == 0 && (p.A.row(i).array() == 0).all()) return true;
    }
    return false;
}

}  // namespace

void pgs_sweep(const BoxLcp& problem, VecX& z, VecX& w) {
    const double least = kNoDiagonal * problem.A.diagonal().maxCoeff();
    for (Index i = 0; i < z.size(); ++i) {
        const double d = problem.A(i, i), lo = problem.lo[i], hi = problem.hi[i];
        double target = z[i];
        if (d > least)
            target = std::clamp(z[i] - w[i] / d, lo, hi);
        else if (w[i] > 0 && lo > -kInfinity)
            target = lo;
        else if (w[i] < 0 && hi < kInfinity)
            target = hi;
        const double change = target - z[i];
        if (change == 0) continue;
        z[i] = target;
        w += change * problem.A.col(i);
    }
}

void solve_pgs(const BoxLcp& problem, const SolveSettings& settings, const VecX& guess,
               PgsWorkspace& ws, BoxResult& result) {
    const Index n = problem.b.size();
    if (!begin(problem, guess, ws.z, result)) return;
    ws.start(problem);
    const int limit = settings.max_iterations > 0 ? settings.max_iterations : kSweeps;
    const int window = std::max(kWindow, 2 * static_cast<int>(n));
    const double first = ws.least;
    bool fresh = true;  // w was evaluated from z, not updated
    bool late = false;
    for (;;) {
        const double now = ws.consider(problem);
        if (now <= settings.tolerance) {
            if (fresh) break;
            evaluate(problem, ws.z, ws.w);
            fresh = true;
            continue;
        }
        result.diverged = !(now <= kDiverged * std::max(first, 1.0));
        if (result.iterations > 0 && result.iterations % window == 0) result.stalled = ws.stalls();
        if (result.diverged || result.stalled || result.iterations == limit) break;
        late = result.iterations > 0 && settings.deadline.passed();
        if (late) break;
        pgs_sweep(problem, ws.z, ws.w);
        fresh = ++result.iterations % kRefresh == 0;
        if (fresh) evaluate(problem, ws.z, ws.w);
    }
    evaluate(problem, ws.best, ws.w);
    if (!is_solution(problem, settings.tolerance, ws.best, ws.w))
        result.status = has_contradiction(problem) ? SolveStatus::kNoSolution
                        : late                     ? SolveStatus::kBudget
                                                   : SolveStatus::kIterationLimit;
    finish(problem, ws.best, result);
}

}  // namespace stiction
