// dissipation.cpp - outer steps on the multipliers, Newton steps down phi, and the way through the
// interior before them; dissipation.h has all three.
#include "solve/cone/dissipation.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {

namespace {

constexpr int kMaxSteps = 10000;        // factorisations, unless told: a heap of cards took 4400
constexpr double kClose = 1e-3;         // residual of a start that is followed from where it is
constexpr int kFewBlocks = 12;          // of which multipliers settle soon from anywhere
constexpr int kMaxCloseSteps = 12;      // factorisations that these two may take: ten are usual
constexpr int kMaxNearSteps = 60;       // of outer steps after the interior: 20 are usual
constexpr int kMaxGrowingSteps = 200;   // of those from no multipliers: 25 to 40 are usual
constexpr int kMaxInterior = 80;        // those of the interior: 15 to 50 are usual
constexpr double kAlphaPerRoot = 0.03;  // first alpha, per root of the residual
constexpr double kFirstAlpha = 1e-2;    // and at most: phi is easy there, three to six steps
constexpr double kMinAlpha = 5e-5;      // beyond, what is gained per step costs more of them
// First of all after the interior, where hundreds of contacts are still to find their state: with
// less two of three times 25 steps do not do.
constexpr double kLastAlpha = 1e-3;
constexpr double kGrowingAlpha = 3e-4;  // where multipliers grow: with less they overshoot
constexpr double kDriftAlpha = 1e-6;    // of steps that drift: the smaller, the farther they go
constexpr double kMaxAlpha = 1;
// Of alpha, for x: where phi is flat but for 1e-7, x does not arrive in hundreds of steps with 1;
// with 1e-3 phi takes more Newton steps.
constexpr double kPull = 0.01;
constexpr double kRetreat = 3;          // times alpha, where phi was too stiff
constexpr double kFast = 0.02;          // gain of an outer step that needs no smaller alpha
constexpr int kHold = 10;               // outer steps without a smaller alpha after that
constexpr int kMaxInner = 25;           // Newton steps on one phi; one that needs more is too stiff
constexpr double kInnerAccuracy = 0.1;  // of the residual: multipliers are that far off anyway
constexpr double kNearly = 0.5;         // of the residual: a gradient that will do
constexpr double kFinest = 0.2;         // of the tolerance: what a gradient may leave of it
constexpr int kRefinements = 2;         // of a step: each brings four digits or more
// Of the tolerance, that gaps may close and kappa be exceeded by: there may be no room in between
// otherwise, and multipliers that grow for ever.
constexpr double kSlack = 0.5;
constexpr int kMaxTrials = 12;      // along one step
constexpr double kSlopeLeft = 0.4;  // of the slope of phi, where a trial is good enough
constexpr double kGain = 0.7;       // of the best residual, by an outer step that pays
constexpr double kDrift = 0.8;      // of the last one, by a step that only drifts
constexpr double kSameWay = 0.9;    // cosine between two steps that drift
// Outer steps that do not pay. Those that drift are cheap, and multipliers that come back from far
// out took 300 (half an arch in flight, whose kappa is 1e-3 of what its velocities are worth).
constexpr int kPatience = 500;

double square(double x) { return x * x; }

double inverse_weight(const DissipationProgram& p) {  // sum of e over D
    double sum = 0;
    for (int a = 0; a < p.laws.contacts(); ++a) sum += p.counted.segment<3>(3 * a).sum() / p.D[a];
    return sum;
}

struct Solver {
    const DissipationProgram& p;
    DissipationMatrix& A;
    const SolveSettings& stop;
    DissipationWorkspace& ws;
    DissipationResult& result;
    int n;
    int limit;
    double b_norm;
    double mass;  // inverse_weight(p)
    double alpha = kFirstAlpha;
    double sigma = 0, sigma_next = 0;
    double current = 0;               // residual of the last answer
    double ahead = 0;                 // see advance()
    bool growing = false;             // multipliers come from nothing and may not overshoot
    int hold = 0;                     // outer steps without a smaller alpha
    double kappa = 0, gap_slack = 0;  // see kSlack

    [[nodiscard]] bool may_go_on() {
        if (result.factorisations >= limit) return false;
        if (!stop.deadline.passed()) return true;
        result.status = SolveStatus::kBudget;
        return false;
    }
    [[nodiscard]] double rho(int a) const { return alpha * p.D[a]; }
    [[nodiscard]] double pull(int a) const { return kPull * alpha * p.D[a]; }

