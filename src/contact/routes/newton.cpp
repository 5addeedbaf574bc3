// newton.cpp - from triples to the proximal Newton method, and back.
#include "contact/routes/newton.h"

#include <cmath>

#include "contact/island/delassus.h"
#include "contact/island/operators.h"

namespace stiction {

namespace {

// Of the tolerance: bodies at rest have the same problem in the next step but for rounding.
constexpr double kAim = 0.01;

// Factorisations, unless told: the hardest structures at hand need 520, and what takes longer has
// impulses far beyond what the motion needs.
constexpr int kMaxSteps = 1000;

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

// What is to be solved from the velocities v_from of no impulses.
void prepare(const ContactProblem& problem, const Island& island, const ContactLaw& law,
             const VecX& v_from, const IslandRows& rows, const Triples& triples, bool factored,
             BodyNewton& ws) {
    ws.laws.polygon = law.polygon;
    ws.laws.relaxed = law.relaxed;
    ws.laws.offset = law.offset;
    ws.W.prepare(problem, island, rows, triples, factored);
    ws.W.free_velocity(v_from, ws.q);
    make_cone_laws(rows, triples, ws.laws);
}

// The same, from r.
void solve(const SolveSettings& stop, const VecX& r, BodyNewton& ws) {
    begin(r, ws);
    if (std::isfinite(ws.result.residual)) {
        ProxNewtonSettings settings{stop, kAim * stop.tolerance};
        if (stop.max_iterations == 0) settings.stop.max_iterations = kMaxSteps;
        solve_prox_newton(ws.laws, ws.q, ws.W.weights(), ws.W, settings, ws.newton, ws.result);
    } else {
        ws.result.status = SolveStatus::kNotFinite;
    }
}

}  // namespace

void prepare_newton(const IslandTask& task, const ContactLaw& law) {
    IslandWorkspace& island = task.workspace;
    prepare(task.problem, task.island, law, task.problem.v_free, island.rows, island.triples,
            !is_iterated(task.size), island.body_newton());
}

IslandResult solve_by_newton(const IslandTask& task, const ContactLaw& law) {
    prepare_newton(task, law);
    return solve_prepared(task);
}

IslandResult solve_prepared(const IslandTask& task) {
    IslandWorkspace& island = task.workspace;
    BodyNewton& ws = island.body_newton();
    solve(task.stop, island.triples.r, ws);
    island.triples.r = ws.result.r;
    commit_triples(task);
    return island_result("prox_newton", ws.result);
}

void NewtonHelp::prepare() {
    stiction::prepare(problem_, island_, {polygon_}, v_from_, rows_, triples_, false, ws_);
    const auto nc = static_cast<std::size_t>(ws_.laws.contacts());
    symmetric_ = true;
    for (int a = 0; a < ws_.laws.contacts(); ++a)
        symmetric_ = symmetric_ && (ws_.laws.is_bounded(a) || ws_.laws.mu[a] == 0);
    ws_.newton.step.resize(ws_.q.size());
    ws_.newton.A.resize(nc);
    ws_.newton.B.resize(nc);
    ws_.newton.open.resize(nc);
    prepared_ = true;
}

bool NewtonHelp::improve(double regularisation, VecX& r, VecX& dv) {
    if (!prepared_) prepare();
    ProxNewtonWorkspace& ws = ws_.newton;
    const VecX& D = ws_.W.weights();
    ws_.W.multiply(r, ws.u);
    ws.u += ws_.q;
    for (int a = 0; a < ws_.laws.contacts(); ++a) {
        const Vec3 r_a = r.segment<3>(3 * a);
        Mat3& P = ws.B[at(a)];
        const Vec3 rest = with_law(ws_.laws, a, [&](const auto& law) {
            const Vec3 z = r_a - ws.u.segment<3>(3 * a) / D[a];
            ws.open[at(a)] = !law.answer_derivative(z, P);
            return Vec3(law.answer(z) - r_a);
        });
        ws.A[at(a)] = D[a] * (Mat3::Identity() - (1 - regularisation) * P);
        ws.step.segment<3>(3 * a) = ws.open[at(a)] ? rest : Vec3(D[a] * rest);
    }
    if (!ws_.W.factor(ws.A, ws.B, ws.open, symmetric_)) return false;
    ws_.W.solve(ws.step);
    if (!std::isfinite(ws.step.sum())) return false;
    for (int a = 0; a < ws_.laws.contacts(); ++a) {
        const Vec3 y = (r + ws.step).segment<3>(3 * a);
        r.segment<3>(3 * a) =
            with_law(ws_.laws, a, [&](const auto& law) { return law.project(1, y); });
    }
    ws_.W.multiply(r, ws.u);
    dv = ws_.W.velocities();
    return true;
}

SolveReport newton_rows(const ContactProblem& problem, const Island& island,
                        const SolveSettings& stop, const VecX& v_from, BodyNewton& ws,
                        IslandRows& rows, VecX& v, bool factored) {
    build_bounded_triples(problem, rows, ws.triples);
    prepare(problem, island, {}, v_from, rows, ws.triples, factored, ws);
    solve(stop, ws.triples.r, ws);
    ws.triples.r = ws.result.r;
    take_bounded_triples(ws.triples, rows);
    ws.momentum.resize(v_from.size());
    apply_impulses(problem.system, rows, ws.triples, v_from, ws.momentum, v);
    return ws.result;
}

}  // namespace stiction
