// prox_newton.cpp - a guess that sticks, sweeps, Alart-Curnier steps, proximal semi-smooth Newton.
#include "solve/cone/prox_newton.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "solve/cone/sweeps.h"

namespace stiction {

namespace {

constexpr int kDefaultLimit = 6000;  // three times what the hardest pile at hand needs
// Sticking.
constexpr int kFewContacts = 8;      // up to which a dense factor costs less than two sweeps
constexpr double kMinPivot = 1e-10;  // of the diagonal entry: below, W is singular
// Sweeps.
constexpr int kJudgeEvery = 6;      // sweeps between judgements of their rate
constexpr int kMinSweeps = 12;      // before the first may end them
constexpr int kSweepsPerBlock = 4;  // least sweeps per block of a row of W: about what a step costs
constexpr int kSweepsAhead = 40;    // go on while this many would reach the tolerance
// Alart-Curnier steps.
constexpr int kMaxPlainSteps = 8;     // where they work at all, four do
constexpr double kPlainAlpha = 1e-3;  // of the first; each further one has a tenth
// Proximal steps.
constexpr double kFirstAlpha = 0.1;   // (1) is easy: two to five steps
constexpr double kMinAlpha = 1e-9;    // the factors keep half of their digits
constexpr double kLargestAlpha = 10;  // far beyond what sweeps would do: slower still is no use
constexpr int kMaxInner = 15;         // steps; an alpha that needs more is too small
constexpr int kMaxHalvings = 5;
constexpr int kConvexSteps = 2;         // after halving failed
constexpr int kHold = 3;                // outer steps without a smaller alpha after a failure
constexpr double kInnerAccuracy = 0.1;  // of what the outer step is to gain

struct Solver {
    const ConeProblem& problem;
    const SolveSettings& settings;
    ProxNewtonWorkspace& ws;
    ConeResult& result;
    int nc;
    int limit;
    double q_norm;

    [[nodiscard]] bool may_go_on() {
        if (result.status != SolveStatus::kIterationLimit || result.iterations >= limit)
            return false;
        if (settings.deadline.passed()) result.status = SolveStatus::kBudget;
        return result.status == SolveStatus::kIterationLimit;
    }

    // Measures (ws.r, ws.u), keeps it if it is the best; true at the tolerance.
    bool judge() {
        const ConeResidual now = residual(problem, ws.r, ws.u);
        if (now.worst() < result.residual) keep(ws.r, ws.u, now, result);
        if (result.residual <= settings.tolerance) result.status = SolveStatus::kSolved;
        current = now.worst();
        return result.status == SolveStatus::kSolved;
    }
    [[nodiscard]] Vec3 project(int a, const Vec3& z) const {
        return with_law(problem, a, [&](const auto& law) { return law.project(1, z); });
    }
    double current = 0;  // residual of ws.r at the last judge()

