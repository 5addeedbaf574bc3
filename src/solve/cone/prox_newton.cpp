// prox_newton.cpp - plain steps, a convex start, proximal steps; prox_newton.h has the method.
#include "solve/cone/prox_newton.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace stiction {

namespace {

// Plain steps.
constexpr int kMaxPlainSteps = 8;     // where they work at all, four do
constexpr double kPlainAlpha = 1e-3;  // of the first; each further one has a tenth
constexpr double kPlainGain = 0.5;    // of the residual, by a step that pays
// The convex start.
constexpr double kFar = 0.1;  // residual above which the guess says nothing about sliding
constexpr double kStartAlphas[] = {1e-2, 1e-3};  // two problems of few steps instead of a hard one
// alpha.
constexpr double kAlphaPerRoot = 0.3;  // first, per root of the residual; also after frozen steps
constexpr double kFirstAlpha = 1e-2;   // and at most: (2) is easy there, two to five steps
constexpr double kMaxAlpha = 1;        // sweeps do as well from there on
constexpr double kMinAlpha = 1e-7;     // the factors keep half of their digits
constexpr double kLeastAlpha = 1e-9;   // where even that brings nothing: rows that nearly depend
constexpr double kRetreat = 3;         // times alpha, after frozen steps
constexpr double kEscape = 1e3;        // times alpha, where nothing is gained any more
constexpr double kEscapeAlpha = 3e-3;  // and at least
constexpr double kCarefulAlpha = 0.1;  // first of careful steps
constexpr double kMaxCareful = 10;     // far beyond what sweeps would do: slower still is no use
constexpr int kHold = 3;               // outer steps without a smaller alpha after a failure
// Steps of one problem.
constexpr int kMaxInner = 15;        // following the slip; an alpha that needs more is too small
constexpr int kMaxFrozen = 40;       // down a convex function
constexpr int kMaxHalvings = 5;      // of a step that may be no descent at all
constexpr int kMaxDescents = 20;     // halvings of one that is: rounding ends them
constexpr int kFrozenSteps = 2;      // careful, where halving failed
constexpr int kSlowSteps = 2;        // that gain less than half, before the slip is frozen instead
constexpr double kLeastGain = 0.01;  // of the error, by a full step
constexpr double kArmijo = 1e-4;     // share of the slope that a descent must realise
constexpr double kPhiRounding = 1e-15;    // of phi
constexpr double kInnerAccuracy = 0.1;    // of what the outer step is to gain
constexpr double kFrozenAccuracy = 0.05;  // of the residual: the slip will be another anyway
constexpr double kFinestInner = 1e-11;    // of |q|
constexpr double kRounding = 4e-16;       // of u, over the largest impulse as a velocity
// The end.
constexpr double kAim = 0.01;      // of the tolerance: the next step starts from this answer
constexpr double kGain = 0.7;      // of the best residual, by an outer step that pays
constexpr int kPatience = 6;       // outer steps that do not
constexpr double kNearEnd = 1e-4;  // residual from which on a step that loses is one of rounding
constexpr double kAstray = 10;     // times the best residual: the way back is shorter

// How gamma depends on the slip in (1): by the law's answer, by its projection with the shift that
// belongs to u, or with a shift that stands still.
enum class Slip { kAnswer, kShift, kFrozen };

struct Solver {
    const ConeLaws& laws;
    const VecX& q;
    const VecX& D;
    DelassusOperator& W;
    const ProxNewtonSettings& settings;
    ProxNewtonWorkspace& ws;
    ConeResult& result;
    int nc;
    int limit;
    double q_norm;
    bool convex;         // the problem is the gradient of a convex function
    double current = 0;  // residual of ws.r at the last judge()
    double alpha = 0;
    int hold = 0;      // outer steps without a smaller alpha
    double noise = 0;  // |D (y - gamma)| / |q| that rounding makes
    double still = 0;  // |W dy| / |q| of a step that changes nothing any more

    [[nodiscard]] bool may_go_on() {
        if (result.iterations >= limit) return false;
        if (result.status == SolveStatus::kSolved || !settings.stop.deadline.passed()) return true;
        result.status = SolveStatus::kBudget;
        return false;
    }
    [[nodiscard]] bool solved() const { return result.status == SolveStatus::kSolved; }