    // s+, lambda+, sigma+ at x and u = A x + b.
    void set_multipliers(const VecX& x, const VecX& u);
    // Derivative of phi along the step at ws.x + t ws.step.
    double slope(double t);
    void set_gradient();
    bool newton_direction();
    void refine(double k);
    bool newton_step();
    int descend(double accuracy);
    void judge();
    void set_change();
    [[nodiscard]] bool drifts() const;
    void advance();
    void set_alpha(int steps, double before);
    void begin();
    void leave_interior();
    void follow_multipliers(double first_alpha);
    void begin_without_multipliers();
    void solve();
};

void Solver::set_multipliers(const VecX& x, const VecX& u) {
    for (int a = 0; a < n; ++a) {
        const double beta = p.D[a] / alpha;
        const Vec3 z = x.segment<3>(3 * a) - ws.s.segment<3>(3 * a) / beta;
        const Vec3 inner = with_law(p.laws, a, [&](const auto& law) { return law.project(1, z); });
        ws.inner.segment<3>(3 * a) = inner;
        ws.s_next.segment<3>(3 * a) = beta * (inner - z);
        for (int i = 3 * a; i < 3 * a + 3; ++i) {
            const double slack = p.held[at(i)] == Held::kGap ? gap_slack : 0.0;
            const double free = ws.lambda[i] - (u[i] + slack) / rho(a);
            ws.lambda_next[i] = p.held[at(i)] == Held::kNo         ? 0.0
                                : p.held[at(i)] == Held::kEquality ? free
                                                                   : std::max(0.0, free);
        }
    }
    sigma_next =
        mass > 0 ? std::max(0.0, sigma - (kappa - p.counted.dot(x)) / (alpha * mass)) : 0.0;
}

double Solver::slope(double t) {
    ws.trial_x = ws.x + t * ws.step;
    ws.trial_u = ws.u + t * ws.A_step;
    set_multipliers(ws.trial_x, ws.trial_u);
    double sum = ws.step.dot(ws.trial_u) - ws.step.dot(ws.s_next) - ws.A_step.dot(ws.lambda_next) +
                 sigma_next * p.counted.dot(ws.step);
    for (int a = 0; a < n; ++a)
        sum += pull(a) * ws.step.segment<3>(3 * a).dot((ws.trial_x - ws.center).segment<3>(3 * a));
    return sum;
}

// At ws.x, whose multipliers are set.
void Solver::set_gradient() {
    A.multiply(ws.lambda_next, ws.A_lambda);
    ws.gradient = ws.u - ws.A_lambda - ws.s_next + sigma_next * p.counted;
    for (int a = 0; a < n; ++a)
        ws.gradient.segment<3>(3 * a) += pull(a) * (ws.x - ws.center).segment<3>(3 * a);
}

bool Solver::newton_direction() {
    for (int a = 0; a < n; ++a) {
        const double beta = p.D[a] / alpha;
        const Vec3 z = ws.x.segment<3>(3 * a) - ws.s.segment<3>(3 * a) / beta;
        Mat3 P;
        const bool any = with_law(p.laws, a, [&](const auto& law) { return law.derivative(z, P); });
        Mat3& S = ws.S[at(a)];
        S = (pull(a) + beta) * Mat3::Identity();
        if (any) S -= beta * P;
        for (int i = 3 * a; i < 3 * a + 3; ++i) {
            const bool active = p.held[at(i)] == Held::kEquality || ws.lambda_next[i] > 0;
            ws.L[i] = active ? 1 / rho(a) : 0.0;
        }
    }
    ++result.factorisations;
    ++result.iterations;
    const double k = sigma_next > 0 ? 1 / (alpha * mass) : 0.0;
    if (!A.factor(ws.S, ws.L, k, p.counted)) return false;
    ws.step = -ws.gradient;
    ws.y.setZero();
    A.solve(ws.step, ws.y);
    A.multiply(ws.step, ws.A_step);
    for (int i = 0; i < kRefinements; ++i) refine(k);
    return std::isfinite(ws.step.sum());
}

// Of the step and of y = L A step, which the step alone gives only to rounding over rho.
void Solver::refine(double k) {
    A.multiply(ws.y, ws.A_lambda);
    ws.w = -ws.gradient - ws.A_step - ws.A_lambda - k * p.counted.dot(ws.step) * p.counted;
    for (int a = 0; a < n; ++a) ws.w.segment<3>(3 * a) -= ws.S[at(a)] * ws.step.segment<3>(3 * a);
    for (int i = 0; i < 3 * n; ++i) ws.dy[i] = ws.L[i] > 0 ? ws.A_step[i] - ws.y[i] / ws.L[i] : 0.0;
    A.solve(ws.w, ws.dy);
    ws.step += ws.w;
    ws.y += ws.dy;
    A.multiply(ws.step, ws.A_step);
}

// Down phi along a Newton step, to where its slope has about vanished: a convex function's slope
// only grows.
bool Solver::newton_step() {
    if (!newton_direction()) return false;
    const double first = ws.step.dot(ws.gradient);
    if (!(first < 0)) return false;
    double low = 0, low_slope = first, high = 0, high_slope = 0, t = 1;
    double now = slope(t);
    for (int k = 0; k < kMaxTrials && std::abs(now) > -kSlopeLeft * first; ++k) {
        if (now < 0) {
            if (high == 0) break;  // a full step that leaves more to do in the same direction
            low = t;
            low_slope = now;
        } else {
            high = t;
            high_slope = now;
        }
        const double share = -low_slope / (high_slope - low_slope);
        t = low + std::clamp(share, 0.1, 0.9) * (high - low);
        now = slope(t);
    }
    ws.x.swap(ws.trial_x);
    ws.u.swap(ws.trial_u);
    set_gradient();
    return true;
}

// Newton steps until the gradient is small; negative if they do not get there.
int Solver::descend(double accuracy) {
    set_multipliers(ws.x, ws.u);
    set_gradient();
    for (int k = 0; k < kMaxInner; ++k) {
        if (ws.gradient.norm() <= accuracy * b_norm) return k;
        if (!may_go_on() || !newton_step()) return -1;
    }
    return ws.gradient.norm() <= kNearly * current * b_norm ? kMaxInner : -1;
}

// Measures the answer that the multipliers belong to, and keeps the best.
void Solver::judge() {
    A.multiply(ws.inner, ws.w);
    ws.trial_u = ws.w + p.b;
    A.multiply(ws.lambda_next, ws.A_lambda);
    ws.w = ws.trial_u - ws.A_lambda + sigma_next * p.counted;
    current = residual(p, ws.inner, ws.lambda_next, sigma_next, ws.trial_u, ws.w);
    if (!(current < result.residual)) return;
    result.x = ws.inner;
    result.lambda = ws.lambda_next;
    result.sigma = sigma_next;
    result.residual = current;
}

// What an outer step changes, as velocities.
void Solver::set_change() {
    for (int a = 0; a < n; ++a) {
        ws.change.segment<3>(9 * a) = p.D[a] * (ws.x - ws.center).segment<3>(3 * a);
        ws.change.segment<3>(9 * a + 3) = (ws.s_next - ws.s).segment<3>(3 * a);
        ws.change.segment<3>(9 * a + 6) = p.D[a] * (ws.lambda_next - ws.lambda).segment<3>(3 * a);
    }
    ws.change[9 * n] = sigma_next - sigma;
}

// Whether the last two outer steps led the same way.
bool Solver::drifts() const {
    return ws.change.dot(ws.last_change) > kSameWay * ws.change.norm() * ws.last_change.norm();
}

// The multipliers of the next outer step; where they only drift, `ahead` as many times as far.
void Solver::advance() {
    ws.s = ws.s_next + ahead * (ws.s_next - ws.s);
    for (int i = 0; i < 3 * n; ++i) {
        const double next = ws.lambda_next[i] + ahead * (ws.lambda_next[i] - ws.lambda[i]);
        ws.lambda[i] = p.held[at(i)] == Held::kEquality ? next : std::max(0.0, next);
    }
    sigma = std::max(0.0, sigma_next + ahead * (sigma_next - sigma));
    if (ahead > 0) {
        ws.x += ahead * (ws.x - ws.center);
        A.multiply(ws.x, ws.u);
        ws.u += p.b;
    }
    ws.center = ws.x;
}

// After an outer step of so many Newton steps, which took the residual from `before` to `current`.
void Solver::set_alpha(int steps, double before) {
    if (steps < 0) {
        alpha = std::min(kMaxAlpha, kRetreat * alpha);
        hold = kHold;
    } else if (hold > 0) {
        --hold;
    } else if (current > kFast * before) {
        const double least = growing ? kGrowingAlpha : ahead > 0 ? kDriftAlpha : kMinAlpha;
        alpha = std::max(std::min(alpha, least), alpha * (steps < 4    ? 0.1
                                                          : steps < 10 ? 0.3
                                                                       : 1.0));
    }
}

// At the result, which is an answer: s is what w is of it.
void Solver::begin() {
    ws.x = ws.center = ws.inner = result.x;
    ws.lambda = ws.lambda_next = result.lambda;
    sigma = sigma_next = result.sigma;
    A.multiply(ws.x, ws.u);
    ws.u += p.b;
    judge();
    ws.s = ws.w;
    ws.last_change.setZero(9 * n + 1);
    ahead = 0;
    hold = 0;
}

// From an interior point, at which nothing is quite zero, to one whose contacts and gaps have the
// state that the natural map sees: x = P_K(x - w / D), s normal to K there, lambda likewise. Without
// it alpha decides about their states, and a small one has most of them wrong.
void Solver::leave_interior() {
    for (int a = 0; a < n; ++a) {
        const Vec3 z = ws.x.segment<3>(3 * a) - ws.w.segment<3>(3 * a) / p.D[a];
        const Vec3 inner = with_law(p.laws, a, [&](const auto& law) { return law.project(1, z); });
        ws.x.segment<3>(3 * a) = inner;
        ws.s.segment<3>(3 * a) = p.D[a] * (inner - z);
        for (int i = 3 * a; i < 3 * a + 3; ++i) {
            if (p.held[at(i)] == Held::kGap)
                ws.lambda[i] = std::max(0.0, ws.lambda[i] - (ws.u[i] + gap_slack) / p.D[a]);
        }
    }
    ws.center = ws.x;
    A.multiply(ws.x, ws.u);
    ws.u += p.b;
}

void Solver::follow_multipliers(double first_alpha) {
    alpha = first_alpha;
    double best = result.residual;
    int idle = 0;
    while (result.residual > stop.tolerance && may_go_on() && idle < kPatience) {
        const double before = current;
        const double accuracy =
            std::max(kFinest * stop.tolerance, kInnerAccuracy * std::min(current, 1.0));
        const int steps = descend(accuracy);
        judge();
        if (steps >= 0) {
            set_change();
            const bool farther = !growing && drifts() && current > kDrift * before;
            ahead = farther ? 2 * ahead + 1 : 0;
            ws.last_change.swap(ws.change);
            advance();
        } else {
            ahead = 0;
            ws.last_change.setZero();
            ws.center = ws.x;
        }
        set_alpha(steps, before);
        idle = result.residual < kGain * best ? 0 : idle + 1;
        if (idle == 0) best = result.residual;
    }
}

// The impulses at hand without any multipliers, which then grow as far as they must and no farther.
// Beside the last answer they may have gone far out, from where they hardly return.
void Solver::begin_without_multipliers() {
    ws.best_x = result.x;
    ws.best_lambda = result.lambda;
    const double best_sigma = result.sigma, best_residual = result.residual;
    const int all = limit;
    result.lambda.setZero();
    result.sigma = 0;
    result.residual = std::numeric_limits<double>::infinity();
    begin();
    limit = std::min(all, result.factorisations + kMaxGrowingSteps);
    growing = true;
    follow_multipliers(kFirstAlpha);
    growing = false;
    limit = all;
    if (result.residual < best_residual) return;
    result.x = ws.best_x;
    result.lambda = ws.best_lambda;
    result.sigma = best_sigma;
    result.residual = best_residual;
}

// From afar through the interior, whose last digits the multipliers give.
void Solver::solve() {
    const int all = limit;
    begin();
    if (!std::isfinite(result.residual)) return;
    if (result.residual < kClose || n <= kFewBlocks) {
        limit = std::min(all, kMaxCloseSteps);
        follow_multipliers(std::clamp(kAlphaPerRoot * std::sqrt(current), kMinAlpha, kFirstAlpha));
        limit = all;
    }
    if (result.residual <= stop.tolerance || !may_go_on()) return;
    for (const bool near : {true, false}) {
        if (result.cold_starts == 0) {  // else that has been tried
            SolveSettings through = stop;
            through.max_iterations = std::min(kMaxInterior, all - result.factorisations);
            walk_interior(p, A, through, {gap_slack, kappa}, near, ws.interior, result);
            if (result.residual <= stop.tolerance || !may_go_on()) return;
        }
        begin();
        leave_interior();
        if (near) limit = std::min(all, result.factorisations + kMaxNearSteps);
        follow_multipliers(std::clamp(kAlphaPerRoot * std::sqrt(current), kLastAlpha, kFirstAlpha));
        limit = all;
        if (result.residual <= stop.tolerance || !may_go_on()) return;
        if (near) begin_without_multipliers();
        if (result.residual <= stop.tolerance || !may_go_on()) return;
    }
}

// Of the gaps of a block.
double squared_gap_errors(const DissipationProgram& p, int a, const VecX& lambda, const VecX& u) {
    double sum = 0;
    for (int i = 3 * a; i < 3 * a + 3; ++i) {
        if (p.held[at(i)] == Held::kNo) continue;
        const bool gap = p.held[at(i)] == Held::kGap;
        sum += square(gap ? std::min(p.D[a] * lambda[i], u[i]) : u[i]);
    }
    return sum;
}

double size_of(const DissipationProgram& p) { return p.b.norm() > 0 ? p.b.norm() : 1.0; }

double squared_sum_error(const DissipationProgram& p, const VecX& x, double sigma) {
    const double mass = p.kappa > 0 ? p.kappa / size_of(p) : inverse_weight(p);
    return mass > 0 ? square(std::min(sigma, (p.kappa - p.counted.dot(x)) / mass)) : 0.0;
}

}  // namespace

