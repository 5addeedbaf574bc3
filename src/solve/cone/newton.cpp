// newton.cpp - the Alart-Curnier function, one element of its Jacobian, and the damped iteration.
#include "solve/cone/newton.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {

namespace {

constexpr int kDefaultIterations = 200;
constexpr double kRegularisation = 1e-7;  // eps
constexpr double kSufficient = 1e-4;      // of the predicted fall of |F / rho|^2
constexpr int kHalvings = 12;             // the shortest step is 1/4096, then it is rescued
constexpr int kJudgeRescueEvery = 10;     // sweeps: only the end of a rescue matters
constexpr int kMaxDoublings = 8;          // of the sweeps of a rescue

// A contact without inertia to speak of (W_aa = 0) gets rho = 1.
double reciprocal(double x) { return x > 0 ? 1 / x : 1.0; }

void set_rho(const BlockMatrix& W, VecX& rho) {
    rho.resize(3 * W.rows());
    for (int a = 0; a < W.rows(); ++a) {
        const Mat3& W_aa = W.at_diagonal(a);
        const double tangential = reciprocal((W_aa(1, 1) + W_aa(2, 2)) / 2);
        rho.segment<3>(3 * a) << reciprocal(W_aa(0, 0)), tangential, tangential;
    }
}

// What is subtracted from r in F, and its derivative by y.
Vec3 alart_curnier(double mu, const Vec3& y, Mat3* D) {
    if (D != nullptr) D->setZero();
    if (!(y[0] > 0)) return Vec3::Zero();
    if (D != nullptr) (*D)(0, 0) = 1;
    const double radius = mu * y[0];
    const double length = y.tail<2>().norm();
    if (length <= radius) {
        if (D != nullptr && mu > 0) (*D)(1, 1) = (*D)(2, 2) = 1;
        return y;
    }
    const Eigen::Vector2d t = y.tail<2>() / length;
    if (D != nullptr) {
        D->block<2, 1>(1, 0) = mu * t;
        D->block<2, 2>(1, 1) =
            (radius / length) * (Eigen::Matrix2d::Identity() - t * t.transpose());
    }
    return {y[0], radius * t[0], radius * t[1]};
}

// F, and |F / rho|^2: squared velocities.
double evaluate(const ConeProblem& problem, const VecX& r, const VecX& u, NewtonWorkspace& ws,
                bool derivative) {
    ws.F.resize(r.size());
    ws.D.resize(at(problem.contacts()));
    for (int a = 0; a < problem.contacts(); ++a) {
        const Vec3 r_a = r.segment<3>(3 * a);
        const Vec3 y = r_a - ws.rho.segment<3>(3 * a).cwiseProduct(u.segment<3>(3 * a));
        ws.F.segment<3>(3 * a) =
            r_a - alart_curnier(problem.mu[a], y, derivative ? &ws.D[at(a)] : nullptr);
    }
    return ws.F.cwiseQuotient(ws.rho).squaredNorm();
}

// Rows of I - D + D rho (W + eps scale), handed over block by block: set(k, a, b, value).
template <typename Set>
void jacobian(const BlockMatrix& W, const NewtonWorkspace& ws, const Set& set) {
    for (int a = 0; a < W.rows(); ++a) {
        const Mat3 D_rho = ws.D[at(a)] * ws.rho.segment<3>(3 * a).asDiagonal();
        for (int k = W.start[at(a)]; k < W.start[at(a) + 1]; ++k) {
            Mat3 value = D_rho * W.block[at(k)];
            if (k == W.diagonal[at(a)]) {
                value += Mat3::Identity() - ws.D[at(a)] +
                         D_rho * (kRegularisation * W.block[at(k)].trace() / 3);
            }
            set(k, a, W.column[at(k)], value);
        }
    }
}

// step = -J^-1 F; false if J is singular.
bool newton_step(const ConeProblem& problem, NewtonWorkspace& ws) {
    const int nc = problem.contacts();
    if (nc <= kDenseContacts) {
        ws.A.setZero(3 * nc, 3 * nc);
        jacobian(problem.W, ws, [&](int, int a, int b, const Mat3& value) {
            ws.A.block<3, 3>(3 * a, 3 * b) = value;
        });
        ws.dense.compute(ws.A);
        ws.step = ws.dense.solve(ws.F);
    } else {
        if (ws.start != problem.W.start || ws.column != problem.W.column) {
            ws.sparse.analyse(problem.W);
            ws.start = problem.W.start;
            ws.column = problem.W.column;
        }
        ws.sparse.clear();
        jacobian(problem.W, ws,
                 [&](int k, int, int, const Mat3& value) { ws.sparse.entry(k) = value; });
        if (!ws.sparse.factor()) return false;
        ws.step = ws.F;
        ws.sparse.solve(ws.step);
    }
    ws.step = -ws.step;
    return ws.step.allFinite();
}

// Moves r, u along ws.step by the first of 1, 1/2, 1/4, ... that lowers the merit enough.
bool line_search(const ConeProblem& problem, double merit, NewtonWorkspace& ws) {
    VecX& r = ws.sweeps.r;  // free between rescues
    VecX& u = ws.sweeps.u;
    double length = 1;
    for (int i = 0; i <= kHalvings; ++i, length /= 2) {
        r = ws.r + length * ws.step;
        multiply_add(problem.W, r, problem.q, u);
        if (evaluate(problem, r, u, ws, false) <= (1 - 2 * kSufficient * length) * merit) {
            ws.r = r;
            ws.u = u;
            return true;
        }
    }
    return false;
}

// Gauss-Seidel from the iterate, longer the more often it did not help.
void rescue(const ConeProblem& problem, const NewtonSettings& settings, int times,
            NewtonWorkspace& ws) {
    ConeSweepsSettings sweeps{settings.stop, kJudgeRescueEvery};
    sweeps.stop.max_iterations = settings.rescue_sweeps * (1 << std::min(times, kMaxDoublings));
    solve_cone_sweeps(problem, sweeps, ws.r, ws.sweeps, ws.swept);
    ws.r = ws.swept.r;
    ws.u = ws.swept.u;
}

void keep_better(const ConeProblem& problem, const NewtonWorkspace& ws, ConeResult& result,
                 int& rescues) {
    const ConeResidual now = residual(problem, ws.r, ws.u);
    if (!(now.worst() < result.residual)) return;
    keep(ws.r, ws.u, now, result);
    rescues = 0;
}

}  // namespace

