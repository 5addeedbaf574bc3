// pgs_sm.cpp - sweeps that guess the free set, and solves on it; method in pgs_sm.h.
#include "solve/pgs_sm.h"

#include <algorithm>
#include <cmath>

#include "solve/pgs.h"

namespace stiction {
namespace {

using Eigen::Index;

constexpr double kPivot = 1e-11;     // of the scaled A_FF
constexpr double kSlack = 1e-13;     // relative rise of the objective that is rounding
constexpr double kLeastGain = 0.99;  // of the residual in a window of cycles
constexpr int kCycles = 200, kWindow = 30;
constexpr int kMostSweeps = 100;  // per cycle

struct Solver {
    const BoxLcp& problem;
    const PgsSmSettings& settings;
    PgsSmWorkspace& ws;
    BoxResult& result;
    bool symmetric = true;
    double least = 0;  // relative residual of ws.best

    // Keeps the current point if it is the best so far; true when it is a solution.
    bool consider() {
        const double now = relative_residual(problem, ws.z, ws.w);
        if (now < least) {
            least = now;
            ws.best = ws.z;
        }
        return now <= settings.box.tolerance;
    }
};

void find_free(const BoxLcp& problem, const VecX& z, std::vector<int>& members) {
    members.clear();
    for (Index i = 0; i < z.size(); ++i)
        if (z[i] > problem.lo[i] && z[i] < problem.hi[i]) members.push_back(static_cast<int>(i));
}

enum class Bounds { kProject, kStopAtFirst };

// One subspace solve; bounds in the way of the step either clamp what passes them or cut it short.
// False when there is nothing to solve, or no way to.
bool minimise(Solver& s, Bounds bounds, bool& clamped) {
    PgsSmWorkspace& ws = s.ws;
    const double cfm = s.settings.box.cfm;
    find_free(s.problem, ws.z, ws.members);
    const bool regular =
        factor_principal(s.problem.A, cfm, ws.members, s.symmetric, kPivot, ws.factor);
    if (ws.factor.rank == 0 || (!s.symmetric && !regular)) return false;
    ws.step.resize(ws.members.size());
    for (size_t k = 0; k < ws.members.size(); ++k) ws.step[k] = -ws.w[ws.members[k]];
    solve_principal(ws.factor, ws.step);
    double length = 1;
    for (size_t k = 0; bounds == Bounds::kStopAtFirst && k < ws.members.size(); ++k) {
        const int i = ws.members[k];
        const double limit = ws.step[k] > 0 ? s.problem.hi[i] : s.problem.lo[i];
        if (ws.step[k] != 0) length = std::min(length, (limit - ws.z[i]) / ws.step[k]);
    }
    clamped = false;
    for (size_t k = 0; k < ws.members.size(); ++k) {
        const int i = ws.members[k];
        const double target = ws.z[i] + length * ws.step[k];
        ws.z[i] = std::clamp(target, s.problem.lo[i], s.problem.hi[i]);
        clamped |= ws.z[i] != target;
    }
    ++s.result.pivots;
    evaluate(s.problem, cfm, ws.z, ws.w);
    return true;
}

// The subspace part of a cycle; false when it was undone.
bool improve(Solver& s) {
    PgsSmWorkspace& ws = s.ws;
    ws.before = ws.z;
    ws.w_before = ws.w;
    const double f_before = objective(s.problem, ws.z, ws.w);
    const double residual_before = relative_residual(s.problem, ws.z, ws.w);
    bool clamped = true;
    for (int k = 0; k < s.settings.k_sm && clamped; ++k) {
        if (!minimise(s, Bounds::kProject, clamped)) break;
        if (s.consider()) return true;
    }
    const double f = objective(s.problem, ws.z, ws.w);
    if (s.symmetric ? f <= f_before + kSlack * std::abs(f_before)
                    : relative_residual(s.problem, ws.z, ws.w) <= residual_before)
        return true;
    ws.z = ws.before;
    ws.w = ws.w_before;
    if (s.symmetric && minimise(s, Bounds::kStopAtFirst, clamped)) (void)s.consider();
    return false;
}

void run(Solver& s) {
    PgsSmWorkspace& ws = s.ws;
    const BoxSettings& box = s.settings.box;
    const int limit = box.max_iterations > 0 ? box.max_iterations : kCycles;
    int sweeps = s.settings.k_pgs;
    double least_before = s.least;
    while (s.result.iterations < limit) {
        ++s.result.iterations;
        for (int k = 0; k < sweeps; ++k) pgs_sweep(s.problem, box.cfm, ws.z, ws.w);
        evaluate(s.problem, box.cfm, ws.z, ws.w);
        if (s.consider()) return;
        const bool improved = improve(s);
        if (s.least <= box.tolerance) return;
        sweeps = improved ? s.settings.k_pgs : std::min(2 * sweeps, kMostSweeps);
        if (s.result.iterations % kWindow == 0) {
            s.result.stalled = s.least > kLeastGain * least_before;
            if (s.result.stalled) return;
            least_before = s.least;
        }
        if (box.deadline.passed()) {
            s.result.status = SolveStatus::kBudget;
            return;
        }
    }
}

}  // namespace

void solve_pgs_sm(const BoxLcp& problem, const PgsSmSettings& settings, const VecX& guess,
                  PgsSmWorkspace& ws, BoxResult& result) {
    const Index n = problem.b.size();
    if (!begin(problem, guess, ws.z, result)) return;
    ws.members.reserve(static_cast<size_t>(n));
    ws.step.reserve(static_cast<size_t>(n));
    reserve(ws.factor, n);
    result.regularisation = settings.box.cfm;
    evaluate(problem, settings.box.cfm, ws.z, ws.w);
    ws.best = ws.z;
    Solver solver{problem, settings, ws, result};
    solver.symmetric = is_symmetric(problem.A);
    solver.least = relative_residual(problem, ws.z, ws.w);
    if (solver.least > settings.box.tolerance) run(solver);
    evaluate(problem, settings.box.cfm, ws.best, ws.w);
    if (is_solution(problem, settings.box.tolerance, ws.best, ws.w))
        result.status = SolveStatus::kSolved;
    else if (result.status == SolveStatus::kSolved)
        result.status = SolveStatus::kIterationLimit;
    finish(problem, ws.best, result);
}

}  // namespace stiction