double residual(const DissipationProgram& p, const VecX& x, const VecX& lambda, double sigma,
                const VecX& u, const VecX& w) {
    SquaredErrors errors;
    for (int a = 0; a < p.laws.contacts(); ++a) {
        with_law(p.laws, a, [&](const auto& law) {
            errors.add(law, p.D[a], x.segment<3>(3 * a), w.segment<3>(3 * a));
        });
        errors.scaled += squared_gap_errors(p, a, lambda, u);
    }
    return std::sqrt(errors.scaled + squared_sum_error(p, x, sigma)) / size_of(p);
}

double constraint_residual(const DissipationProgram& p, const VecX& x, const VecX& lambda,
                           double sigma, const VecX& u) {
    double sum = squared_sum_error(p, x, sigma);
    for (int a = 0; a < p.laws.contacts(); ++a) sum += squared_gap_errors(p, a, lambda, u);
    return std::sqrt(sum) / size_of(p);
}

void solve_dissipation(const DissipationProgram& p, DissipationMatrix& A, const SolveSettings& stop,
                       DissipationWorkspace& ws, DissipationResult& result) {
    const int n = p.laws.contacts();
    for (VecX* x : {&ws.s, &ws.s_next, &ws.lambda_next, &ws.inner, &ws.gradient, &ws.step, &ws.L,
                    &ws.y, &ws.dy, &ws.trial_x, &ws.trial_u})
        x->resize(3 * n);
    ws.S.resize(at(n));
    ws.change.resize(9 * n + 1);
    const double size = p.b.norm();
    Solver solver{p,
                  A,
                  stop,
                  ws,
                  result,
                  n,
                  stop.max_iterations > 0 ? stop.max_iterations : kMaxSteps,
                  size > 0 ? size : 1.0,
                  inverse_weight(p)};
    solver.kappa = p.kappa * (1 + kSlack * stop.tolerance);
    solver.gap_slack = kSlack * stop.tolerance * solver.b_norm / std::sqrt(std::max(1, n));
    result.iterations = result.factorisations = 0;
    result.warm_starts = result.cold_starts = 0;
    result.status = SolveStatus::kIterationLimit;
    result.residual = std::numeric_limits<double>::infinity();
    solver.solve();
    if (result.residual <= stop.tolerance) result.status = SolveStatus::kSolved;
    if (!std::isfinite(result.residual)) result.status = SolveStatus::kNotFinite;
}

}  // namespace stiction
