// gradient_projection.cpp - Cauchy point, then minimisation on its face; see gradient_projection.h.
#include "solve/lcp/gradient_projection.h"

#include <algorithm>
#include <cmath>

#include "solve/lcp/pgs.h"

namespace stiction {
namespace {

using Eigen::Index;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kFlat = 1e-14;        // curvature that is rounding, of p'D p: 50 eps
constexpr double kCgTolerance = 1e-2;  // fall of the residual at which the steps end: the face may
                                       // be the wrong one
constexpr int kIterations = 500;       // 155 are the most that random contacts took
constexpr int kWindow = 50;            // iterations; 99 of 100 problems are solved within one
constexpr int kHalvings = 30;          // of a step: then it is lost in rounding, 2^-30 = 1e-9

struct Solver {
    const BoxLcp& problem;
    const GradientProjectionSettings& settings;
    GradientProjectionWorkspace& ws;
    BoxResult& result;

    // Keeps the current point if it is the best so far; true when it is a solution.
    bool consider() { return ws.consider(problem) <= settings.stop.tolerance; }
    void multiply(const VecX& p, VecX& Ap) const {
        Ap.setZero(p.size());
        for (Index j = 0; j < p.size(); ++j)
            if (p[j] != 0) Ap += p[j] * problem.A.col(j);
    }
    // p'D p, against which p'A p is judged.
    [[nodiscard]] double weight(const VecX& p) const {
        double sum = 0;
        for (Index i = 0; i < p.size(); ++i) sum += diagonal(problem, i) * p[i] * p[i];
        return sum;
    }
};

// Step 1: moves z and w to the Cauchy point. False when f falls along the last piece for ever.
bool find_cauchy_point(Solver& s) {
    GradientProjectionWorkspace& ws = s.ws;
    const Index n = ws.z.size();
    ws.breaks.clear();
    for (Index i = 0; i < n; ++i) {
        double& p = ws.direction[i];
        p = -ws.w[i] / diagonal(s.problem, i);
        const double limit = p > 0 ? s.problem.hi[i] : s.problem.lo[i];
        if (p == 0) continue;
        if (limit == ws.z[i])
            p = 0;
        else if (std::isfinite(limit))
            ws.breaks.emplace_back((limit - ws.z[i]) / p, static_cast<int>(i));
    }
    std::sort(ws.breaks.begin(), ws.breaks.end());
    s.multiply(ws.direction, ws.A_direction);
    double t = 0;
    size_t next = 0;
    for (;;) {
        const double slope = ws.w.dot(ws.direction);
        const double curvature = ws.direction.dot(ws.A_direction);
        if (!(slope < 0)) return true;
        const bool flat = !(curvature > kFlat * s.weight(ws.direction));
        const double best = flat ? kInfinity : -slope / curvature;
        const double end = next < ws.breaks.size() ? ws.breaks[next].first - t : kInfinity;
        const double length = std::min(best, end);
        if (length == kInfinity) return false;
        ws.z += length * ws.direction;
        ws.w += length * ws.A_direction;
        if (best <= end) {
            clamp_to_box(s.problem, ws.z);
            return true;
        }
        t = ws.breaks[next].first;
        for (; next < ws.breaks.size() && ws.breaks[next].first == t; ++next) {
            const int i = ws.breaks[next].second;
            const double p = ws.direction[i];
            ws.z[i] = p > 0 ? s.problem.hi[i] : s.problem.lo[i];
            ws.A_direction -= p * s.problem.A.col(i);
            ws.direction[i] = 0;
        }
    }
}

// Step 2 by factors: the step to the minimiser over the face.
bool solve_face(Solver& s) {
    if (!factor_face(s.problem.A, true, kFacePivot, s.ws.face)) return false;
    find_step(s.ws.w, s.ws.face);
    return true;
}

// Step 2 by conjugate gradients with the diagonal as preconditioner. A direction without curvature
// is followed alone. False when it leads to no bound: f falls for ever.
bool reduce_on_face(Solver& s) {
    GradientProjectionWorkspace& ws = s.ws;
    const std::vector<int>& members = ws.face.members;
    VecX& step = ws.face.step;
    step.setZero();
    ws.direction.setZero();
    ws.residual.setZero();
    double rho = 0;
    for (const int i : members) {
        ws.residual[i] = -ws.w[i];
        ws.direction[i] = ws.residual[i] / diagonal(s.problem, i);
        rho += ws.residual[i] * ws.direction[i];
    }
    const double enough = kCgTolerance * kCgTolerance * rho;
    const int most = std::min(s.settings.cg_steps, static_cast<int>(members.size()));
    for (int k = 0; k < most && rho > enough; ++k) {
        s.multiply(ws.direction, ws.A_direction);
        const double curvature = ws.direction.dot(ws.A_direction);
        if (!(curvature > kFlat * s.weight(ws.direction))) {
            if (k > 0) return true;  // what was gained so far first
            step = ws.direction;
            const FirstBound first = first_bound(s.problem, ws.z, ws.face);
            if (first.unknown == kNone) return false;
            step *= first.length;
            return true;
        }
        const double length = rho / curvature;
        step += length * ws.direction;
        double rho_new = 0;
        for (const int i : members) {
            ws.residual[i] -= length * ws.A_direction[i];
            rho_new += ws.residual[i] * ws.residual[i] / diagonal(s.problem, i);
        }
        for (const int i : members)
            ws.direction[i] =
                ws.residual[i] / diagonal(s.problem, i) + rho_new / rho * ws.direction[i];
        rho = rho_new;
    }
    return true;
}

// Step 3.
void search(Solver& s) {
    GradientProjectionWorkspace& ws = s.ws;
    const double f = objective(s.problem, ws.z, ws.w);
    double t = 1;
    for (int k = 0; k < kHalvings; ++k, t /= 2) {
        ws.trial = ws.z + t * ws.face.step;
        clamp_to_box(s.problem, ws.trial);
        evaluate(s.problem, ws.trial, ws.w_trial);
        const double f_trial = objective(s.problem, ws.trial, ws.w_trial);
        const bool better = f_trial < f || relative_residual(s.problem, ws.trial, ws.w_trial) <=
                                               s.settings.stop.tolerance;
        if (!better) continue;
        std::swap(ws.z, ws.trial);
        std::swap(ws.w, ws.w_trial);
        return;
    }
}

// One iteration. False when f falls for ever inside the box.
bool iterate(Solver& s) {
    GradientProjectionWorkspace& ws = s.ws;
    if (!find_cauchy_point(s)) return false;
    evaluate(s.problem, ws.z, ws.w);
    if (s.consider()) return true;
    find_members(s.problem, ws.z, ws.face);
    const bool again = ws.face.members == ws.last_members;
    ws.last_members = ws.face.members;
    if (ws.face.members.empty()) return true;
    const bool solved = again && solve_face(s);
    if (!solved && !reduce_on_face(s)) return false;
    search(s);
    if (s.consider() || !solved) return true;
    const FlatMove move = follow_flat_direction(s.problem, ws.face, ws.z, ws.w);
    if (move == FlatMove::kEndless) return !is_unbounded_along(s.problem, ws.face.step);
    s.consider();
    return true;
}

}  // namespace

void solve_gradient_projection(const BoxLcp& problem, const GradientProjectionSettings& settings,
                               const VecX& guess, GradientProjectionWorkspace& ws,
                               BoxResult& result) {
    const Index n = problem.b.size();
    if (!begin(problem, guess, ws.z, result)) return;
    for (VecX* x : {&ws.direction, &ws.A_direction, &ws.trial, &ws.w_trial, &ws.residual})
        x->setZero(n);
    ws.breaks.reserve(at(n));
    ws.last_members.assign(1, kNone);  // no face yet
    ws.last_members.reserve(at(n) + 1);
    reserve(ws.face, n);
    Solver solver{problem, settings, ws, result};
    solve_by_passes(problem, settings.stop, kIterations, kWindow, ws, result,
                    [&] { return iterate(solver); });
}

}  // namespace stiction
