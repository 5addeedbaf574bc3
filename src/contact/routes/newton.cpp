// newton.cpp - from triples to the proximal Newton method, and back.
#include "contact/routes/newton.h"

#include <cmath>

#include "contact/island/delassus.h"
#include "contact/island/operators.h"

namespace stiction {

namespace {

// Of the tolerance: bodies at rest have the same problem in the next step but for rounding.
constexpr double kAim = 0.01;

// Factorisations, unless told: the hardest structures at hand need 400, and what takes longer has
// impulses far beyond what the motion needs.
constexpr int kMaxSteps = 500;

// The start is the better of triples.r and no impulses.
void begin(const VecX& guess, BodyNewton& ws) {
    ConeResult& result = ws.result;
    result.iterations = result.factorisations = 0;
    result.status = SolveStatus::kIterationLimit;
    result.r.setZero(ws.q.size());
    keep(result.r, ws.q, residual(ws.laws, ws.q, ws.W.weights(), result.r, ws.q), result);
    ws.newton.r = guess;
    ws.W.multiply(ws.newton.r, ws.newton.u);
    ws.newton.u += ws.q;
    const double start = residual(ws.laws, ws.q, ws.W.weights(), ws.newton.r, ws.newton.u).worst();
    if (start < result.residual) return;
    ws.newton.r = result.r;
    ws.newton.u = ws.q;
}

// From ws.newton.r; ws.laws but for their rows are set.
void solve(const ContactProblem& problem, const Island& island, const SolveSettings& stop,
           const VecX& v_from, const IslandRows& rows, const Triples& triples, BodyNewton& ws) {
    ws.W.prepare(problem, island, rows, triples);
    ws.W.free_velocity(v_from, ws.q);
    make_cone_laws(rows, triples, ws.laws);
    begin(triples.r, ws);
    if (std::isfinite(ws.result.residual)) {
        ProxNewtonSettings settings{stop, kAim * stop.tolerance};
        if (stop.max_iterations == 0) settings.stop.max_iterations = kMaxSteps;
        solve_prox_newton(ws.laws, ws.q, ws.W.weights(), ws.W, settings, ws.newton, ws.result);
    } else {
        ws.result.status = SolveStatus::kNotFinite;
    }
}

}  // namespace

IslandResult solve_by_newton(const IslandTask& task, const ContactLaw& law) {
    IslandWorkspace& island = task.workspace;
    BodyNewton& ws = island.body_newton();
    ws.laws.polygon = law.polygon;
    ws.laws.relaxed = law.relaxed;
    ws.laws.offset = law.offset;
    solve(task.problem, task.island, task.stop, task.problem.v_free, island.rows, island.triples,
          ws);
    island.triples.r = ws.result.r;
    commit_triples(task);
    return island_result("prox_newton", ws.result);
}

SolveReport newton_rows(const ContactProblem& problem, const Island& island,
                        const SolveSettings& stop, const VecX& v_from, BodyNewton& ws,
                        IslandRows& rows, VecX& v) {
    ws.laws.polygon = nullptr;
    ws.laws.relaxed = false;
    ws.laws.offset = nullptr;
    build_bounded_triples(problem, rows, ws.triples);
    solve(problem, island, stop, v_from, rows, ws.triples, ws);
    ws.triples.r = ws.result.r;
    take_bounded_triples(ws.triples, rows);
    ws.momentum.resize(v_from.size());
    apply_impulses(problem.system, rows, ws.triples, v_from, ws.momentum, v);
    return ws.result;
}

}  // namespace stiction
