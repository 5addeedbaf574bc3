// convex.cpp - which of the two methods, from which start.
#include "contact/routes/convex.h"

#include <algorithm>
#include <array>

#include "contact/island/row_states.h"
#include "contact/routes/ladder.h"
#include "contact/routes/newton.h"
#include "contact/routes/pivoting.h"
#include "contact/routes/sweeps.h"

namespace stiction {

namespace {

constexpr int kMaxSweeps = 300;      // of piles: later ones gain less than a factorisation
constexpr int kHelpedSweeps = 2000;  // of those that are not factored
constexpr int kSweepsAhead = 40;   // of those: further ones that are worth less than a Newton step
constexpr double kSwept = 1e-6;    // accuracy of piles without friction: tighter costs more
constexpr double kExactly = 1e-3;  // of the tolerance, where more is built on the answer
constexpr double kAccepted = 10;   // times the tolerance, as pivoting.cpp accepts an answer
constexpr int kFactorisations = 25;  // of pivoting: it ends soon or not at all

IslandResult sweep_from(const IslandTask& task, const SolveSettings& stop, const VecX& v_from,
                        IslandRows& rows, VecX& v, RowRevision* revision = nullptr) {
    SweepWorkspace& ws = task.workspace.sweeps();
    SweepSettings settings;
    settings.stop = stop;
    settings.pool = task.pool;
    const auto sweep_all = [&] {
        return island_result("sweeps", sweep_rows(task.problem, task.island, settings, v_from, ws,
                                                  rows, v, revision));
    };
    if (!is_helped(task.size)) return sweep_all();
    NewtonHelp help(task.problem, task.island, v_from, rows, ws.triples, nullptr,
                    task.workspace.body_newton());
    settings.give_up_ahead = kSweepsAhead;
    settings.help = &help;
    return sweep_all();
}

IslandResult pivot_from(const IslandTask& task, const SolveSettings& settings, const VecX& v_from,
                        IslandRows& rows, VecX& v) {
    const PivotingReport report =
        solve_by_pivoting(task.problem.system, settings, v_from, task.workspace.pivoting(), rows,
                          task.shared.momentum, v);
    return island_result("sparse_ppm", report, report.pivots);
}

IslandResult newton_from(const IslandTask& task, const SolveSettings& stop, const VecX& v_from,
                         IslandRows& rows, VecX& v) {
    return island_result(
        "prox_newton", newton_rows(task.problem, task.island, stop, v_from,
                                   task.workspace.body_newton(), rows, v, !is_iterated(task.size)));
}

// What is left of a budget, or the route's own limit.
SolveSettings limited(const SolveSettings& stop, int limit) {
    return {stop.tolerance, stop.max_iterations > 0 ? stop.max_iterations : limit, stop.deadline};
}

int sweeps_of(const IslandTask& task) { return is_helped(task.size) ? kHelpedSweeps : kMaxSweeps; }

constexpr std::array<Rung, 3> kConvex = {{
    {Rung::kChosen, is_pivoted, pivot},
    {Rung::kChosen, is_swept, sweep_convex},
    {Rung::kChosen, is_for_newton, newton_convex},
}};

}  // namespace

bool is_swept(const IslandTask& task) { return is_pile(task.size); }
bool is_pivoted(const IslandTask& task) { return !is_pile(task.size) && !needs_newton(task); }

IslandResult pivot(const IslandTask& task) {
    return pivot_from(task, limited(exactly(task.stop), kFactorisations), task.problem.v_free,
                      task.workspace.rows, task.solution.v);
}

IslandResult sweep_convex(const IslandTask& task) {
    guess_impulses(task, task.workspace.rows);
    return sweep_from(task, limited(task.stop, sweeps_of(task)), task.problem.v_free,
                      task.workspace.rows, task.solution.v, task.revision);
}

// Of a pile that was swept rows.c is the better guess.
IslandResult newton_convex(const IslandTask& task) {
    if (!is_swept(task)) guess_impulses(task, task.workspace.rows);
    keep_newton(task);
    SolveSettings stop = task.stop;
    stop.tolerance = std::max(stop.tolerance, kAccepted * exactly(stop).tolerance);
    return newton_from(task, stop, task.problem.v_free, task.workspace.rows, task.solution.v);
}

IslandResult solve_convex(const IslandTask& task) { return climb(kConvex, task); }

IslandResult solve_normal_rows(const IslandTask& task, const VecX& v_from, IslandRows& rows,
                               VecX& v, PileAccuracy accuracy) {
    const bool pile = is_swept(task);
    SolveSettings stop = limited(task.stop, pile ? sweeps_of(task) : kFactorisations);
    stop.tolerance = pile ? std::max(kSwept, task.stop.tolerance) : kPivotingTolerance;
    IslandResult result = no_answer();
    if (!pile) {
        result = pivot_from(task, stop, v_from, rows, v);
    } else if (accuracy != PileAccuracy::kNearby || !is_for_newton(task)) {
        result = sweep_from(task, stop, v_from, rows, v);
    }
    if (spent(task, result.iterations) || !is_for_newton(task)) return result;
    if (accuracy != PileAccuracy::kSwept)
        stop.tolerance = std::max(kPivotingTolerance, kExactly * task.stop.tolerance);
    if (result.status == SolveStatus::kSolved && result.residual <= stop.tolerance) return result;
    const int used = result.iterations;
    stop.max_iterations = after(task, used).stop.max_iterations;
    result = newton_from(task, stop, v_from, rows, v);
    result.iterations += used;
    return result;
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

IslandResult pivot_alone(const IslandTask& task, bool held) {
    build_rows(task, {.all_tangential = held});
    IslandTask safe = task;
    safe.stop = {kPivotingTolerance, 0, task.stop.deadline};
    IslandResult result = pivot(safe);
    set_impulses(task, task.workspace.rows);
    return result;
}

}  // namespace stiction
