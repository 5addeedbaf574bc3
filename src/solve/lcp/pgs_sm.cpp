// pgs_sm.cpp - sweeps that guess the free set, and solves on it; method in pgs_sm.h.
#include "solve/lcp/pgs_sm.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solve/lcp/pgs.h"

namespace stiction {
namespace {

using Eigen::Index;

constexpr double kPivot = 1e-11;   // of the scaled A_FF: 1e4 roundings of a pivot
constexpr double kSlack = 1e-13;   // relative rise of the objective that is rounding
constexpr double kMinGain = 0.99;  // of the residual in a window of cycles: less takes for ever
constexpr int kCycles = 200;       // nine are the most that random contacts took
constexpr int kWindow = 30;        // cycles: long enough for the sweeps to have reached their most
constexpr int kMaxSweeps = 100;    // per cycle: as dear as a subspace solve of 300 unknowns
constexpr int kMaxDescents = 50;   // per cycle, steps that end at a bound: sweeps are due then
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kRounding = 1e3 * std::numeric_limits<double>::epsilon();  // of sums of 1e3 terms

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
        return now <= settings.stop.tolerance;
    }
};

void find_free(const BoxLcp& problem, const VecX& z, std::vector<int>& members) {
    members.clear();
    for (Index i = 0; i < z.size(); ++i)
        if (z[i] > problem.lo[i] && z[i] < problem.hi[i]) members.push_back(static_cast<int>(i));
}

// Moves the members by `length` times the step, or less so that nothing passes a bound; what ends
// the move is put on its bound exactly. Returns whether something did. An endless move is not made.
bool move_to_bound(Solver& s, double length) {
    PgsSmWorkspace& ws = s.ws;
    int first = kNone;
    double first_bound = 0;
    for (size_t k = 0; k < ws.members.size(); ++k) {
        const int i = ws.members[k];
        const double limit = ws.step[k] > 0 ? s.problem.hi[i] : s.problem.lo[i];
        if (ws.step[k] == 0 || (limit - ws.z[i]) / ws.step[k] >= length) continue;
        length = (limit - ws.z[i]) / ws.step[k];
        first = i;
        first_bound = limit;
    }
    if (length == kInfinity) return false;
    for (size_t k = 0; k < ws.members.size(); ++k) {
        const int i = ws.members[k];
        ws.z[i] = std::clamp(ws.z[i] + length * ws.step[k], s.problem.lo[i], s.problem.hi[i]);
    }
    if (first != kNone) ws.z[first] = first_bound;
    evaluate(s.problem, ws.z, ws.w);
    return first != kNone;
}

// The same by the whole step, and what passes a bound is clamped.
bool move_and_clamp(Solver& s) {
    PgsSmWorkspace& ws = s.ws;
    bool clamped = false;
    for (size_t k = 0; k < ws.members.size(); ++k) {
        const int i = ws.members[k];
        const double target = ws.z[i] + ws.step[k];
        ws.z[i] = std::clamp(target, s.problem.lo[i], s.problem.hi[i]);
        clamped |= ws.z[i] != target;
    }
    evaluate(s.problem, ws.z, ws.w);
    return clamped;
}

enum class Bounds { kProject, kStopAtFirst };

// One subspace solve; bounds in the way of the step either clamp what passes them or cut it short.
// `met`: there were such bounds. False when there is nothing to solve, or no way to.
bool minimise(Solver& s, Bounds bounds, bool& met) {
    PgsSmWorkspace& ws = s.ws;
    find_free(s.problem, ws.z, ws.members);
    const bool regular = factor_principal(s.problem.A, ws.members, s.symmetric, kPivot, ws.factor);
    if (ws.factor.rank == 0 || (!s.symmetric && !regular)) return false;
    ws.step.resize(ws.members.size());
    for (size_t k = 0; k < ws.members.size(); ++k) ws.step[k] = -ws.w[ws.members[k]];
    solve_principal(ws.factor, ws.step);
    ++s.result.pivots;
    met = bounds == Bounds::kProject ? move_and_clamp(s) : move_to_bound(s, 1);
    return true;
}

