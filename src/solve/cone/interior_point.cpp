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
void solve_cone_problem(const ConeProblem& problem, bool coulomb, const ConeSettings& settings,
                        const VecX& guess, Measure&& measure, Workspace& ws, ConeResult& result) {
    if (!is_valid(problem)) {
        reset(problem, result);
        result.status = SolveStatus::kNotFinite;
        return;
    }
    if (!problem.bounded.empty()) {
        reset(problem, result);
        result.status = SolveStatus::kIterationLimit;
        return;
    }
    ws.best_x.setZero(problem.q.size());
    ws.best_v.resize(0);
    double best = measure(ws.best_x, problem.q);
    if (guess.size() == problem.q.size() && guess.allFinite()) {
        multiply_add(problem.W, guess, problem.q, ws.u);
        const double residual = measure(guess, ws.u);
        if (residual < best) {
            best = residual;
            ws.best_x = guess;
        }
    }
    interior_point::Problem view{problem.W, problem.q, problem.mu};
    view.coulomb = coulomb;
    const interior_point::Outcome outcome = interior_point::iterate(
        view, settings.tolerance, settings.max_iterations, settings.deadline, best,
        [&](const VecX& x, const VecX&, const VecX& u) { return measure(x, u); }, ws);
    result.r = ws.best_x;
    multiply_add(problem.W, result.r, problem.q, result.u);
    result.status = outcome.status;
    result.iterations = outcome.iterations;
    result.factorisations = outcome.factorisations;
    result.residual = residual(problem, result.r, result.u);
}

}  // namespace

void solve_interior_point(const ConeQp& qp, const ConeQpSettings& settings, Workspace& workspace,
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
    double natural = 0;
    double scaled = 0;
    for (int a = 0; a < problem.contacts(); ++a) {
        const double mu = problem.mu[a];
        const double weight = problem.W.at_diagonal(a).trace() / 3;
        const Vec3 r_a = r.segment<3>(3 * a);
        const Vec3 u_a = u.segment<3>(3 * a);
        const Vec3 x = weight * r_a;
        natural += (r_a - project_on_cone(mu, 0, r_a - u_a)).squaredNorm();
        scaled += (x - project_on_cone(mu, 0, x - u_a)).squaredNorm();
    }
    const double size = problem.q.norm();
    return {std::sqrt(natural) / std::max(1.0, size),
            size > 0 ? std::sqrt(scaled) / size : std::sqrt(scaled)};
}

void solve_convex_relaxation(const ConeProblem& problem, const ConeSettings& settings,
                             const VecX& guess, Workspace& workspace, ConeResult& result) {
    solve_cone_problem(
        problem, false, settings, guess,
        [&](const VecX& r, const VecX& u) { return relaxed_residual(problem, r, u).worst(); },
        workspace, result);
}

void solve_interior_point(const ConeProblem& problem, const ConeSettings& settings,
                          const VecX& guess, Workspace& workspace, ConeResult& result) {
    solve_cone_problem(
        problem, true, settings, guess,
        [&](const VecX& r, const VecX& u) { return residual(problem, r, u).worst(); }, workspace,
        result);
}

}  // namespace stiction
