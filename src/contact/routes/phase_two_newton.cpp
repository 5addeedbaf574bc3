// phase_two_newton.cpp - phase II by the proximal Newton method. Without the bound kappa it is the
// program of the relaxed cones on bodies, whose answer closes no gap; only where that presses by
// more than kappa in all are the gaps and the sum constraints of their own.
#include <algorithm>
#include <cmath>

#include "contact/island/delassus.h"
#include "contact/island/operators.h"
#include "contact/routes/dissipation_operator.h"
#include "contact/routes/ladder.h"
#include "contact/routes/newton.h"
#include "contact/routes/phase_two.h"

namespace stiction {

namespace {

constexpr double kKappaSlack = 1e-9;  // relative, as the other routes have it
constexpr double kAccuracy = 0.05;    // of the tolerance: kappa counts among many rows
constexpr int kMaxSteps = 300;        // factorisations of the whole program, unless told

double sum_of_normals(const Triples& triples, const VecX& x) {
    double sum = 0;
    for (std::size_t a = 0; a < triples.all.size(); ++a) {
        if (triples.all[a].contact != kNone) sum += x[3 * static_cast<Eigen::Index>(a)];
    }
    return sum;
}

// Impulses of phase I, which the solution holds, by triples.
void take_phase_one(const IslandTask& task, VecX& x) {
    const IslandRows& rows = task.workspace.rows;
    const Triples& triples = task.workspace.triples;
    x.setZero(triples.r.size());
    for (std::size_t a = 0; a < triples.all.size(); ++a) {
        for (std::size_t k = 0; k < 3; ++k) {
            const int r = triples.all[a].row[k];
            if (r != kNone)
                x[static_cast<Eigen::Index>(3 * a + k)] =
                    impulse_of(rows.source[at(r)], task.solution);
        }
    }
}

// s of the cones, per block of the whole program; null where all are zero.
const VecX* set_offsets(const IslandTask& task, VecX& offset) {
    const PhaseTwoWorkspace& ws = task.workspace.phase_two();
    const std::vector<Triple>& all = task.workspace.triples.all;
    if (ws.viscous_bound.empty()) return nullptr;
    offset.setZero(2 * static_cast<Eigen::Index>(all.size()) + 1);
    for (std::size_t a = 0; a < all.size(); ++a) {
        if (all[a].contact != kNone)
            offset[static_cast<Eigen::Index>(a)] = ws.bound(all[a].contact);
    }
    return &offset;
}

// The whole program, from the x of the relaxed one. Leaves x in ws.x.
SolveReport solve_whole(const IslandTask& task, PhaseTwoNewton& ws) {
    const Triples& triples = task.workspace.triples;
    const double kappa = task.workspace.phase_two().kappa * (1 + kKappaSlack);
    ws.W.prepare(task.problem, task.island, task.workspace.rows, triples);
    ws.W.make_problem(task.problem.v_free, kappa, task.workspace.body_newton().laws, ws.laws, ws.q,
                      ws.weight);
    ws.newton.r.setZero(ws.q.size());
    ws.newton.r.head(ws.x.size()) = ws.x;
    ws.W.multiply(ws.newton.r, ws.newton.u);
    ws.newton.u += ws.q;
    ws.result.iterations = ws.result.factorisations = 0;
    ws.result.status = SolveStatus::kIterationLimit;
    keep(ws.newton.r, ws.newton.u, residual(ws.laws, ws.q, ws.weight, ws.newton.r, ws.newton.u),
         ws.result);
    ProxNewtonSettings settings{task.stop, task.stop.tolerance};
    settings.stop.tolerance *= kAccuracy;
    if (task.stop.max_iterations == 0) settings.stop.max_iterations = kMaxSteps;
    solve_prox_newton(ws.laws, ws.q, ws.weight, ws.W, settings, ws.newton, ws.result);
    if (ws.result.status == SolveStatus::kIterationLimit &&
        ws.result.residual <= task.stop.tolerance)
        ws.result.status = SolveStatus::kSolved;
    for (Eigen::Index a = 0; a < ws.x.size() / 3; ++a) {
        const Vec3 x = ws.result.r.segment<3>(3 * a);
        ws.x.segment<3>(3 * a) = with_law(ws.laws, static_cast<int>(a),
                                          [&](const auto& law) { return law.project(1, x); });
    }
    return ws.result;
}

// The largest share of x in x_one + share (x - x_one) with which gaps stay open and the sum below
// kappa, to the tolerance: the feasible set is convex and holds x_one, so all shares below do too.
double feasible_share(const IslandTask& task, PhaseTwoNewton& ws) {
    const Triples& triples = task.workspace.triples;
    const IslandRows& rows = task.workspace.rows;
    BodyNewton& bodies = task.workspace.body_newton();
    const VecX& q = bodies.q;
    bodies.W.multiply(ws.x_one, ws.u_one);
    bodies.W.multiply(ws.x, ws.u);
    const double energy_one = 0.5 * ws.x_one.dot(ws.u_one) + ws.x_one.dot(q);
    const double energy = 0.5 * ws.x.dot(ws.u) + ws.x.dot(q);
    if (!(energy <= energy_one)) return 0;
    const double slack = task.stop.tolerance * q.norm();
    double share = 1;
    const auto keep_above = [&](double from, double to, double least) {
        if (to < least) share = std::min(share, std::max(0.0, (from - least) / (from - to)));
    };
    for (std::size_t a = 0; a < triples.all.size(); ++a) {
        for (std::size_t k = 0; k < 3; ++k) {
            const int r = triples.all[a].row[k];
            if (r == kNone) continue;
            const RowSource::Kind kind = rows.source[at(r)].kind;
            const bool joint = kind == RowSource::Kind::kJoint;
            if (!joint && kind != RowSource::Kind::kNormal && kind != RowSource::Kind::kLimit)
                continue;
            const auto i = static_cast<Eigen::Index>(3 * a + k);
            keep_above(ws.u_one[i] + q[i], ws.u[i] + q[i], -slack);
            if (joint) keep_above(-ws.u_one[i] - q[i], -ws.u[i] - q[i], -slack);
        }
    }
    const double kappa = task.workspace.phase_two().kappa * (1 + task.stop.tolerance);
    keep_above(-sum_of_normals(triples, ws.x_one), -sum_of_normals(triples, ws.x), -kappa);
    return share;
}

}  // namespace

IslandResult solve_phase_two_newton(const IslandTask& task) {
    IslandWorkspace& island = task.workspace;
    PhaseTwoNewton& ws = island.phase_two_newton();
    build_warm_triples(task);
    take_phase_one(task, ws.x_one);
    IslandResult result = solve_by_newton(task, {nullptr, true, set_offsets(task, ws.offset)});
    ws.x = island.triples.r;
    const double kappa = island.phase_two().kappa;
    const bool keeps = sum_of_normals(island.triples, ws.x) <= kappa * (1 + kKappaSlack);
    if (result.status == SolveStatus::kSolved && keeps) return result;
    result.status = worse(result.status, SolveStatus::kIterationLimit);
    if (!spent(task, result.iterations)) {
        const int used = result.iterations;
        result = island_result("prox_newton", solve_whole(after(task, used), ws));
        result.iterations += used;
    }
    const bool solved = result.status == SolveStatus::kSolved;
    const double share = solved ? 1.0 : feasible_share(task, ws);
    island.triples.r = ws.x_one + share * (ws.x - ws.x_one);
    commit_triples(task);
    return result;
}

}  // namespace stiction