    void consider_zero();
    bool stick();
    void sweeps();
    void analyse();
    void plain_steps();
    bool plain_step(double alpha);
    bool solve_linear(const VecX& x);
    void proximal_steps();
    int solve_inner(double alpha, double accuracy);
    bool newton_direction(double alpha, bool convex);
    double evaluate(double alpha, const VecX& y, const VecX& u, VecX& gamma) const;
    double evaluate_convex(double alpha, const VecX& y, const VecX& u, VecX& gamma) const;
    void take_trial(double t);
};

double tangent_speed(const VecX& u, int a) {
    return std::sqrt(u[3 * a + 1] * u[3 * a + 1] + u[3 * a + 2] * u[3 * a + 2]);
}

// No impulses, unless a better answer is known.
void Solver::consider_zero() {
    ws.y.setZero(3 * nc);
    const ConeResidual now = residual(problem, ws.y, problem.q);
    if (!(result.residual <= now.worst())) keep(ws.y, problem.q, now, result);
}

bool inside_cone(double mu, const Vec3& r) {
    return r[0] > 0 && r[1] * r[1] + r[2] * r[2] <= mu * mu * r[0] * r[0];
}

// Few contacts that all stuck will mostly go on to do so: W r = -q. True when that is the answer.
bool Solver::stick() {
    if (nc > kFewContacts || !problem.bounded.empty()) return false;
    for (int a = 0; a < nc; ++a) {
        if (!inside_cone(problem.mu[a], ws.r.segment<3>(3 * a))) return false;
    }
    // L D of W = L D L', by columns of even length; pairs that reach above the diagonal do no harm.
    using Pair = Eigen::Map<Eigen::Vector2d>;
    std::array<double, 9 * kFewContacts * kFewContacts + 3 * kFewContacts> L;
    const BlockMatrix& W = problem.W;
    const int n = 3 * nc;
    const int stride = n + n % 2;
    std::fill_n(L.begin(), n * stride, 0.0);
    for (int a = 0; a < nc; ++a) {
        for (int k = W.start[at(a)]; k < W.start[at(a) + 1] && W.column[at(k)] <= a; ++k) {
            double* corner = &L[at(3 * W.column[at(k)] * stride + 3 * a)];
            for (int c = 0; c < 3; ++c)
                Eigen::Map<Vec3>{corner + c* stride} = W.block[at(k)].col(c);
        }
    }
    VecX& x = ws.y;
    x = -problem.q;
    for (int k = 0; k < n; ++k) {
        double* column = &L[at(k * stride)];
        if (!(column[k] > kMinPivot * W.at_diagonal(k / 3)(k % 3, k % 3))) return false;
        const double inverse = 1 / column[k];
        for (int j = k + 1; j < n; ++j) {
            double* other = &L[at(j * stride)];
            const double factor = inverse * column[j];
            for (int i = j & ~1; i < n; i += 2) Pair{other + i} -= factor * Pair{column + i};
        }
        const double y = inverse * x[k];
        for (int i = k + 1; i < n; ++i) x[i] -= y * column[i];
        column[k] = inverse;
    }
    for (int k = n - 1; k >= 0; --k) {
        const double* column = &L[at(k * stride)];
        for (int i = k + 1; i < n; ++i) x[k] -= column[i] * x[i];
        x[k] *= column[k];
    }
    ++result.iterations;
    ++result.factorisations;
    for (int a = 0; a < nc; ++a) {
        if (!inside_cone(problem.mu[a], x.segment<3>(3 * a))) return false;
    }
    ws.r.swap(x);
    multiply_add(W, ws.r, problem.q, ws.u);
    return judge();
}

void Solver::sweeps() {
    const int least = std::max(kMinSweeps, kSweepsPerBlock * problem.W.blocks() / nc);
    double before = 0;  // estimate kJudgeEvery sweeps ago
    for (int k = 1; may_go_on(); ++k) {
        const double estimate = cone_sweep(problem, ws.D, ws.lambda, ws.r) / q_norm;
        ++result.iterations;
        const bool judged = k % kJudgeEvery == 0;
        if (k == 1 || estimate <= 2 * settings.tolerance || (judged && k >= least)) {
            multiply_add(problem.W, ws.r, problem.q, ws.u);
            if (judge()) return;
        }
        if (judged) {
            const double rate = std::log(estimate / before) / kJudgeEvery;
            const double ahead = std::log(settings.tolerance / estimate) / rate;
            if (k >= least && !(rate < 0 && ahead < kSweepsAhead)) break;
            before = estimate;
        }
    }
    if (!ws.r.allFinite()) {
        ws.r = result.r;
        ws.u = result.u;
    }
}

void Solver::analyse() {
    if (ws.start == problem.W.start && ws.column == problem.W.column) return;
    ws.lu.analyse(problem.W);
    ws.start = problem.W.start;
    ws.column = problem.W.column;
}

// F of a contact at y = D r - u with u = u(r) + alpha D (r - c), and A, B with
// (A + B (W + alpha D)) dr = -F. Returns false for an open contact, where dr = -r.
bool alart_curnier(double mu, double D, const Vec3& r, const Vec3& u, Mat3& A, Mat3& B, Vec3& F) {
    const Vec3 y = D * r - u;
    A.setZero();
    B.setZero();
    if (y[0] <= 0) return false;
    const double t = std::sqrt(y[1] * y[1] + y[2] * y[2]);
    if (t <= mu * y[0]) {
        B.setIdentity();
        F = u;
        return true;
    }
    // Rows: u_N = 0; D r_t = mu y_N along t = y_T / |y_T|; D r_p = (mu y_N / |y_T|) y_p across it.
    const double c = y[1] / t;
    const double s = y[2] / t;
    const double g = mu * y[0] / t;
    B(0, 0) = 1;
    F[0] = u[0];
    A.row(1) << -mu * D, D * c, D * s;
    B(1, 0) = mu;
    F[1] = D * (c * r[1] + s * r[2]) - mu * y[0];
    A.row(2) << 0, -(1 - g) * D * s, (1 - g) * D * c;
    B.row(2) << 0, -g * s, g * c;
    F[2] = D * (c * r[2] - s * r[1]);
    return true;
}

// (A + B W) step = right side, which stands in ws.step; open contacts have step = -x.
bool Solver::solve_linear(const VecX& x) {
    const BlockMatrix& W = problem.W;
    ws.lu.clear();
    for (int a = 0; a < nc; ++a) {
        if (ws.open[at(a)]) {
            ws.lu.leave_out(a);
            continue;
        }
        const Mat3& B = ws.B[at(a)];
        for (int k = W.start[at(a)]; k < W.start[at(a) + 1]; ++k) {
            const int b = W.column[at(k)];
            if (ws.open[at(b)]) {
                const Vec3 known = W.block[at(k)] * x.segment<3>(3 * b);
                ws.step.segment<3>(3 * a) += B * known;
            } else {
                ws.lu.entry(k).noalias() = B * W.block[at(k)];
            }
        }
        ws.lu.entry(W.diagonal[at(a)]) += ws.A[at(a)];
    }
    ++result.iterations;
    ++result.factorisations;
    if (!ws.lu.factor()) return false;
    ws.lu.solve(ws.step);
    for (int a = 0; a < nc; ++a) {
        if (ws.open[at(a)]) ws.step.segment<3>(3 * a) = -x.segment<3>(3 * a);
    }
    return std::isfinite(ws.step.sum());
}

// The same for a block of bounded rows: those that y sends past a bound go there.
void bounded_step(double D, const Vec3& r, const Vec3& u, const Vec3& lo, const Vec3& hi, Mat3& A,
                  Mat3& B, Vec3& F) {
    A.setZero();
    B.setZero();
    for (int i = 0; i < 3; ++i) {
        const double y = r[i] - u[i] / D;
        if (y > lo[i] && y < hi[i]) {
            B(i, i) = 1;
            F[i] = u[i];
        } else {
            A(i, i) = D;
            F[i] = D * (r[i] - (y <= lo[i] ? lo[i] : hi[i]));
        }
    }
}

bool Solver::plain_step(double alpha) {
    for (int a = 0; a < nc; ++a) {
        const Vec3 r = ws.r.segment<3>(3 * a);
        const Vec3 u = ws.u.segment<3>(3 * a);
        Vec3 F = Vec3::Zero();
        Mat3& A = ws.A[at(a)];
        Mat3& B = ws.B[at(a)];
        if (problem.is_bounded(a)) {
            ws.open[at(a)] = 0;
            bounded_step(ws.D[a], r, u, problem.lo.segment<3>(3 * a), problem.hi.segment<3>(3 * a),
                         A, B, F);
        } else {
            ws.open[at(a)] = !alart_curnier(problem.mu[a], ws.D[a], r, u, A, B, F);
        }
        A += (alpha * ws.D[a]) * B;
        ws.step.segment<3>(3 * a) = -F;
    }
    if (!solve_linear(ws.r)) return false;
    ws.r += ws.step;
    multiply_add(problem.W, ws.r, problem.q, ws.u);
    return true;
}

void Solver::plain_steps() {
    double alpha = kPlainAlpha;
    for (int k = 0; k < kMaxPlainSteps && may_go_on(); ++k) {
        const double before = current;
        if (!plain_step(alpha) || judge()) break;
        if (!(current < 0.5 * before)) break;
        alpha *= 0.1;
    }
    ws.r = result.r;
    ws.u = result.u;
    current = result.residual;
}

// |D (y - gamma)| / |q| of equation (1) with s = mu |u_T| of the same u.
double Solver::evaluate(double alpha, const VecX& y, const VecX& u, VecX& gamma) const {
    double sum = 0;
    for (int a = 0; a < nc; ++a) {
        const double D = ws.D[a];
        Vec3 uhat = u.segment<3>(3 * a);
        uhat[0] += problem.mu[a] * tangent_speed(u, a);
        const Vec3 z = ws.center.segment<3>(3 * a) - uhat / (alpha * D);
        const Vec3 g = project(a, z);
        gamma.segment<3>(3 * a) = g;
        sum += D * D * (y.segment<3>(3 * a) - g).squaredNorm();
    }
    return std::sqrt(sum) / q_norm;
}

// phi(y) with s = ws.shift.
double Solver::evaluate_convex(double alpha, const VecX& y, const VecX& u, VecX& gamma) const {
    double phi = 0.5 * y.dot(u - problem.q);
    for (int a = 0; a < nc; ++a) {
        const double scale = alpha * ws.D[a];
        Vec3 shifted = u.segment<3>(3 * a);
        shifted[0] += ws.shift[a];
        const Vec3 z = ws.center.segment<3>(3 * a) - shifted / scale;
        const Vec3 g = project(a, z);
        gamma.segment<3>(3 * a) = g;
        phi += scale * (z.dot(g) - 0.5 * g.squaredNorm());
    }
    return phi;
}

// Derivative of the projection on K at z; false where it is zero, the apex of K being nearest.
bool projection_derivative(double mu, const Vec3& z, Mat3& derivative) {
    const double t = std::sqrt(z[1] * z[1] + z[2] * z[2]);
    if (mu * t <= -z[0]) {
        derivative.setZero();
        return false;
    }
    if (t <= mu * z[0]) {
        derivative.setIdentity();
        return true;
    }
    const double k = 1 / (1 + mu * mu);
    const double s = (z[0] + mu * t) * k;
    const Vec3 along(1, mu * z[1] / t, mu * z[2] / t);
    const Vec3 across(0, -z[2] / t, z[1] / t);
    derivative = k * along * along.transpose() + (mu * s / t) * across * across.transpose();
    return true;
}

// ws.step and ws.W_step at ws.y; false if the matrix cannot be factored.
bool Solver::newton_direction(double alpha, bool convex) {
    for (int a = 0; a < nc; ++a) {
        const double mu = problem.mu[a];
        const double scale = alpha * ws.D[a];
        Vec3 uhat = ws.u_y.segment<3>(3 * a);
        const double speed = tangent_speed(ws.u_y, a);
        ws.shift[a] = mu * speed;
        uhat[0] += ws.shift[a];
        Mat3& B = ws.B[at(a)];
        const Vec3 z = ws.center.segment<3>(3 * a) - uhat / scale;
        if (problem.is_bounded(a)) {
            const Vec3 lo = problem.lo.segment<3>(3 * a);
            const Vec3 hi = problem.hi.segment<3>(3 * a);
            ws.open[at(a)] = 0;
            B.setZero();
            for (int i = 0; i < 3; ++i) B(i, i) = z[i] > lo[i] && z[i] < hi[i] ? 1.0 : 0.0;
        } else {
            ws.open[at(a)] = !projection_derivative(mu, z, B);
        }
        if (!convex && ws.shift[a] > 0) {
            B.col(1) += (mu * uhat[1] / speed) * B.col(0);
            B.col(2) += (mu * uhat[2] / speed) * B.col(0);
        }
        ws.A[at(a)] = scale * Mat3::Identity();
        ws.step.segment<3>(3 * a) = scale * (ws.gamma - ws.y).segment<3>(3 * a);
    }
    if (!solve_linear(ws.y)) return false;
    for (int a = 0; a < nc; ++a) {
        ws.W_step.segment<3>(3 * a) = row_product(problem.W, a, ws.step);
    }
    return true;
}

void Solver::take_trial(double t) {
    ws.trial_y = ws.y + t * ws.step;
    ws.trial_u = ws.u_y + t * ws.W_step;
}

// Solves (1) from ws.r to |D (y - gamma)| / |q| <= accuracy; ws.r is the answer. Returns the
// factorisations it took, negative if it failed.
int Solver::solve_inner(double alpha, double accuracy) {
    const int first = result.factorisations;
    ws.y = ws.r;
    ws.u_y = ws.u;
    double error = evaluate(alpha, ws.y, ws.u_y, ws.gamma);
    int convex_left = 0;
    for (int k = 0; k < kMaxInner && error > accuracy && may_go_on(); ++k) {
        double now = error;
        bool found = false;
        if (convex_left == 0) {
            if (!newton_direction(alpha, false)) return -1;
            double t = 1;
            for (int i = 0; i < kMaxHalvings && !found; ++i, t *= 0.5) {
                take_trial(t);
                now = evaluate(alpha, ws.trial_y, ws.trial_u, ws.trial_gamma);
                found = now <= (1 - 0.01 * t) * error;
            }
            if (!found) convex_left = kConvexSteps + 1;
        }
        if (!found) {
            --convex_left;
            if (!newton_direction(alpha, true)) return -1;
            const double phi = evaluate_convex(alpha, ws.y, ws.u_y, ws.gamma);
            const double slope = (ws.y - ws.gamma).dot(ws.W_step);
            double t = 1;
            for (int i = 0; i < 4 * kMaxHalvings && !found; ++i, t *= 0.5) {
                take_trial(t);
                found = evaluate_convex(alpha, ws.trial_y, ws.trial_u, ws.trial_gamma) <=
                        phi + 1e-4 * t * slope + 1e-15 * std::abs(phi);
            }
            if (!found) return -1;
            now = evaluate(alpha, ws.trial_y, ws.trial_u, ws.trial_gamma);
        }
        error = now;
        ws.y.swap(ws.trial_y);
        ws.u_y.swap(ws.trial_u);
        ws.gamma.swap(ws.trial_gamma);
    }
    if (!(error <= accuracy)) return -1;
    ws.r = ws.gamma;
    multiply_add(problem.W, ws.r, problem.q, ws.u);
    return result.factorisations - first;
}

void Solver::proximal_steps() {
    double alpha = kFirstAlpha;
    int hold = 0;
    while (may_go_on()) {
        ws.center = ws.r;
        const double accuracy = std::max(1e-11, kInnerAccuracy * current * alpha);
        const int steps = solve_inner(alpha, accuracy);
        if (steps < 0) {
            if (alpha >= kLargestAlpha) return;  // numbers too large or small to go on
            alpha = std::min(kLargestAlpha, 3 * alpha);
            hold = kHold;
            continue;
        }
        if (judge()) return;
        if (hold > 0) {
            --hold;
        } else {
            const double factor = steps < 4 ? 0.25 : steps < 8 ? 0.5 : steps < 15 ? 1.0 : 1.5;
            alpha = std::max(kMinAlpha, alpha * factor);
        }
    }
}

}  // namespace

void solve_prox_newton(const ConeProblem& problem, const SolveSettings& settings, const VecX& guess,
                       ProxNewtonWorkspace& workspace, ConeResult& result) {
    ProxNewtonWorkspace& ws = workspace;
    if (!begin(problem, guess, ws.r, result)) return;
    const int nc = problem.contacts();
    ws.lambda.setZero(nc);
    set_block_weights(problem.W, ws.D);
    Solver solver{problem,
                  settings,
                  ws,
                  result,
                  nc,
                  settings.max_iterations > 0 ? settings.max_iterations : kDefaultLimit,
                  std::max(problem.q.norm(), std::numeric_limits<double>::min())};
    if (solver.stick()) return;
    solver.consider_zero();
    multiply_add(problem.W, ws.r, problem.q, ws.u);
    if (solver.judge()) return;
    solver.sweeps();
    if (!solver.may_go_on()) {
        multiply_add(problem.W, ws.r, problem.q, ws.u);
        solver.judge();
        return;
    }
    solver.analyse();
    for (VecX* x : {&ws.step, &ws.W_step, &ws.gamma, &ws.trial_gamma}) x->resize(3 * nc);
    ws.shift.resize(nc);
    ws.A.resize(at(nc));
    ws.B.resize(at(nc));
    ws.open.resize(at(nc));
    solver.plain_steps();
    solver.proximal_steps();
}

}  // namespace stiction
