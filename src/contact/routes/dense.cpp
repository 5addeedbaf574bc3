// dense.cpp - from rows to a dense problem between bounds, and back to velocities.
#include "contact/routes/dense.h"

#include <limits>

#include "contact/island/delassus.h"
#include "contact/island/operators.h"
#include "contact/island/whiten.h"
#include "contact/routes/coupled.h"
#include "contact/routes/ladder.h"

namespace stiction {

namespace {

// As many as the slowest of the papers' grasps takes to 1e-8: the reference may be slow, not wrong.
constexpr int kMaxSweeps = 20000;

// A row is wrong above the tolerance, an answer above ten times that, as in pivoting.cpp.
constexpr double kAccepted = 10;

// Solves ws.lcp into ws.result from ws.guess or ws.z.
void solve_box(DenseSolver solver, const SolveSettings& stop, DenseRoute& ws) {
    switch (solver) {
        case DenseSolver::kActiveSetQp:
            return solve_active_set_qp(ws.lcp, {exactly(stop)}, ws.guess, ws.active_set, ws.result);
        case DenseSolver::kBlockPivot:
            return solve_block_pivot(ws.lcp, {exactly(stop)}, ws.guess, ws.block_pivot, ws.result);
        case DenseSolver::kPgs: {
            SolveSettings sweeping = stop;
            if (stop.max_iterations == 0) sweeping.max_iterations = kMaxSweeps;
            return solve_pgs(ws.lcp, sweeping, ws.z, ws.pgs, ws.result);
        }
        case DenseSolver::kPgsSm: {
            PgsSmSettings settings = ws.pgs_sm_cycle;
            settings.stop = stop;
            return solve_pgs_sm(ws.lcp, settings, ws.z, ws.pgs_sm, ws.result);
        }
        case DenseSolver::kGradientProjection:
            return solve_gradient_projection(ws.lcp, {stop}, ws.z, ws.gradient, ws.result);
        case DenseSolver::kLemke: {
            reset(ws.result, ws.lcp.b.size());
            ws.result.status = SolveStatus::kNoSolution;
            if (!(ws.lcp.lo.array() > -std::numeric_limits<double>::infinity()).all()) return;
            const Lcp plain = to_lcp(ws.lcp);
            solve_lemke(plain, {exactly(stop)}, {}, ws.lemke, ws.lemke_result);
            finish(ws.lcp, from_lcp(ws.lcp, ws.lemke_result.z), ws.result);
            ws.result.status = ws.lemke_result.status;
            // Its own residual is that of scaled rows, bounds among them.
            const double accepted = kAccepted * exactly(stop).tolerance;
            if (ws.result.status == SolveStatus::kSolved &&
                !is_solution(ws.lcp, accepted, ws.result.z, ws.result.w))
                ws.result.status = SolveStatus::kIterationLimit;
            ws.result.pivots = ws.lemke_result.pivots;
            ws.result.iterations = ws.lemke_result.iterations;
            return;
        }
    }
}

IslandResult outcome(std::string_view solver, const DenseRoute& ws) {
    return island_result(solver,
                         {ws.result.status, ws.result.iterations,
                          relative_residual(ws.lcp, ws.result.z, ws.result.w)},
                         ws.result.pivots);
}

void give_answer(const DenseRoute& ws, IslandRows& rows) {
    for (std::size_t r = 0; r < rows.state.size(); ++r) {
        rows.c[r] = ws.result.z[static_cast<Eigen::Index>(r)];
        rows.state[r] = ws.result.state[r];
    }
}

}  // namespace

IslandResult solve_dense_rows(DenseSolver solver, const IslandTask& task) {
    const LinkSystem& system = task.problem.system;
    IslandRows& rows = task.workspace.rows;
    DenseRoute& ws = task.workspace.dense();
    make_box_lcp(system, rows, task.problem.v_free, ws.lcp);
    ws.guess = rows.state;
    ws.z = VecX::Zero(ws.lcp.b.size());
    solve_box(solver, task.stop, ws);
    give_answer(ws, rows);
    apply_impulses(system, rows, task.problem.v_free, task.shared.momentum, task.solution.v);
    return outcome(kDenseSolverNames[static_cast<std::size_t>(solver)], ws);
}

IslandResult solve_dense_triples(DenseSolver solver, const IslandTask& task) {
    IslandWorkspace& island = task.workspace;
    NewtonRoute& newton = island.newton();
    DenseRoute& ws = island.dense();
    make_cone_problem(task.problem, island.rows, island.triples, newton.delassus, newton.problem);
    ws.lcp = {to_dense(newton.problem.W), newton.problem.q, newton.problem.lo, newton.problem.hi};
    ws.guess.clear();
    ws.z = island.triples.r;
    solve_box(solver, task.stop, ws);
    island.triples.r = ws.result.z;
    commit_triples(task);
    IslandResult result = outcome(kDenseSolverNames[static_cast<std::size_t>(solver)], ws);
    const bool refused = ws.result.status == SolveStatus::kNoSolution && ws.result.iterations == 0;
    if (refused) result.residual = no_answer().residual;
    return result;
}

IslandResult solve_whitened_rows(const IslandTask& task) {
    const LinkSystem& system = task.problem.system;
    IslandRows& rows = task.workspace.rows;
    DenseRoute& ws = task.workspace.dense();
    make_box_lcp(system, rows, task.problem.v_free, ws.lcp);
    whiten_rows(system, rows, ws.local, ws.Y);
    ws.guess = rows.state;
    const double accepted = kAccepted * exactly(task.stop).tolerance;
    solve_active_set_rows(ws.lcp, ws.Y, {{accepted, task.stop.max_iterations, task.stop.deadline}},
                          ws.guess, ws.active_set_rows, ws.result);
    give_answer(ws, rows);
    // v from p, not from the impulses: those of rows that nearly depend on one another are large
    // and cancel.
    add_whitened_velocity(system, rows.blocks, ws.local, ws.active_set_rows.p, task.problem.v_free,
                          task.solution.v);
    return outcome("active_set_rows", ws);
}

}  // namespace stiction
