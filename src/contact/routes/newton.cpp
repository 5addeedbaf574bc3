// newton.cpp - from triples to the proximal Newton method, and back.
#include "contact/routes/newton.h"

#include <limits>

#include "contact/island/delassus.h"

namespace stiction {

namespace {

// Of the tolerance: bodies at rest have the same problem in the next step but for rounding.
constexpr double kAim = 0.01;

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

}  // namespace

IslandResult solve_by_newton(const IslandTask& task, const ContactLaw& law) {
    IslandWorkspace& island = task.workspace;
    BodyNewton& ws = island.body_newton();
    ws.W.prepare(task.problem, task.island, island.rows, island.triples);
    ws.W.free_velocity(task.problem.v_free, ws.q);
    make_cone_laws(island.rows, island.triples, ws.laws);
    ws.laws.polygon = law.polygon;
    ws.laws.relaxed = law.relaxed;
    begin(island.triples.r, ws);
    if (std::isfinite(ws.result.residual)) {
        solve_prox_newton(ws.laws, ws.q, ws.W.weights(), ws.W,
                          {task.stop, kAim * task.stop.tolerance}, ws.newton, ws.result);
    } else {
        ws.result.status = SolveStatus::kNotFinite;
    }
    island.triples.r = ws.result.r;
    commit_triples(task);
    return island_result("prox_newton", ws.result);
}

}  // namespace stiction
