// block_solve.cpp - sweeps, then Newton with W, then the safe answer.
#include "contact/routes/block_solve.h"

#include <algorithm>

namespace stiction {

namespace {

constexpr int kDefaultSweeps = 2000;
constexpr int kSweepsAhead = 40;        // further ones that are worth less than a factorisation
constexpr int kLargestFactored = 1500;  // blocks
constexpr int kLargestPile = 250;       // links of an entangled island: its factors fill
constexpr double kUseless = 0.1;        // residual above which no friction is the better answer
constexpr double kWorthless = 1.0;      // residual above which none at all is

IslandResult outcome(SolveStatus status, std::string_view solver, int iterations, double residual) {
    IslandResult result;
    result.status = status;
    result.solver = solver;
    result.iterations = iterations;
    result.residual = residual;
    return result;
}

BlockSettings for_piles(BlockSettings settings) {
    if (settings.max_iterations == 0) settings.max_iterations = kPileSweeps;
    return settings;
}

}  // namespace

void build_warm_row_blocks(const IslandTask& task) {
    RowBlocks& rows = task.workspace.cone.rows;
    build_row_blocks(task.problem, task.island, rows);
    const Guess& guess = task.guess;
    const bool same_joints = guess.joint_impulses.size() == task.problem.joints.size();
    const bool same_bounded = guess.bounded_impulses.size() == task.problem.bounded.size();
    for (std::size_t b = 0; b < rows.blocks.size(); ++b) {
        const RowBlock& block = rows.blocks[b];
        auto r = rows.r.segment<3>(3 * static_cast<Eigen::Index>(b));
        if (block.contact != kNone) {
            r = block.G.leftCols<3>() *
                task.shared.impulse_guess[static_cast<std::size_t>(block.contact)];
            continue;
        }
        for (int k = 0; k < block.rows; ++k) {
            const RowSource& source = block.source[static_cast<std::size_t>(k)];
            const auto i = static_cast<std::size_t>(source.index);
            if (source.kind == RowSource::Kind::kJoint && same_joints) {
                r[k] = guess.joint_impulses[i];
            } else if (source.kind == RowSource::Kind::kBounded && same_bounded) {
                r[k] = guess.bounded_impulses[i];
            }
        }
    }
}

IslandResult sweep_blocks(const BlockSettings& settings, bool to_the_end, const IslandTask& task) {
    IslandConeWorkspace& ws = task.workspace.cone;
    apply_row_impulses(task.problem, task.island, ws.rows, task.shared.momentum, task.solution.v);
    SweepSettings sweeping;
    sweeping.tolerance = settings.tolerance;
    sweeping.max_sweeps = settings.max_iterations > 0 ? settings.max_iterations : kDefaultSweeps;
    sweeping.give_up_ahead = to_the_end ? 0 : kSweepsAhead;
    sweeping.polygon = settings.polygon;
    sweeping.deadline = task.deadline;
    const SweepResult swept =
        sweep(task.problem, task.island, sweeping, ws.sweeps, ws.rows, task.solution.v);
    const SolveStatus status = swept.solved ? SolveStatus::kSolved
                               : swept.late ? SolveStatus::kBudget
                                            : SolveStatus::kIterationLimit;
    return outcome(status, "pgs", swept.sweeps, swept.residual.worst());
}

IslandResult solve_blocks(const BlockSettings& settings, ConeSolver solver,
                          const IslandTask& task) {
    IslandConeWorkspace& ws = task.workspace.cone;
    assemble_cone_problem(task.problem, ws.rows, ws.assembly, ws.problem);
    solve_cone(solver, ws.problem, {settings.tolerance, settings.max_iterations, task.deadline},
               ws.rows.r, ws.solvers, ws.result);
    ws.rows.r = ws.result.r;
    return outcome(ws.result.status, name(solver), ws.result.iterations, ws.result.residual);
}

IslandResult solve_blocks_auto(const BlockSettings& settings, const IslandTask& task) {
    const bool large =
        task.workspace.cone.rows.blocks.size() > static_cast<std::size_t>(kLargestFactored) ||
        prefers_sweeps(task.problem.system, links_of(task), blocks_of(task), kLargestPile,
                       task.workspace.links_per_body);
    int sweeps = 0;
    if (can_sweep(task.problem, task.island)) {
        const IslandResult swept =
            sweep_blocks(large ? for_piles(settings) : settings, large, task);
        if (swept.status == SolveStatus::kSolved || large || spent(task, swept.iterations))
            return swept;
        sweeps = swept.iterations;
    }
    BlockSettings left = settings;
    if (settings.max_iterations > 0)
        left.max_iterations = std::max(1, settings.max_iterations - sweeps);
    IslandResult result = solve_blocks(left, ConeSolver::kProxNewton, task);
    result.iterations += sweeps;
    return result;
}

IslandResult finish_blocks(IslandResult result, const IslandTask& task) {
    if (!(result.residual < (spent(task, result.iterations) ? kWorthless : kUseless))) {
        IslandResult safe = solve_frictionless(task);
        safe.status = worse(safe.status, result.status);
        safe.iterations += result.iterations;
        return safe;
    }
    const RowBlocks& rows = task.workspace.cone.rows;
    apply_row_impulses(task.problem, task.island, rows, task.shared.momentum, task.solution.v);
    clear_impulses(task);
    add_impulses(rows, task.solution);
    return result;
}

}  // namespace stiction