void solve_newton(const ConeProblem& problem, const NewtonSettings& settings, const VecX& guess,
                  NewtonWorkspace& ws, ConeResult& result) {
    if (!begin_contacts(problem, guess, ws.r, result)) return;
    multiply_add(problem.W, ws.r, problem.q, ws.u);
    keep(ws.r, ws.u, residual(problem, ws.r, ws.u), result);
    set_rho(problem.W, ws.rho);
    const int limit =
        settings.stop.max_iterations > 0 ? settings.stop.max_iterations : kDefaultIterations;
    int rescues = 0;
    bool late = false;
    while (!(result.residual <= settings.stop.tolerance) && result.iterations < limit &&
           rescues <= settings.max_rescues && !late) {
        const double merit = evaluate(problem, ws.r, ws.u, ws, true);
        ++result.iterations;
        ++result.factorisations;
        if (!newton_step(problem, ws) || !line_search(problem, merit, ws)) {
            rescue(problem, settings, rescues, ws);
            ++rescues;
        }
        keep_better(problem, ws, result, rescues);
        late = settings.stop.deadline.passed();
    }
    finish(settings.stop, late, result);
}

void solve_newton(const ConeProblem& problem, const SolveSettings& settings, const VecX& guess,
                  NewtonWorkspace& workspace, ConeResult& result) {
    NewtonSettings all;
    all.stop = settings;
    solve_newton(problem, all, guess, workspace, result);
}

}  // namespace stiction
