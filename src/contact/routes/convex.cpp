// convex.cpp - which of the two methods, from which start.
#include "contact/routes/convex.h"

#include <algorithm>

#include "contact/island/row_states.h"
#include "contact/routes/pivoting.h"
#include "contact/routes/sweeps.h"

namespace stiction {

namespace {

constexpr int kMaxSweeps = 300;   // of an island that is not factored: later ones gain little
constexpr int kFirstSweeps = 60;  // before a pile is factored: by then most states are right
constexpr int kPileFactors = 15;  // factorisations after them: they end soon or not at all
constexpr double kSwept = 1e-6;   // accuracy of sweeps: tighter costs more than it is worth

// Sweeps that a budget allows; 0: none is set.
int most_sweeps(int budget) { return budget > 0 ? budget : kMaxSweeps; }

IslandResult sweep_from(const IslandTask& task, const SolveSettings& stop, const VecX& v_from,
                        IslandRows& rows, VecX& v) {
    return island_result("sweeps", sweep_rows(task.problem, task.island, {stop}, v_from,
                                              task.workspace.sweeps(), rows, v));
}

IslandResult sweep_from_guess(const IslandTask& task, double tolerance, int most) {
    guess_impulses(task, task.workspace.rows);
    return sweep_from(task, {tolerance, most, task.stop.deadline}, task.problem.v_free,
                      task.workspace.rows, task.solution.v);
}

IslandResult pivot_from(const IslandTask& task, const SolveSettings& settings, const VecX& v_from,
                        IslandRows& rows, VecX& v) {
    const PivotingReport report =
        solve_by_pivoting(task.problem.system, settings, v_from, task.workspace.pivoting(), rows,
                          task.shared.momentum, v);
    return island_result("sparse_ppm", report, report.pivots);
}

}  // namespace

// The factors of a pile fill: rather find out cheaply which rows act than change them one
// factorisation after the other.
IslandResult pivot(const IslandTask& task) {
    SolveSettings left = task.stop;
    int sweeps = 0;
    if (is_pile(task.size)) {
        const int budget = task.stop.max_iterations;
        const int most = std::min(kFirstSweeps, most_sweeps(budget));
        const IslandResult swept = sweep_from_guess(task, task.stop.tolerance, most);
        if (spent(task, swept.iterations)) return swept;
        sweeps = swept.iterations;
        left.max_iterations = budget == 0 ? kPileFactors : budget - sweeps;
    }
    IslandResult result =
        pivot_from(task, left, task.problem.v_free, task.workspace.rows, task.solution.v);
    result.iterations += sweeps;
    return result;
}

IslandResult sweep_convex(const IslandTask& task) {
    return sweep_from_guess(task, std::max(task.stop.tolerance, kSwept),
                            most_sweeps(task.stop.max_iterations));
}

IslandResult solve_convex(const IslandTask& task) {
    if (is_large_pile(task.size)) return sweep_convex(task);
    IslandResult result = pivot(task);
    // What pivoting leaves when it does not end may be anything; sweeps only ever get nearer.
    if (result.status == SolveStatus::kSolved || !is_pile(task.size) ||
        spent(task, result.iterations))
        return result;
    const int iterations = result.iterations;
    result = sweep_convex(task);
    result.iterations += iterations;
    result.fallback = true;
    return result;
}

IslandResult solve_normal_rows(const IslandTask& task, const VecX& v_from, IslandRows& rows,
                               VecX& v) {
    SolveSettings settings = task.stop;
    if (is_large_pile(task.size)) {
        settings.tolerance = kSwept;
        settings.max_iterations = most_sweeps(settings.max_iterations);
        return sweep_from(task, settings, v_from, rows, v);
    }
    settings.tolerance = kPivotingTolerance;
    return pivot_from(task, settings, v_from, rows, v);
}

IslandResult solve_frictionless(const IslandTask& task) {
    build_rows(task, {});
    IslandTask safe = task;
    safe.stop.tolerance = kPivotingTolerance;
    IslandResult result = solve_convex(safe);
    set_impulses(task, task.workspace.rows);
    result.solver = "frictionless";
    result.fallback = true;
    return result;
}

}  // namespace stiction
