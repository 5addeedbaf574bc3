// phase_two_newton.cpp - phase II by the proximal Newton method. Without the bound kappa it is the
// program of the relaxed cones on bodies, whose answer closes no gap; only where that presses by
// more than kappa in all are the gaps and the sum constraints of their own.
#include "contact/routes/dissipation_operator.h"
#include "contact/routes/ladder.h"
#include "contact/routes/phase_two.h"
#include "contact/routes/phase_two_triples.h"

namespace stiction {

namespace {

// The program without gaps and kappa, where kappa did not count in the last step; whether it does not in
// this one either.
bool solve_relaxed(const IslandTask& task, IslandResult& result) {
    IslandWorkspace& island = task.workspace;
    PhaseTwoTriples& ws = island.phase_two_triples();
    if (island.phase_two().swept || ws.result.sigma > 0) return false;
    result = solve_prepared(task);
    ws.result.x = island.triples.r;
    return result.status == SolveStatus::kSolved &&
           sum_of_normals(island.triples, ws.result.x) <= phase_two_program(task).kappa;
}

}  // namespace

IslandResult solve_phase_two_newton(const IslandTask& task) {
    IslandWorkspace& island = task.workspace;
    PhaseTwoTriples& ws = island.phase_two_triples();
    PhaseTwoNewton& newton = island.phase_two_newton();
    if (!island.phase_two().swept) begin_phase_two(task);
    IslandResult result = no_answer();
    if (solve_relaxed(task, result)) return result;
    result.status = worse(result.status, SolveStatus::kIterationLimit);
    if (!spent(task, result.iterations)) {
        const int used = result.iterations;
        newton.A.prepare(island.body_newton().W);
        solve_dissipation(phase_two_program(task), newton.A, after(task, used).stop, newton.steps,
                          ws.result);
        result = island_result("prox_newton", ws.result);
        result.iterations += used;
    }
    commit_phase_two(task, result.status == SolveStatus::kSolved);
    return result;
}

}  // namespace stiction
