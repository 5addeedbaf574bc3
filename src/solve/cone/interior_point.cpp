// interior_point.cpp - convex programs, relaxed and Coulomb cone problems as problems of the one
// iteration, each with the residual of its own law.
#include "solve/cone/interior_point.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solve/cone/interior_point_iteration.h"

namespace stiction {

namespace {

using Workspace = InteriorPointWorkspace;

// Both entries for cone problems. measure(r, u) is the residual of the law that is solved.
template <typename Measure>
void solve_cone_problem(const ConeProblem& problem, bool coulomb, const SolveSettings& settings,
                        const VecX& guess, Measure&& measure, Workspace& ws, ConeResult& result) {
    VecX& start = ws.trial;
    if (!begin_contacts(problem, guess, start, result)) return;
    ws.best_x.setZero(problem.q.size());
    ws.best_v.resize(0);
    double best = measure(ws.best_x, problem.q);
    multiply_add(problem.W, start, problem.q, ws.u);
    if (const double guessed = measure(start, ws.u); guessed < best) {
        best = guessed;
        ws.best_x = start;
    }
    interior_point::Problem view{problem.W, problem.q, problem.mu};
    view.coulomb = coulomb;
    const interior_point::Outcome outcome = interior_point::iterate(
        view, settings.tolerance, settings.max_iterations, settings.deadline, best,
        [&](const VecX& x, const VecX&, const VecX& u) { return measure(x, u); }, ws);
    multiply_add(problem.W, ws.best_x, problem.q, ws.u);
    keep(ws.best_x, ws.u, residual(problem, ws.best_x, ws.u), result);
    result.status = outcome.status;
    result.iterations = outcome.iterations;
    result.factorisations = outcome.factorisations;
}

}  // namespace

void solve_interior_point(const ConeQp& qp, const SolveSettings& settings, Workspace& workspace,
                          ConeQpResult& result) {
    Workspace& ws = workspace;
    result.iterations = result.factorisations = 0;
    ws.best_x.setZero(qp.c.size());
    ws.best_v.setZero(qp.d.size());
    if (!is_valid(qp)) {
        result.x = ws.best_x;
        result.y = ws.best_v;
        result.status = SolveStatus::kNotFinite;
        result.residual = std::numeric_limits<double>::quiet_NaN();
        return;
    }
    result.residual = residual(qp, ws.best_x, ws.best_v, qp.c);
    const interior_point::Problem view{qp.H, qp.c, qp.mu, &qp.s, &qp.C, &qp.d};
    const interior_point::Outcome outcome = interior_point::iterate(
        view, settings.tolerance, settings.max_iterations, settings.deadline, result.residual,
        [&](const VecX& x, const VecX& v, const VecX& u) { return residual(qp, x, v, u); }, ws);
    result.x = ws.best_x;
    result.y = ws.best_v;
    result.status = outcome.status;
    result.iterations = outcome.iterations;
    result.factorisations = outcome.factorisations;
}

ConeResidual relaxed_residual(const ConeProblem& problem, const VecX& r, const VecX& u) {
    SquaredErrors errors;
    for (int a = 0; a < problem.contacts(); ++a) {
        errors.add(RelaxedLaw{problem.mu[a]}, block_weight(problem.W, a), r.segment<3>(3 * a),
                   u.segment<3>(3 * a));
    }
    return errors.residual(problem.q.norm());
}

void solve_convex_relaxation(const ConeProblem& problem, const SolveSettings& settings,
                             const VecX& guess, Workspace& workspace, ConeResult& result) {
    solve_cone_problem(
        problem, false, settings, guess,
        [&](const VecX& r, const VecX& u) { return relaxed_residual(problem, r, u).worst(); },
        workspace, result);
}

void solve_interior_point(const ConeProblem& problem, const SolveSettings& settings,
                          const VecX& guess, Workspace& workspace, ConeResult& result) {
    solve_cone_problem(
        problem, true, settings, guess,
        [&](const VecX& r, const VecX& u) { return residual(problem, r, u).worst(); }, workspace,
        result);
}

}  // namespace stiction
