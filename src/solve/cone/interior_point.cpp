// interior_point.cpp - Mehrotra predictor-corrector with Nesterov-Todd scaling on friction cones;
// convex programs, relaxed and Coulomb cone problems are problems of the one iteration, each with
// the residual of its own law. The equations are in interior_point.h.
#include "solve/cone/interior_point.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {

namespace interior_point {

namespace {

// What is said of other values was counted on 2000 random problems of cones and of phase II.
constexpr int kMaxIterations = 100;  // 5 to 30 are usual
constexpr int kPatience = 30;  // without a better residual: half of it fails more, twice no less
constexpr double kMinSigma = 1e-3;   // the gap falls by no more than this at once: 0.1 is no faster
constexpr double kOffCentre = 0.03;  // least of y o z over its mean, else centre: 0.3 costs a third
constexpr double kCentringRatio = 3;  // residual over that of a centred point, else centre: without
                                      // that twice the iterations, three times the failures
constexpr double kFeasible = 0.3;  // part of F in the residual below which to centre: 0.1 to 1 do
// Proximal terms of x and v, relative to the weights: enough for a regular matrix, too little to be
// seen in a step. From nothing to 1e-8 makes no difference but for singular H.
constexpr double kProximal = 1e-12, kProximalRow = 1e-10;
constexpr double kFractionToBoundary = 0.99;  // 0.999 takes a tenth more iterations
constexpr double kCertificate = 1e8;  // infeasible if every feasible x is this much too large
constexpr double kSnap = 1e4;         // residual over tolerance from which to try snap(): from afar
                                      // it has the wrong contacts on the boundary

// A typical energy: x_N = sqrt(energy / w), u_N = sqrt(energy w) are of the right size for a
// contact of weight w, and all products of the start are equal.
double energy_scale(const Problem& problem) {
    double energy = 0;
    for (int a = 0; a < problem.contacts(); ++a) {
        const double w = block_weight(problem.H, a);
        const double s = problem.offset(a);
        energy += problem.c.segment<3>(3 * a).squaredNorm() / w + w * s * s;
    }
    energy /= std::max(1, problem.contacts());
    return energy > 0 ? energy : 1.0;
}

void start(const Problem& problem, double energy, Workspace& ws) {
    const int nc = problem.contacts();
    const int m = problem.rows();
    ws.contact.resize(at(nc));
    ws.x.setZero(3 * nc);
    for (int a = 0; a < nc; ++a) {
        Contact& k = ws.contact[at(a)];
        const double mu = problem.mu[a];
        const double s = problem.offset(a);
        k.has_cone = mu > 0 || s > 0;
        k.has_normal = s > 0 || mu == 0;
        k.weight = block_weight(problem.H, a);
        k.proximal = kProximal * k.weight;
        k.x_N = std::sqrt(energy / k.weight);
        ws.x[3 * a] = k.x_N;
        k.normal = energy / k.x_N;
        k.y.p = Vec3(mu * k.x_N + s, 0, 0);
        k.y.gap = k.y.p[0];
        k.z.p = Vec3(k.has_cone ? energy / k.y.p[0] : 0.0, 0, 0);
        k.z.gap = k.z.p[0];
    }
    ws.g.resize(m);
    ws.proximal_row.resize(m);
    ws.v.resize(m);
    if (m == 0) return;
    ws.g.noalias() = *problem.C * ws.x;
    ws.g -= *problem.d;
    for (int j = 0; j < m; ++j) {
        double gamma = 0;
        for (SparseRows::InnerIterator it(*problem.C, j); it; ++it) {
            const double w = ws.contact[at(static_cast<int>(it.col() / 3))].weight;
            gamma += it.value() * it.value() / w;
        }
        gamma = gamma > 0 ? gamma : 1.0;
        ws.g[j] = std::max(ws.g[j], std::sqrt(gamma * energy));
        ws.v[j] = energy / ws.g[j];
        ws.proximal_row[j] = kProximalRow * gamma;
    }
}

// The gradient u and the multipliers that would make the point central, into trial and row_trial.
void centred_multipliers(const Problem& problem, double mean, Workspace& ws) {
    ws.trial.resize(3 * problem.contacts());
    for (int a = 0; a < problem.contacts(); ++a) {
        const Contact& k = ws.contact[at(a)];
        Vec3 u(0, ws.u[3 * a + 1], ws.u[3 * a + 2]);
        if (k.has_cone) {
            u = mean * inverse(k.y);
            const double z_gap = mean / (k.y.p[0] + tangential_norm(k.y.p));
            u[0] = problem.mu[a] * (problem.coulomb ? z_gap : u[0]);
        }
        if (k.has_normal) u[0] += mean / k.x_N;
        ws.trial.segment<3>(3 * a) = u;
    }
    ws.row_trial = mean * ws.g.cwiseInverse();
}

// One projected step from x, into trial, with its gradient in Hdx: it puts on the boundary, or to
// zero, what the interior can only approach.
void snap(const Problem& problem, Workspace& ws) {
    ws.trial.resize(3 * problem.contacts());
    for (int a = 0; a < problem.contacts(); ++a) {
        Vec3 u = ws.u.segment<3>(3 * a);
        if (problem.coulomb) u[0] += problem.mu[a] * tangential_norm(u);
        const Vec3 x = ws.x.segment<3>(3 * a) - u / ws.contact[at(a)].weight;
        ws.trial.segment<3>(3 * a) = project_on_cone(problem.mu[a], problem.offset(a), x);
    }
    multiply_add(problem.H, ws.trial, problem.c, ws.Hdx);
    if (problem.rows() > 0) ws.Hdx.noalias() -= problem.C->transpose() * ws.v;
}

// Multipliers with  x . (Y z + n e + C'v) + s z_0 - d.v >= 0  for every feasible x: if the bracket
// is nearly zero and the rest negative, feasible x are far away or do not exist.
bool shows_infeasibility(const Problem& problem, double energy, Workspace& ws) {
    if (problem.rows() == 0) return false;
    double claim = problem.d->dot(ws.v);
    ws.trial.noalias() = problem.C->transpose() * ws.v;
    double bracket = 0;
    for (int a = 0; a < problem.contacts(); ++a) {
        const Contact& k = ws.contact[at(a)];
        Vec3 b = ws.trial.segment<3>(3 * a);
        if (k.has_normal) b[0] += k.normal;
        if (k.has_cone) {
            b += Vec3(problem.mu[a] * k.z.p[0], k.z.p[1], k.z.p[2]);
            claim -= problem.offset(a) * k.z.p[0];
        } else {
            b.tail<2>().setZero();  // there x_T = 0
        }
        bracket += b.squaredNorm() / k.weight;
    }
    // |x . b| <= |x| |b| in the norms with the weights, in which x is of size sqrt(nc energy).
    const double size = std::sqrt(energy * problem.contacts());
    return claim > 0 && claim > kCertificate * size * std::sqrt(bracket);
}

// Predictor and corrector with the factored system, towards the centre alone (sigma = 1) where the
// residual is far above that of the centred point. False if the step is not finite.
bool take_step(const Problem& problem, double residual, double centred, double mean,
               Workspace& ws) {
    aim_for_the_boundary(ws);
    const double reach = std::min(1.0, solve_steps(problem, ws));
    const double ratio = std::max(0.0, mean_product_after(reach, ws) / mean);
    double sigma = std::clamp(ratio * ratio * ratio, kMinSigma, 1.0);
    const bool is_feasible = ws.F.norm() < kFeasible * residual * problem.c.norm();
    if ((is_feasible && residual > kCentringRatio * centred) ||
        least_product(ws) < kOffCentre * mean) {
        sigma = 1;
    }
    const double share = reach * (1 - sigma) * (1 - sigma);
    aim_for_the_centre(problem, sigma * mean, share, ws);
    const double fraction = std::max(kFractionToBoundary, 1 - sigma);
    const double step = std::min(1.0, fraction * solve_steps(problem, ws));
    if (!std::isfinite(step)) return false;
    advance(problem, step, ws);
    return true;
}

// The iteration, from a start of its own to the tolerance. measure(x, v, u), u = H x + c - C'v, is
// the residual of the law that is solved; best_x and best_v hold a point and then the best one,
// `best` is its residual. Counts in the result.
template <typename Measure, typename Result>
SolveStatus iterate(const Problem& problem, const SolveSettings& settings, const Measure& measure,
                    double& best, Workspace& ws, Result& result) {
    if (best <= settings.tolerance) return SolveStatus::kSolved;
    const double energy = energy_scale(problem);
    start(problem, energy, ws);
    ws.dg.setZero(problem.rows());
    analyse(problem, ws);
    const int limit = settings.max_iterations > 0 ? settings.max_iterations : kMaxIterations;
    int last_improvement = 0;
    const auto keep_if_better = [&](const VecX& x, double residual) {
        if (!(residual < best)) return;
        best = residual;
        ws.best_x = x;
        ws.best_v = ws.v;
        last_improvement = result.iterations;
    };
    for (;; ++result.iterations) {
        evaluate(problem, ws);
        const double residual = measure(ws.x, ws.v, ws.u);
        keep_if_better(ws.x, residual);
        if (residual > settings.tolerance && residual < kSnap * settings.tolerance) {
            snap(problem, ws);
            keep_if_better(ws.trial, measure(ws.trial, ws.v, ws.Hdx));
        }
        if (best <= settings.tolerance) return SolveStatus::kSolved;
        if (shows_infeasibility(problem, energy, ws)) return SolveStatus::kNoSolution;
        if (result.iterations > 0 && settings.deadline.passed()) return SolveStatus::kBudget;
        if (result.iterations >= limit || result.iterations - last_improvement >= kPatience ||
            !linearise(problem, ws)) {
            return SolveStatus::kIterationLimit;
        }
        const double mean = mean_product(ws);
        centred_multipliers(problem, mean, ws);
        const double centred = measure(ws.x, ws.row_trial, ws.trial);
        ++result.factorisations;
        if (!factor(problem, ws) || !take_step(problem, residual, centred, mean, ws)) {
            return SolveStatus::kIterationLimit;
        }
    }
}

}  // namespace

}  // namespace interior_point

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
    result.status = interior_point::iterate(
        view, settings, [&](const VecX& x, const VecX&, const VecX& u) { return measure(x, u); },
        best, ws, result);
    multiply_add(problem.W, ws.best_x, problem.q, ws.u);
    keep(ws.best_x, ws.u, residual(problem, ws.best_x, ws.u), result);
}

}  // namespace

void solve_interior_point(const ConeQp& qp, const SolveSettings& settings, Workspace& ws,
                          ConeQpResult& result) {
    result.iterations = result.factorisations = 0;
    ws.best_x.setZero(qp.c.size());
    ws.best_v.setZero(qp.d.size());
    if (is_valid(qp)) {
        result.residual = residual(qp, ws.best_x, ws.best_v, qp.c);
        const interior_point::Problem view{qp.H, qp.c, qp.mu, &qp.s, &qp.C, &qp.d};
        result.status = interior_point::iterate(
            view, settings,
            [&](const VecX& x, const VecX& v, const VecX& u) { return residual(qp, x, v, u); },
            result.residual, ws, result);
    } else {
        result.status = SolveStatus::kNotFinite;
        result.residual = std::numeric_limits<double>::quiet_NaN();
    }
    result.x = ws.best_x;
    result.y = ws.best_v;
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