    // Measures (ws.r, ws.u) and keeps it if it is the best.
    void judge() {
        const ConeResidual now = residual(laws, q, D, ws.r, ws.u);
        if (now.worst() < result.residual) keep(ws.r, ws.u, now, result);
        if (result.residual <= settings.stop.tolerance) result.status = SolveStatus::kSolved;
        current = now.worst();
    }
    void return_to_best() {
        ws.r = result.r;
        ws.u = result.u;
        current = result.residual;
    }
    void set_velocity() {
        W.multiply(ws.r, ws.u);
        ws.u += q;
    }
    template <typename Vector>
    [[nodiscard]] double size(const Vector& x) const {  // |D x| / |q|
        double sum = 0;
        for (int a = 0; a < nc; ++a)
            sum += D[a] * D[a] * x.template segment<3>(3 * a).squaredNorm();
        return std::sqrt(sum) / q_norm;
    }
    // Whether the inner problem is solved; below its own noise an error says nothing.
    [[nodiscard]] bool settled(double error, double accuracy) const {
        return error <= accuracy || (error <= noise && ws.W_step.norm() <= still * q_norm);
    }

    void plain_steps();
    bool plain_step(double regularisation);
    bool solve_linear(bool symmetric);
    void freeze_shift(const VecX& u);
    void convex_start();
    void proximal_steps();
    double prepare_outer();
    bool quick_step(bool idle);
    bool careful_step();
    bool retreat();
    int follow(Slip slip, double accuracy);
    bool descend_once(double& error);
    int descend(double accuracy);
    bool set_derivative(Slip slip, int a);
    bool newton_direction(Slip slip);
    double evaluate(Slip slip, const VecX& y, const VecX& u, VecX& gamma) const;
    double evaluate_frozen(const VecX& y, const VecX& u, VecX& gamma) const;
    bool search_error(Slip slip, double& error);
    bool search_phi(double& phi, double& error);
    void take_trial(double t);
    void take_step();
    void take_answer();
};

// (A + B W) step = right side, which stands in ws.step.
bool Solver::solve_linear(bool symmetric) {
    ++result.iterations;
    ++result.factorisations;
    if (!W.factor(ws.A, ws.B, ws.open, symmetric)) return false;
    W.solve(ws.step);
    return std::isfinite(ws.step.sum());
}

// ---- plain steps

bool Solver::plain_step(double regularisation) {
    for (int a = 0; a < nc; ++a) {
        const Vec3 r = ws.r.segment<3>(3 * a);
        Mat3& P = ws.B[at(a)];
        const Vec3 rest = with_law(laws, a, [&](const auto& law) {
            const Vec3 z = r - ws.u.segment<3>(3 * a) / D[a];
            ws.open[at(a)] = !law.answer_derivative(z, P);
            return Vec3(law.answer(z) - r);
        });
        ws.A[at(a)] = D[a] * (Mat3::Identity() - (1 - regularisation) * P);
        ws.step.segment<3>(3 * a) = ws.open[at(a)] ? rest : Vec3(D[a] * rest);
    }
    if (!solve_linear(false)) return false;
    ws.r += ws.step;
    set_velocity();
    return true;
}

void Solver::plain_steps() {
    double regularisation = kPlainAlpha;
    for (int k = 0; k < kMaxPlainSteps && !solved() && may_go_on(); ++k) {
        const double before = current;
        if (!plain_step(regularisation)) break;
        judge();
        if (!(current < kPlainGain * before)) break;
        regularisation *= 0.1;
    }
    return_to_best();
}

// ---- one problem (1)

// |D (y - gamma)| / |q|, the slip that of u.
double Solver::evaluate(Slip slip, const VecX& y, const VecX& u, VecX& gamma) const {
    double sum = 0;
    for (int a = 0; a < nc; ++a) {
        const Vec3 c = ws.center.segment<3>(3 * a);
        const Vec3 u_a = u.segment<3>(3 * a);
        const double scale = alpha * D[a];
        const Vec3 g = with_law(laws, a, [&](const auto& law) {
            return slip == Slip::kAnswer ? law.answer(c - u_a / scale)
                                         : law.project(1, c - law.dual(u_a) / scale);
        });
        gamma.segment<3>(3 * a) = g;
        sum += D[a] * D[a] * (y.segment<3>(3 * a) - g).squaredNorm();
    }
    return std::sqrt(sum) / q_norm;
}

// phi(y), gamma with the shift ws.shift.
double Solver::evaluate_frozen(const VecX& y, const VecX& u, VecX& gamma) const {
    double phi = 0.5 * y.dot(u - q);
    for (int a = 0; a < nc; ++a) {
        const double scale = alpha * D[a];
        Vec3 shifted = u.segment<3>(3 * a);
        shifted[0] += ws.shift[a];
        const Vec3 z = ws.center.segment<3>(3 * a) - shifted / scale;
        const Vec3 g = with_law(laws, a, [&](const auto& law) { return law.project(1, z); });
        gamma.segment<3>(3 * a) = g;
        phi += scale * (z.dot(g) - 0.5 * g.squaredNorm());
    }
    return phi;
}

// P of block a at ws.y: what a step has in place of B. False where it is zero.
bool Solver::set_derivative(Slip slip, int a) {
    Mat3& P = ws.B[at(a)];
    const Vec3 u = ws.u_y.segment<3>(3 * a);
    const Vec3 c = ws.center.segment<3>(3 * a);
    const double scale = alpha * D[a];
    return with_law(laws, a, [&](const auto& law) {
        if (slip == Slip::kAnswer) return law.answer_derivative(c - u / scale, P);
        const double shift = slip == Slip::kFrozen ? ws.shift[a] : law.shift(u);
        const bool any = law.derivative(c - Vec3(u[0] + shift, u[1], u[2]) / scale, P);
        if (slip == Slip::kFrozen) return any;
        const Eigen::Vector2d slope = law.slope(u);
        P.col(1) += slope[0] * P.col(0);
        P.col(2) += slope[1] * P.col(0);
        return any;
    });
}

// ws.step and ws.W_step at ws.y; false if the matrix cannot be factored.
bool Solver::newton_direction(Slip slip) {
    for (int a = 0; a < nc; ++a) {
        const double scale = alpha * D[a];
        ws.open[at(a)] = !set_derivative(slip, a);
        ws.A[at(a)] = scale * Mat3::Identity();
        const Vec3 rest = (ws.gamma - ws.y).segment<3>(3 * a);
        ws.step.segment<3>(3 * a) = ws.open[at(a)] ? rest : Vec3(scale * rest);
    }
    if (!solve_linear(slip == Slip::kFrozen)) return false;
    W.multiply(ws.step, ws.W_step);
    return true;
}

void Solver::take_trial(double t) {
    ws.trial_y = ws.y + t * ws.step;
    ws.trial_u = ws.u_y + t * ws.W_step;
}

void Solver::take_step() {
    ws.y.swap(ws.trial_y);
    ws.u_y.swap(ws.trial_u);
    ws.gamma.swap(ws.trial_gamma);
}

// Halves the step while the error does not fall; false if it never does.
bool Solver::search_error(Slip slip, double& error) {
    double t = 1;
    for (int i = 0; i < kMaxHalvings; ++i, t *= 0.5) {
        take_trial(t);
        const double now = evaluate(slip, ws.trial_y, ws.trial_u, ws.trial_gamma);
        if (!(now <= std::max(noise, (1 - kLeastGain * t) * error))) continue;
        error = now;
        take_step();
        return true;
    }
    return false;
}

// The same down phi, or where the error halves: phi no longer tells near the end.
bool Solver::search_phi(double& phi, double& error) {
    const double slope = (ws.y - ws.gamma).dot(ws.W_step);
    double t = 1;
    for (int i = 0; i < kMaxDescents; ++i, t *= 0.5) {
        take_trial(t);
        const double now = evaluate_frozen(ws.trial_y, ws.trial_u, ws.trial_gamma);
        const double now_error = size(ws.trial_y - ws.trial_gamma);
        const bool lower = now <= phi + kArmijo * t * slope + kPhiRounding * std::abs(phi);
        if (!lower && !(now_error < std::max(noise, 0.5 * error))) continue;
        phi = now;
        error = now_error;
        take_step();
        return true;
    }
    return false;
}

// The answer is y, not gamma: the noise of gamma is that of u over alpha, but of y only what does
// not change u.
void Solver::take_answer() {
    for (int a = 0; a < nc; ++a) {
        const Vec3 y = ws.y.segment<3>(3 * a);
        ws.r.segment<3>(3 * a) =
            with_law(laws, a, [&](const auto& law) { return law.project(1, y); });
    }
    set_velocity();
}

// Problem (1) with the slip as it comes, from ws.r; at least one step. Where halving fails, kShift
// takes two steps with the slip frozen and goes on. Returns the factorisations it took, negative if
// it does not converge well.
int Solver::follow(Slip slip, double accuracy) {
    const int first = result.factorisations;
    ws.y = ws.r;
    ws.u_y = ws.u;
    double error = evaluate(slip, ws.y, ws.u_y, ws.gamma);
    int slow = 0;
    int frozen = 0;
    for (int k = 0; k < kMaxInner && !(k > 0 && settled(error, accuracy)); ++k) {
        const double before = error;
        if (!may_go_on()) return -1;
        bool found = frozen == 0 && newton_direction(slip) && search_error(slip, error);
        if (!found && slip == Slip::kAnswer) return -1;
        if (!found) {
            frozen = frozen == 0 ? kFrozenSteps : frozen - 1;
            if (!descend_once(error)) return -1;
        }
        if (slip == Slip::kAnswer && error > 0.5 * before && error > noise && ++slow > kSlowSteps)
            return -1;
    }
    if (!settled(error, accuracy)) return -1;
    take_answer();
    return result.factorisations - first;
}

// One step with the slip of ws.u_y, and the error it leaves.
bool Solver::descend_once(double& error) {
    freeze_shift(ws.u_y);
    double phi = evaluate_frozen(ws.y, ws.u_y, ws.gamma);
    double frozen_error = size(ws.y - ws.gamma);
    if (!newton_direction(Slip::kFrozen) || !search_phi(phi, frozen_error)) return false;
    error = evaluate(Slip::kShift, ws.y, ws.u_y, ws.gamma);
    return true;
}

// Problem (1) with the slip frozen, from ws.r; negative if not even one step was found.
int Solver::descend(double accuracy) {
    const int first = result.factorisations;
    ws.y = ws.r;
    ws.u_y = ws.u;
    double phi = evaluate_frozen(ws.y, ws.u_y, ws.gamma);
    double error = size(ws.y - ws.gamma);
    for (int k = 0; k < kMaxFrozen && !(k > 0 && settled(error, accuracy)); ++k) {
        if (may_go_on() && newton_direction(Slip::kFrozen) && search_phi(phi, error)) continue;
        if (k == 0) return -1;
        break;
    }
    take_answer();
    return result.factorisations - first;
}

void Solver::freeze_shift(const VecX& u) {
    for (int a = 0; a < nc; ++a) {
        ws.shift[a] =
            with_law(laws, a, [&](const auto& law) { return law.shift(u.segment<3>(3 * a)); });
    }
}

// ---- the whole

// Without slip first: what rests then is solved, what slides has its normal impulses about right.
void Solver::convex_start() {
    ws.shift.setZero();
    for (const double first : kStartAlphas) {
        if (!may_go_on()) return;
        alpha = first;
        noise = kRounding * std::max(1.0, size(ws.r)) / alpha;
        ws.center = ws.r;
        if (descend(kInnerAccuracy * alpha) < 0) return;
        judge();
    }
}

double Solver::prepare_outer() {
    noise = kRounding * std::max(1.0, size(ws.r)) / alpha;
    still = 0.1 * std::max(settings.aim, 0.1 * current);
    ws.center = ws.r;
    return std::max(kFinestInner, kInnerAccuracy * current * alpha);
}

// One outer step by the answer of the law; where that does not converge, with the slip frozen, if
// that helps. Sets the next alpha.
bool Solver::quick_step(bool idle) {
    const double accuracy = prepare_outer();
    const double before = current;
    int steps = convex ? -1 : follow(Slip::kAnswer, accuracy);
    const bool frozen = steps < 0;
    if (frozen) {
        freeze_shift(ws.u);
        steps = descend(convex ? accuracy : kFrozenAccuracy * current);
    }
    if (steps < 0) return false;
    judge();
    // Too stiff to get down, or, near the end, for its rounding.
    const bool stiff = current > before && steps >= kMaxFrozen;
    const bool rounded = current > kAstray * before && before < kNearEnd;
    if (convex && (stiff || rounded)) {
        current = before;
        return retreat();
    }
    if (!frozen || convex) {
        const double least = std::min(alpha, idle ? kLeastAlpha : kMinAlpha);
        const double factor = hold > 0 ? 1.0 : steps < 4 ? 0.1 : steps < 8 ? 0.25 : 1.0;
        hold = std::max(0, hold - 1);
        alpha = std::max(least, alpha * factor);
        return true;
    }
    alpha = std::min(kMaxAlpha, kRetreat * alpha);
    if (current <= before) {
        alpha = std::max(alpha, std::min(kMaxAlpha, kAlphaPerRoot * std::sqrt(current)));
        return true;
    }
    ws.r = ws.center;  // the slip does not settle by itself here
    set_velocity();
    current = before;
    return true;
}

// Back to the last answer with a larger alpha; false if it is too large already.
bool Solver::retreat() {
    ws.r = ws.center;
    set_velocity();
    if (alpha >= kMaxCareful) return false;
    alpha = std::min(kMaxCareful, kRetreat * alpha);
    hold = kHold;
    return true;
}

// One outer step by the shift, which takes its time. False if alpha cannot be made any larger.
bool Solver::careful_step() {
    const double accuracy = prepare_outer();
    const int steps = follow(Slip::kShift, accuracy);
    if (steps < 0) return retreat();
    judge();
    if (hold > 0) {
        --hold;
    } else {
        const double factor = steps < 4 ? 0.25 : steps < 8 ? 0.5 : steps < 15 ? 1.0 : 1.5;
        alpha = std::max(kLeastAlpha, alpha * factor);
    }
    return true;
}

// Quick and careful steps by turns, each until nothing is gained any more.
void Solver::proximal_steps() {
    bool careful = settings.careful && !convex;
    alpha = careful ? kCarefulAlpha
                    : std::clamp(kAlphaPerRoot * std::sqrt(current), kMinAlpha, kFirstAlpha);
    double best = result.residual;
    int idle = 0;
    double patience = kPatience;  // doubled as often as it takes: no int holds that
    bool once_more = true;
    while (may_go_on()) {
        const bool going = careful ? careful_step() : quick_step(idle > 0);
        if (current <= settings.aim) return;
        if (solved() && !std::exchange(once_more, false)) return;
        idle = result.residual < kGain * best ? 0 : idle + 1;
        if (idle == 0) best = result.residual;
        if (going && idle < patience) continue;
        if (!going && convex && alpha >= kMaxAlpha) return;  // numbers too large or small to go on
        careful = !careful && !convex;
        if (!careful) patience *= 2;
        alpha = careful ? kCarefulAlpha : std::clamp(kEscape * alpha, kEscapeAlpha, kMaxAlpha);
        best = result.residual;
        idle = hold = 0;
        if (careful || current > kAstray * best) return_to_best();
    }
}

bool has_shift(const ConeLaws& laws) {
    if (laws.relaxed) return false;
    for (int a = 0; a < laws.contacts(); ++a) {
        if (!laws.is_bounded(a) && laws.mu[a] > 0) return true;
    }
    return false;
}

}  // namespace

void solve_prox_newton(const ConeLaws& laws, const VecX& q, const VecX& D, DelassusOperator& W,
                       const ProxNewtonSettings& settings, ProxNewtonWorkspace& ws,
                       ConeResult& result) {
    const int nc = laws.contacts();
    for (VecX* x : {&ws.step, &ws.W_step, &ws.gamma, &ws.trial_gamma}) x->resize(3 * nc);
    ws.shift.setZero(nc);
    ws.A.resize(at(nc));
    ws.B.resize(at(nc));
    ws.open.resize(at(nc));
    Solver solver{
        laws,
        q,
        D,
        W,
        settings,
        ws,
        result,
        nc,
        settings.stop.max_iterations > 0 ? settings.stop.max_iterations : kProxNewtonLimit,
        std::max(q.norm(), std::numeric_limits<double>::min()),
        !has_shift(laws)};
    solver.judge();
    if (solver.solved()) return;
    solver.plain_steps();
    if (!solver.solved() && !settings.careful && solver.current > kFar) solver.convex_start();
    if (!solver.solved()) solver.proximal_steps();
}

}  // namespace stiction
