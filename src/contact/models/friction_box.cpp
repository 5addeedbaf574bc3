// friction_box.cpp - box friction with bounds from the last step.
#include "contact/models/friction_box.h"

#include <algorithm>
#include <limits>

#include "contact/routes/block_solve.h"
#include "contact/routes/dense_rows.h"

namespace stiction {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// c~_n of every contact of the island, in solution.c_n: that of the last step, or of a solve
// without friction where a contact is new.
void set_last_impulses(const IslandTask& task) {
    bool any_new = false;
    const auto for_each_contact = [&](const auto& act) {
        for (const int l : links_of(task)) {
            const LinkRows& range = task.problem.link_rows[at(l)];
            for (int i = range.contact_begin; i < range.contact_end; ++i) act(i);
        }
    };
    const auto is_new = [&](int i) { return task.shared.contact_guess[at(i)] == kNoGuess; };
    for_each_contact([&](int i) { any_new = any_new || is_new(i); });
    if (any_new) (void)solve_frictionless(task);
    for_each_contact([&](int i) {
        if (is_new(i)) return;
        const Vec3 n = task.problem.contacts[at(i)].n.head<3>();
        task.solution.c_n[at(i)] = std::max(0.0, n.dot(task.shared.impulse_guess[at(i)]));
    });
}

// Contacts become rows between bounds; every row gets the CFM.
void bound_contacts(const FrictionBox& model, const IslandTask& task) {
    for (RowBlock& block : task.workspace.cone.rows.blocks) {
        block.compliance.array() += model.cfm;
        if (block.contact == kNone) continue;
        const double limit = block.mu * task.solution.c_n[at(block.contact)];
        block.bounded = true;
        block.lo = Vec3(0, -limit, -limit);
        block.hi = Vec3(std::numeric_limits<double>::infinity(), limit, limit);
    }
}

DenseSolver dense_solver(FrictionBoxSolver solver) {
    switch (solver) {
        case FrictionBoxSolver::kPgs:
            return DenseSolver::kPgs;
        case FrictionBoxSolver::kPgsSm:
            return DenseSolver::kPgsSm;
        case FrictionBoxSolver::kBlockPivot:
            return DenseSolver::kBlockPivot;
        default:
            return DenseSolver::kLemke;
    }
}

// pgs_sm, block_pivot and lemke on the dense matrix, and pgs where a tree takes part.
IslandResult solve_dense(const FrictionBox& model, const IslandTask& task) {
    IslandConeWorkspace& ws = task.workspace.cone;
    DenseRowsWorkspace& dense = task.workspace.dense_rows;
    assemble_cone_problem(task.problem, ws.rows, ws.assembly, ws.problem);
    dense.lcp.A = to_dense(ws.problem.W);
    dense.lcp.b = ws.problem.q;
    dense.lcp.lo = ws.problem.lo;
    dense.lcp.hi = ws.problem.hi;
    dense.guess.clear();
    dense.z = ws.rows.r;
    const DenseSolver solver = dense_solver(model.solver);
    solve_box(solver, {model.tolerance, model.max_iterations, task.deadline}, dense);
    ws.rows.r = dense.result.z;
    IslandResult result;
    result.status = dense.result.status;
    result.solver = kDenseSolverNames[static_cast<std::size_t>(solver)];
    result.iterations = dense.result.iterations;
    result.residual = relative_residual(dense.lcp, dense.result.z, dense.result.w);
    result.pivots = dense.result.pivots;
    return result;
}

IslandResult solve_rows(const FrictionBox& model, const IslandTask& task) {
    const BlockSettings settings{model.tolerance, model.max_iterations, nullptr};
    if (model.solver == FrictionBoxSolver::kPgs && can_sweep(task.problem, task.island))
        return sweep_blocks(settings, true, task);
    switch (model.solver) {
        case FrictionBoxSolver::kAuto:
            return solve_blocks_auto(settings, task);
        case FrictionBoxSolver::kProxNewton:
            return solve_blocks(settings, ConeSolver::kProxNewton, task);
        default: {
            IslandResult result = solve_dense(model, task);
            const int iterations = result.iterations;
            // Lemke refuses joint rows: that has spent nothing and is no answer.
            if (result.status == SolveStatus::kSolved ||
                (result.status != SolveStatus::kNoSolution &&
                 spent(task, std::max(iterations, result.pivots))))
                return result;
            result = solve_blocks({model.tolerance, iterations_left(task, iterations), nullptr},
                                  ConeSolver::kProxNewton, task);
            result.iterations += iterations;
            result.fallback = true;
            return result;
        }
    }
}

}  // namespace

IslandResult solve_island(const FrictionBox& model, const IslandTask& task) {
    set_last_impulses(task);
    build_warm_row_blocks(task);
    bound_contacts(model, task);
    const IslandResult result = solve_rows(model, task);
    for (const RowBlock& block : task.workspace.cone.rows.blocks) {
        if (block.contact != kNone) task.shared.next_contacts[at(block.contact)] = 0;
    }
    return finish_blocks(result, task);
}

}  // namespace stiction
