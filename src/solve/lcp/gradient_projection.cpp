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
constexpr double kPivot = 1e-11;       // of the scaled A_FF: 1e4 roundings of a pivot
constexpr double kNoSlope = 1e-9;      // of the largest part of a flat direction: rounding
constexpr double kCgTolerance = 1e-2;  // fall of the residual at which the steps end: the face may
                                       // be the wrong one
constexpr double kMinGain = 0.99;      // of the residual in a window: less takes for ever
constexpr int kIterations = 500;       // 155 are the most that random contacts took
constexpr int kWindow = 50;            // iterations; 99 of 100 problems are solved within one
constexpr int kHalvings = 30;          // of a step: then it is lost in rounding, 2^-30 = 1e-9

struct Solver {
    const BoxLcp& problem;
    const GradientProjectionSettings& settings;
    GradientProjectionWorkspace& ws;
    BoxResult& result;

    // Square of the unit of x_i: A_ii, or 1 for a row of zeros.
    [[nodiscard]] double diagonal(Index i) const {
        const double d = problem.A(i, i);
        return d > 0 ? d : 1.0;
    }
    void multiply(const VecX& p, VecX& Ap) const {
        Ap.setZero(p.size());
        for (Index j = 0; j < p.size(); ++j)
            if (p[j] != 0) Ap += p[j] * problem.A.col(j);
    }
    // p'D p, against which p'A p is judged.
    [[nodiscard]] double weight(const VecX& p) const {
        double sum = 0;
        for (Index i = 0; i < p.size(); ++i) sum += diagonal(i) * p[i] * p[i];
        return sum;
    }
};

void clamp_to_box(const BoxLcp& problem, VecX& z) {
    z = z.cwiseMin(problem.hi).cwiseMax(problem.lo);
}

