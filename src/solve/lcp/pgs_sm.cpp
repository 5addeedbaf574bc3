// pgs_sm.cpp - sweeps that guess the free set, and solves on it; method in pgs_sm.h.
#include "solve/lcp/pgs_sm.h"

#include <algorithm>
#include <cmath>

#include "solve/lcp/pgs.h"

namespace stiction {
namespace {

using Eigen::Index;

constexpr double kSlack = 1e-13;  // relative rise of the objective that is rounding
constexpr int kCycles = 200;      // nine are the most that random contacts took
constexpr int kWindow = 30;       // cycles: long enough for the sweeps to have reached their most
constexpr int kMaxSweeps = 100;   // per cycle: as dear as a subspace solve of 300 unknowns
constexpr int kMaxDescents = 50;  // per cycle, steps that end at a bound: sweeps are due then

struct Solver {
    const BoxLcp& problem;
    const PgsSmSettings& settings;
    PgsSmWorkspace& ws;
    BoxResult& result;
    bool symmetric = true;
    int sweeps = 0;  // of the next cycle

    // Keeps the current point if it is the best so far; true when it is a solution.
    bool consider() { return ws.consider(problem) <= settings.stop.tolerance; }
};

// Moves by the whole step; what passes a bound is clamped. Returns whether something did.
bool move_and_clamp(Solver& s) {
    PgsSmWorkspace& ws = s.ws;
    bool clamped = false;
    for (const int i : ws.face.members) {
        const double target = ws.z[i] + ws.face.step[i];
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
    find_members(s.problem, ws.z, ws.face);
    if (!factor_face(s.problem.A, s.symmetric, kFacePivot, ws.face)) return false;
    find_step(ws.w, ws.face);
    ++s.result.pivots;
    met = bounds == Bounds::kProject ? move_and_clamp(s)
                                     : move_to_bound(s.problem, 1, ws.face, ws.z, ws.w);
    return true;
}

// Goes down to the minimum on the free set, which shrinks by one at every bound on the way: nothing
// here can raise the objective.
void descend(Solver& s) {
    const Index limit = std::min<Index>(s.ws.z.size(), kMaxDescents);
    for (Index k = 0; k < limit; ++k) {
        bool met = false;
        if (!minimise(s, Bounds::kStopAtFirst, met) || s.consider()) return;
        if (met) continue;
        const FlatMove move = follow_flat_direction(s.problem, s.ws.face, s.ws.z, s.ws.w);
        if (move != FlatMove::kMoved || s.consider()) return;
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
    const bool stuck = !kept || ws.face.factor.rank < ws.face.factor.size;
    // Not in the first cycle: the next sweeps are cheaper where they are enough.
    if (s.symmetric && stuck && s.result.iterations > 1) descend(s);
    return kept;
}

void run_cycle(Solver& s) {
    PgsSmWorkspace& ws = s.ws;
    for (int k = 0; k < s.sweeps; ++k) pgs_sweep(s.problem, ws.z, ws.w);
    evaluate(s.problem, ws.z, ws.w);
    if (s.consider()) return;
    s.sweeps = improve(s) ? s.settings.k_pgs : std::min(2 * s.sweeps, kMaxSweeps);
}

}  // namespace

void solve_pgs_sm(const BoxLcp& problem, const PgsSmSettings& settings, const VecX& guess,
                  PgsSmWorkspace& ws, BoxResult& result) {
    if (!begin(problem, guess, ws.z, result)) return;
    reserve(ws.face, problem.b.size());
    Solver solver{problem, settings, ws, result, is_symmetric(problem.A), settings.k_pgs};
    solve_by_passes(problem, settings.stop, kCycles, kWindow, ws, result, [&] {
        run_cycle(solver);
        return true;
    });
}

}  // namespace stiction