// After a subspace solve that met no bound: a member that depends on others and still has w_i != 0
// shows a direction in which A is flat and the objective falls. Follows the steepest to its end.
// False when there is none.
bool follow_flat_direction(Solver& s) {
    PgsSmWorkspace& ws = s.ws;
    int steepest = kNone;
    double most = 0;
    for (int k = ws.factor.rank; k < ws.factor.size; ++k) {
        const auto place = at(ws.factor.order[at(k)]);
        const double slope = std::abs(ws.w[ws.members[place]]) * ws.factor.scale[place];
        if (slope <= most) continue;
        most = slope;
        steepest = k;
    }
    if (steepest == kNone) return false;
    flat_direction(s.problem.A, ws.members, ws.factor, steepest, ws.step);
    double slope = 0, curvature = 0, terms = 0;  // terms: what the curvature is a difference of
    for (size_t k = 0; k < ws.members.size(); ++k) {
        const int i = ws.members[k];
        slope += ws.w[i] * ws.step[k];
        double A_step = 0, size = 0;
        for (size_t l = 0; l < ws.members.size(); ++l) {
            const double term = s.problem.A(i, ws.members[l]) * ws.step[l];
            A_step += term;
            size += std::abs(term);
        }
        curvature += ws.step[k] * A_step;
        terms += std::abs(ws.step[k]) * size;
    }
    if (slope == 0) return false;
    if (slope > 0)
        for (double& x : ws.step) x = -x;
    // Rounding is no curvature: its minimum would lie where nothing is left of b in w.
    const double length = curvature > kRounding * terms ? std::abs(slope) / curvature : kInfinity;
    return move_to_bound(s, length) || length < kInfinity;
}

// Goes down to the minimum on the free set, which shrinks by one at every bound on the way: nothing
// here can raise the objective.
void descend(Solver& s) {
    const Index limit = std::min<Index>(s.ws.z.size(), kMaxDescents);
    for (Index k = 0; k < limit; ++k) {
        bool met = false;
        if (!minimise(s, Bounds::kStopAtFirst, met) || s.consider()) return;
        if (met) continue;
        if (!follow_flat_direction(s) || s.consider()) return;
    }
}

// The subspace part of a cycle; false when it was undone.
bool improve(Solver& s) {
    PgsSmWorkspace& ws = s.ws;
    ws.before = ws.z;
    ws.w_before = ws.w;
    const double f_before = objective(s.problem, ws.z, ws.w);
    const double residual_before = relative_residual(s.problem, ws.z, ws.w);
    bool met = true;
    for (int k = 0; k < s.settings.k_sm && met; ++k) {
        if (!minimise(s, Bounds::kProject, met)) break;
        if (s.consider()) return true;
    }
    const double f = objective(s.problem, ws.z, ws.w);
    const bool kept = s.symmetric ? f <= f_before + kSlack * std::abs(f_before)
                                  : relative_residual(s.problem, ws.z, ws.w) <= residual_before;
    if (!kept) {
        ws.z = ws.before;
        ws.w = ws.w_before;
    }
    const bool stuck = !kept || ws.factor.rank < ws.factor.size;
    // Not in the first cycle: the next sweeps are cheaper where they are enough.
    if (s.symmetric && stuck && s.result.iterations > 1) descend(s);
    return kept;
}

void run(Solver& s) {
    PgsSmWorkspace& ws = s.ws;
    const SolveSettings& stop = s.settings.stop;
    const int limit = stop.max_iterations > 0 ? stop.max_iterations : kCycles;
    int sweeps = s.settings.k_pgs;
    double least_before = s.least;
    while (s.result.iterations < limit) {
        ++s.result.iterations;
        for (int k = 0; k < sweeps; ++k) pgs_sweep(s.problem, ws.z, ws.w);
        evaluate(s.problem, ws.z, ws.w);
        if (s.consider()) return;
        const bool improved = improve(s);
        if (s.least <= stop.tolerance) return;
        sweeps = improved ? s.settings.k_pgs : std::min(2 * sweeps, kMaxSweeps);
        if (s.result.iterations % kWindow == 0) {
            s.result.stalled = s.least > kMinGain * least_before;
            if (s.result.stalled) return;
            least_before = s.least;
        }
        if (stop.deadline.passed()) {
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
    ws.members.reserve(at(n));
    ws.step.reserve(at(n));
    reserve(ws.factor, n);
    evaluate(problem, ws.z, ws.w);
    ws.best = ws.z;
    Solver solver{problem, settings, ws, result};
    solver.symmetric = is_symmetric(problem.A);
    solver.least = relative_residual(problem, ws.z, ws.w);
    if (solver.least > settings.stop.tolerance) run(solver);
    judge_and_finish(problem, settings.stop.tolerance, ws.best, result);
}

}  // namespace stiction
