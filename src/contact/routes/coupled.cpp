// coupled.cpp - sweeps, and solves with W.
#include "contact/routes/coupled.h"

#include "contact/island/operators.h"
#include "contact/routes/newton.h"
#include "contact/routes/sweeps.h"

namespace stiction {

namespace {

constexpr int kMaxSweeps = 2000;  // of islands that could be factored instead, and helped ones
constexpr int kSweepsAhead = 40;  // further ones that are worth less than a Newton step

IslandResult sweep_by(const IslandTask& task, SweepSettings settings) {
    IslandWorkspace& ws = task.workspace;
    apply_impulses(task.problem.system, ws.rows, ws.triples, task.problem.v_free,
                   task.shared.momentum, task.solution.v);
    settings.pool = task.pool;
    if (settings.stop.max_iterations == 0) settings.stop.max_iterations = kMaxSweeps;
    const SolveReport report = sweep(task.problem, task.island, settings, ws.rows,
                                     task.problem.v_free, ws.sweeps(), ws.triples, task.solution.v);
    commit_triples(task);
    return island_result("sweeps", report);
}

}  // namespace

IslandResult sweep_triples(const IslandTask& task, bool to_the_end,
                           const FrictionDirections* polygon) {
    return sweep_by(task, {task.stop, to_the_end ? 0 : kSweepsAhead, polygon});
}

IslandResult sweep_triples_auto(const IslandTask& task, const FrictionDirections* polygon) {
    // Newton steps on the states of a pile this large go astray, however well they are solved.
    if (is_large_pile(task.size) && is_iterated(task.size))
        return sweep_triples(task, true, polygon);
    if (!is_helped(task.size)) return sweep_triples(task, false, polygon);
    IslandWorkspace& ws = task.workspace;
    NewtonHelp help(task.problem, task.island, task.problem.v_free, ws.rows, ws.triples, polygon,
                    ws.body_newton());
    return sweep_by(task, {task.stop, kSweepsAhead, polygon, 0, &help});
}

IslandResult solve_with_W(ConeSolver solver, const IslandTask& task) {
    IslandWorkspace& ws = task.workspace;
    NewtonRoute& newton = ws.newton();
    make_cone_problem(task.problem, ws.rows, ws.triples, newton.delassus, newton.problem);
    solve_cone(solver, newton.problem, task.stop, ws.triples.r, newton.solvers, newton.result);
    ws.triples.r = newton.result.r;
    commit_triples(task);
    return island_result(name(solver), newton.result);
}

IslandResult solve_by_prox_newton(const IslandTask& task) {
    if (task.workspace.triples.all.size() <= at(kMatrixTriples))
        return solve_with_W(ConeSolver::kProxNewton, task);
    return solve_by_newton(task);
}

}  // namespace stiction