// Step 1: moves z and w to the Cauchy point. False when f falls along the last piece for ever.
bool find_cauchy_point(Solver& s) {
    GradientProjectionWorkspace& ws = s.ws;
    const Index n = ws.z.size();
    ws.breaks.clear();
    for (Index i = 0; i < n; ++i) {
        double& p = ws.direction[i];
        p = -ws.w[i] / s.diagonal(i);
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
    GradientProjectionWorkspace& ws = s.ws;
    factor_principal(s.problem.A, ws.members, true, kPivot, ws.factor);
    if (ws.factor.rank == 0) return false;
    ws.x.resize(ws.members.size());
    for (size_t k = 0; k < ws.members.size(); ++k) ws.x[k] = -ws.w[ws.members[k]];
    solve_principal(ws.factor, ws.x);
    ws.step.setZero();
    for (size_t k = 0; k < ws.members.size(); ++k) ws.step[ws.members[k]] = ws.x[k];
    return true;
}

// Step 2 by conjugate gradients with the diagonal as preconditioner. A direction without curvature
// is followed alone. False when it leads to no bound: f falls for ever.
bool reduce_on_face(Solver& s) {
    GradientProjectionWorkspace& ws = s.ws;
    ws.step.setZero();
    ws.direction.setZero();
    ws.residual.setZero();
    double rho = 0;
    for (const int i : ws.members) {
        ws.residual[i] = -ws.w[i];
        ws.direction[i] = ws.residual[i] / s.diagonal(i);
        rho += ws.residual[i] * ws.direction[i];
    }
    const double enough = kCgTolerance * kCgTolerance * rho;
    const int most = std::min(s.settings.cg_steps, static_cast<int>(ws.members.size()));
    for (int k = 0; k < most && rho > enough; ++k) {
        s.multiply(ws.direction, ws.A_direction);
        const double curvature = ws.direction.dot(ws.A_direction);
        if (!(curvature > kFlat * s.weight(ws.direction))) {
            double length = kInfinity;
            for (const int i : ws.members) {
                const double p = ws.direction[i];
                if (p == 0) continue;
                const double limit = p > 0 ? s.problem.hi[i] : s.problem.lo[i];
                length = std::min(length, (limit - ws.z[i]) / p);
            }
            if (k > 0) return true;  // what was gained so far first
            if (length == kInfinity) return false;
            ws.step = length * ws.direction;
            return true;
        }
        const double length = rho / curvature;
        ws.step += length * ws.direction;
        double rho_new = 0;
        for (const int i : ws.members) {
            ws.residual[i] -= length * ws.A_direction[i];
            rho_new += ws.residual[i] * ws.residual[i] / s.diagonal(i);
        }
        for (const int i : ws.members)
            ws.direction[i] = ws.residual[i] / s.diagonal(i) + rho_new / rho * ws.direction[i];
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
        ws.trial = ws.z + t * ws.step;
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

// Members of the face that depend on others, with a gradient left: f is linear along their flat
// direction, which is followed to the first bound. False when there is none.
bool follow_flat_directions(Solver& s) {
    GradientProjectionWorkspace& ws = s.ws;
    const double slack = s.settings.stop.tolerance * scale(s.problem);
    for (int k = ws.factor.rank; k < ws.factor.size; ++k) {
        flat_direction(s.problem.A, ws.members, ws.factor, k, ws.x);
        double slope = 0, length = kInfinity;
        ws.direction.setZero();
        for (size_t j = 0; j < ws.members.size(); ++j) {
            ws.direction[ws.members[j]] = ws.x[j];
            slope += ws.x[j] * ws.w[ws.members[j]];
        }
        const double size = std::sqrt(s.weight(ws.direction));
        if (!(std::abs(slope) > slack * size / std::sqrt(s.problem.A.diagonal().maxCoeff())))
            continue;
        if (slope > 0) ws.direction = -ws.direction;
        for (const int i : ws.members) {
            const double p = ws.direction[i];
            if (!(std::abs(p) * std::sqrt(s.diagonal(i)) > kNoSlope * size)) continue;
            const double limit = p > 0 ? s.problem.hi[i] : s.problem.lo[i];
            length = std::min(length, (limit - ws.z[i]) / p);
        }
        if (length == kInfinity) {
            if (is_unbounded_along(s.problem, ws.direction)) return false;
            continue;
        }
        ws.z += std::max(0.0, length) * ws.direction;
        clamp_to_box(s.problem, ws.z);
        evaluate(s.problem, ws.z, ws.w);
        return true;
    }
    return true;
}

void run(Solver& s, double least) {
    GradientProjectionWorkspace& ws = s.ws;
    const SolveSettings& stop = s.settings.stop;
    const int limit = stop.max_iterations > 0 ? stop.max_iterations : kIterations;
    double least_before = least;
    const auto consider = [&] {
        const double now = relative_residual(s.problem, ws.z, ws.w);
        if (now < least) {
            least = now;
            ws.best = ws.z;
        }
        return now <= stop.tolerance;
    };
    while (s.result.iterations < limit) {
        ++s.result.iterations;
        if (!find_cauchy_point(s)) {
            s.result.status = SolveStatus::kNoSolution;
            return;
        }
        evaluate(s.problem, ws.z, ws.w);
        if (consider()) return;
        ws.members.clear();
        for (Index i = 0; i < ws.z.size(); ++i)
            if (ws.z[i] > s.problem.lo[i] && ws.z[i] < s.problem.hi[i])
                ws.members.push_back(static_cast<int>(i));
        const bool again = ws.members == ws.last_members;
        ws.last_members = ws.members;
        if (!ws.members.empty()) {
            const bool solved = again && solve_face(s);
            if (!solved && !reduce_on_face(s)) {
                s.result.status = SolveStatus::kNoSolution;
                return;
            }
            search(s);
            if (consider()) return;
            if (solved && !follow_flat_directions(s)) {
                s.result.status = SolveStatus::kNoSolution;
                return;
            }
        }
        if (s.result.iterations % kWindow == 0) {
            s.result.stalled = least > kMinGain * least_before;
            if (s.result.stalled) return;
            least_before = least;
        }
        if (stop.deadline.passed()) {
            s.result.status = SolveStatus::kBudget;
            return;
        }
    }
}

}  // namespace

void solve_gradient_projection(const BoxLcp& problem, const GradientProjectionSettings& settings,
                               const VecX& guess, GradientProjectionWorkspace& ws,
                               BoxResult& result) {
    const Index n = problem.b.size();
    if (!begin(problem, guess, ws.z, result)) return;
    for (VecX* x : {&ws.direction, &ws.A_direction, &ws.trial, &ws.w_trial, &ws.step, &ws.residual})
        x->setZero(n);
    const auto size = at(n);
    ws.breaks.reserve(size);
    ws.members.reserve(size);
    ws.last_members.assign(1, kNone);  // no face yet
    ws.last_members.reserve(size + 1);
    ws.x.reserve(size);
    reserve(ws.factor, n);
    evaluate(problem, ws.z, ws.w);
    ws.best = ws.z;
    Solver solver{problem, settings, ws, result};
    const double first = relative_residual(problem, ws.z, ws.w);
    if (first > settings.stop.tolerance) run(solver, first);
    judge_and_finish(problem, settings.stop.tolerance, ws.best, result);
}

}  // namespace stiction
