// coulomb_cone.cpp - the Coulomb law on the true cone: sweeps, then a Newton method with W.
#include "contact/models/coulomb_cone.h"

#include "contact/routes/block_solve.h"

namespace stiction {

namespace {

bool contacts_only(const RowBlocks& rows) {
    for (const RowBlock& block : rows.blocks) {
        if (block.bounded) return false;
    }
    return true;
}

ConeSolver chosen(CoulombConeSolver solver) {
    switch (solver) {
        case CoulombConeSolver::kNewton:
            return ConeSolver::kNewton;
        case CoulombConeSolver::kInteriorPoint:
            return ConeSolver::kInteriorPoint;
        case CoulombConeSolver::kPgs:
            return ConeSolver::kPgs;
        default:
            return ConeSolver::kProxNewton;
    }
}

IslandResult solve_rows(const CoulombCone& model, const IslandTask& task) {
    const BlockSettings settings{model.tolerance, model.max_iterations, nullptr};
    if (model.solver == CoulombConeSolver::kAuto) return solve_blocks_auto(settings, task);
    if (model.solver == CoulombConeSolver::kPgs && can_sweep(task.problem, task.island)) {
        return sweep_blocks(settings, true, task);
    }
    // newton, interior_point and pgs with W take contacts only.
    ConeSolver solver = chosen(model.solver);
    if (!contacts_only(task.workspace.cone.rows)) solver = ConeSolver::kProxNewton;
    IslandResult result = solve_blocks(settings, solver, task);
    result.fallback = solver != chosen(model.solver);
    const int iterations = result.iterations;
    if (result.status == SolveStatus::kSolved || solver == ConeSolver::kProxNewton ||
        spent(task, iterations))
        return result;
    result = solve_blocks({model.tolerance, iterations_left(task, iterations), nullptr},
                          ConeSolver::kProxNewton, task);
    result.iterations += iterations;
    result.fallback = true;
    return result;
}

}  // namespace

IslandResult solve_island(const CoulombCone& model, const IslandTask& task) {
    build_warm_row_blocks(task);
    return finish_blocks(solve_rows(model, task), task);
}

}  // namespace stiction
