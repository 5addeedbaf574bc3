// active_set.cpp - the moves of the active-set method, its two factors and its two solvers; see
// active_set.h.
#include "solve/lcp/active_set.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "solve/factor/leading_triangle.h"

namespace stiction {
namespace {

using Eigen::Index;

// Role of an unknown. Held: it could not enter for numerical reasons, and waits until f falls.
enum : char { kAtBound = 0, kInF, kHeld, kAside };

// How an unknown stands to F. Locked: its row of A is zero but for rounding.
enum class Fit { kIndependent, kDependent, kLocked };

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kEps = std::numeric_limits<double>::epsilon();
constexpr double kStall = 1e-14;   // relative fall of f that counts as progress: 50 eps
constexpr double kMargin = 0.1;    // of the tolerance, within which w has no wrong sign: the answer
                                   // is judged by all of it
constexpr double kRounding = 4;    // eps of its terms that w may be wrong by, as in is_solution()
constexpr double kNoSlope = 1e-9;  // of the largest |c_j|: rounding, does not limit a step
constexpr int kRefresh = 64;       // passes after which the rounding of updates to w is thrown away
// Own limit on the pivots. Most runs end within 3 n; small problems may do what they like.
constexpr int kMinLimit = 1000, kLimitPerUnknown = 20;

int pivot_limit(const ActiveSetSettings& settings, Index n) {
    const int own = std::max(kMinLimit, kLimitPerUnknown * static_cast<int>(n));
    return settings.stop.max_iterations > 0 ? settings.stop.max_iterations : own;
}

// Empties the workspace: n unknowns at zero, none of them free, and columns of Q of length `rows`
// for up to `most` that are.
void prepare(ActiveSetWorkspace& ws, Index n, Index rows, Index most) {
    ws.Q.resize(rows, most);
    ws.R.resize(most, most);
    ws.rest.resize(rows);
    for (VecX* x : {&ws.c, &ws.r, &ws.target, &ws.step, &ws.t}) x->resize(most);
    ws.z.setZero(n);
    ws.w.setZero(n);
    ws.role.assign(at(n), kAtBound);
    ws.free.clear();
    ws.free.reserve(at(most));
}

// x <- A_FF^-1 x.
void solve_free(const ActiveSetWorkspace& ws, VecX& x) {
    const auto k = static_cast<Index>(ws.free.size());
    solve_transposed(ws.R, k, x);
    solve_upper(ws.R, k, x);
}

// ---- factors: what the method must know of A, b and the bounds ----

// active_set_qp: A is given, w follows every move.
struct MatrixFactor {
    const BoxLcp& problem;
    const ActiveSetSettings& settings;
    ActiveSetWorkspace& ws;
    double slack;      // of w, within which it has no wrong sign, but for rounding
    double pivot = 0;  // R_kk that the unknown split last would have
    double size = 0;   // sum_j sqrt(A_jj) |z_j|: |A_ij z_j| <= sqrt(A_ii A_jj) |z_j|
    int arrivals = 0;

    [[nodiscard]] double lo(Index i) const { return problem.lo[i]; }
    [[nodiscard]] double hi(Index i) const { return problem.hi[i]; }
    // Unknowns are compared by z_i times this and w_i over it.
    [[nodiscard]] double unit(Index i) const { return ws.unit[i]; }
    // |w_i| over the unit where an unknown at a bound has a w of the wrong sign, else 0.
    [[nodiscard]] double gain(Index i) const {
        const double w = ws.w[i];
        if (std::abs(w) <= slack + kRounding * kEps * size * ws.unit[i]) return 0;
        if (w < 0 ? ws.z[i] >= problem.hi[i] : ws.z[i] <= problem.lo[i]) return 0;
        return ws.unit[i] > 0 ? std::abs(w) / ws.unit[i] : kInfinity;
    }
    [[nodiscard]] double objective() const { return stiction::objective(problem, ws.z, ws.w); }

    Fit split(int i);
    void find_target();
    void follow(int i, double change) { ws.w += change * problem.A.col(i); }
    void arrive();
};

// r and c of unknown i, c with one refinement, which makes the pivot second order in its error.
Fit MatrixFactor::split(int i) {
    const MatX& A = problem.A;
    const auto k = static_cast<Index>(ws.free.size());
    for (Index j = 0; j < k; ++j) ws.r[j] = A(ws.free[at(j)], i);
    solve_transposed(ws.R, k, ws.r);
    ws.c.head(k) = ws.r.head(k);
    solve_upper(ws.R, k, ws.c);
    double left = A(i, i), terms = A(i, i);
    for (Index j = 0; j < k; ++j) {
        const int m = ws.free[at(j)];
        double error = A(m, i);
        for (Index l = 0; l < k; ++l) error -= A(ws.free[at(l)], m) * ws.c[l];
        ws.step[j] = error;
        left -= ws.c[j] * (A(m, i) + error);
        terms += ws.c[j] * ws.c[j] * A(m, m);
    }
    solve_free(ws, ws.step);
    ws.c.head(k) += ws.step.head(k);
    if (!(left > settings.pivot_tolerance * terms)) return Fit::kDependent;
    pivot = std::sqrt(left);
    return Fit::kIndependent;
}

void MatrixFactor::find_target() {
    const auto k = static_cast<Index>(ws.free.size());
    for (Index j = 0; j < k; ++j) ws.target[j] = -ws.w[ws.free[at(j)]];
    solve_free(ws, ws.target);
    for (Index j = 0; j < k; ++j) ws.target[j] += ws.z[ws.free[at(j)]];
}

// The point is the minimiser over F.
void MatrixFactor::arrive() {
    if (++arrivals % kRefresh == 0) evaluate(problem, ws.z, ws.w);
    size = ws.unit.dot(ws.z.cwiseAbs());
}

// ppm: A = Y Y', whose rows are formed as they are tried; w is found at the minimisers alone.
struct RowFactor {
    const PpmProblem& problem;
    const ActiveSetSettings& settings;
    ActiveSetWorkspace& ws;
    double slack;
    bool bounded;  // has bounds of its own
    double pivot = 0;

    [[nodiscard]] double lo(Index i) const { return bounded ? problem.lo[i] : 0.0; }
    [[nodiscard]] double hi(Index i) const { return bounded ? problem.hi[i] : kInfinity; }
    [[nodiscard]] static double unit(Index) { return 1.0; }
    [[nodiscard]] double gain(Index i) const {
        if (ws.w[i] < -slack && ws.z[i] < hi(i)) return -ws.w[i];
        return bounded && ws.w[i] > slack && ws.z[i] > lo(i) ? ws.w[i] : 0.0;
    }
    [[nodiscard]] double objective() const {
        return ws.work - 0.5 * ws.t.head(static_cast<Index>(ws.free.size())).squaredNorm();
    }

    Fit split(int i);
    void find_target();
    void add_bounds();
    void follow(int, double) {}
    void arrive();
};

// d and what it is worth, from what stands at bounds.
void RowFactor::add_bounds() {
    ws.d.setZero(problem.K.cols());
    ws.work = 0;
    if (!bounded) return;
    for (Index i = 0; i < ws.z.size(); ++i) {
        if (ws.z[i] == 0 || ws.role[at(i)] == kInF) continue;
        ws.row = problem.N.row(i).transpose();
        ws.d.noalias() += ws.z[i] * (problem.K.transpose() * ws.row);
        ws.work += ws.z[i] * ws.q[i];
    }
    ws.work += 0.5 * ws.d.squaredNorm();
}

// y_i = Q r + rest; c only where the row is dependent.
Fit RowFactor::split(int i) {
    const auto k = static_cast<Index>(ws.free.size());
    ws.row = problem.N.row(i).transpose();
    ws.rest.noalias() = problem.K.transpose() * ws.row;
    const double before = ws.rest.squaredNorm();
    const double least =
        settings.pivot_tolerance * (problem.scale.size() > 0 ? problem.scale[i] : before);
    if (!(before > least)) return Fit::kLocked;
    ws.r.head(k).setZero();
    const auto Q = ws.Q.leftCols(k);
    for (int pass = 0; pass < 2 && k > 0; ++pass) {
        ws.step.head(k).noalias() = Q.transpose() * ws.rest;
        ws.rest.noalias() -= Q * ws.step.head(k);
        ws.r.head(k) += ws.step.head(k);
    }
    pivot = ws.rest.norm();
    if (k < ws.Q.cols() && ws.rest.squaredNorm() > least) return Fit::kIndependent;
    ws.c.head(k) = ws.r.head(k);
    solve_upper(ws.R, k, ws.c);
    return Fit::kDependent;
}

void RowFactor::find_target() {
    const auto k = static_cast<Index>(ws.free.size());
    add_bounds();
    for (Index j = 0; j < k; ++j) ws.t[j] = -ws.q[ws.free[at(j)]];
    solve_transposed(ws.R, k, ws.t);
    if (bounded) ws.t.head(k).noalias() -= ws.Q.leftCols(k).transpose() * ws.d;
    ws.target.head(k) = ws.t.head(k);
    solve_upper(ws.R, k, ws.target);
}

// Y'z = Q t + d at the minimiser, so w costs no row of C.
void RowFactor::arrive() {
    const auto k = static_cast<Index>(ws.free.size());
    ws.w = ws.q;
    if (k == 0 && !bounded) return;
    ws.rest = ws.d;
    if (k > 0) ws.rest.noalias() += ws.Q.leftCols(k) * ws.t.head(k);
    ws.a.noalias() = problem.K * ws.rest;
    ws.w.noalias() += problem.N * ws.a;
}

// ---- the moves ----

// The first bound that a step reaches.
struct Stop {
    Index position = kNone;     // in F
    double length = kInfinity;  // of the step
    double bound = 0;
};

template <typename Factor>
struct ActiveSet {
    Factor& factor;
    const ActiveSetSettings& settings;
    ActiveSetWorkspace& ws;
    int pivots = 0, iterations = 0;

    [[nodiscard]] Index size() const { return static_cast<Index>(ws.free.size()); }
    [[nodiscard]] int member(Index k) const { return ws.free[at(k)]; }
    [[nodiscard]] char& role(Index i) const { return ws.role[at(i)]; }

    // Takes i, just split and found independent, into F.
    void append(int i) {
        const Index k = size();
        ws.Q.col(k) = ws.rest / factor.pivot;
        ws.R.col(k).head(k) = ws.r.head(k);
        ws.R(k, k) = factor.pivot;
        ws.free.push_back(i);
        role(i) = kInF;
        ++pivots;
    }

    void remove(Index p) {
        remove_column(ws.Q, ws.R, size(), p);
        role(member(p)) = kAtBound;
        ws.free.erase(ws.free.begin() + p);
        ++pivots;
    }

    void move(int i, double value) {
        const double change = value - ws.z[i];
        if (change == 0) return;
        ws.z[i] = value;
        factor.follow(i, change);
    }

    // First member of F that ws.step brings to a bound, of least index among equals; parts of the
    // step up to the threshold do not count.
    [[nodiscard]] Stop first_stop(double threshold) const {
        Stop stop;
        for (Index j = 0; j < size(); ++j) {
            const int i = member(j);
            const double d = ws.step[j];
            if (!(std::abs(d) > threshold)) continue;
            const double bound = d > 0 ? factor.hi(i) : factor.lo(i);
            const double length = std::max((bound - ws.z[i]) / d, 0.0);  // may be NaN: no stop
            if (length < stop.length ||
                (length == stop.length && stop.position != kNone && i < member(stop.position)))
                stop = {j, length, bound};
        }
        return stop;
    }

    // Moves F by `length` along ws.step; what stops it lands on its bound exactly.
    void move_along_step(double length, const Stop& stop) {
        for (Index j = 0; j < size(); ++j) {
            const int i = member(j);
            const double goal = j == stop.position ? stop.bound : ws.z[i] + length * ws.step[j];
            move(i, std::clamp(goal, factor.lo(i), factor.hi(i)));
        }
    }

    // Step 3.
    void descend() {
        for (;;) {
            factor.find_target();
            for (Index j = 0; j < size(); ++j) ws.step[j] = ws.target[j] - ws.z[member(j)];
            const Stop stop = first_stop(0);
            if (!(stop.length < 1)) break;
            move_along_step(stop.length, stop);
            remove(stop.position);
        }
        for (Index j = 0; j < size(); ++j) {
            const int i = member(j);
            move(i, std::clamp(ws.target[j], factor.lo(i), factor.hi(i)));
        }
        factor.arrive();
    }

    // Step 1.
    [[nodiscard]] int entering(bool least_index) const {
        int best = kNone;
        double most = 0;
        for (Index i = 0; i < ws.z.size(); ++i) {
            const double gain = factor.gain(i);
            if (!(gain > most) || role(i) != kAtBound) continue;
            best = static_cast<int>(i);
            most = gain;
            if (least_index) break;
        }
        return best;
    }

    // Step 2 for an unknown that depends on F: c is in the workspace. False when nothing limits it.
    [[nodiscard]] bool exchange(int i) {
        const Index k = size();
        const double from = ws.z[i];
        const double sign = ws.w[i] < 0 ? 1 : -1;
        ws.step.head(k) = -sign * ws.c.head(k);
        const double largest = k > 0 ? ws.c.head(k).cwiseAbs().maxCoeff() : 0.0;
        const Stop stop = first_stop(kNoSlope * largest);
        const double own_bound = sign > 0 ? factor.hi(i) : factor.lo(i);
        const double own = std::abs(own_bound - from);
        if (std::min(stop.length, own) == kInfinity) return false;
        if (own < stop.length) {
            move_along_step(own, {});
            move(i, own_bound);
            ++pivots;  // F stays as it is, but the loop has to end
            return true;
        }
        move_along_step(stop.length, stop);
        move(i, std::clamp(from + sign * stop.length, factor.lo(i), factor.hi(i)));
        remove(stop.position);
        if (factor.split(i) == Fit::kIndependent)
            append(i);
        else if (ws.z[i] > factor.lo(i) && ws.z[i] < factor.hi(i))
            move(i, from);
        return true;
    }

    // Steps 2 and 3.
    void enter(int i) {
        const double from = ws.z[i];
        const Fit fit = factor.split(i);
        if (fit == Fit::kIndependent) {
            append(i);
        } else if (fit == Fit::kLocked || !exchange(i)) {
            role(i) = kAside;
            return;
        }
        descend();
        if (role(i) == kAtBound && ws.z[i] == from) role(i) = kHeld;  // only rounding does that
    }

    // Factors the guess, then drops the member furthest outside its bounds until none is.
    template <typename Guess>
    void start(const Guess& is_free) {
        for (int i = 0; i < static_cast<int>(ws.z.size()); ++i) {
            if (is_free(i) && factor.split(i) == Fit::kIndependent) append(i);
        }
        pivots = 0;  // a right guess costs none
        for (;;) {
            factor.find_target();
            Index worst = kNone;
            double furthest = 0;
            for (Index j = 0; j < size(); ++j) {
                const int i = member(j);
                const double outside =
                    std::max(factor.lo(i) - ws.target[j], ws.target[j] - factor.hi(i));
                if (!(outside * factor.unit(i) > furthest)) continue;
                furthest = outside * factor.unit(i);
                worst = j;
            }
            if (worst == kNone) break;
            const int i = member(worst);
            move(i, ws.target[worst] < factor.lo(i) ? factor.lo(i) : factor.hi(i));
            remove(worst);
        }
        descend();
    }

    // Passes until nothing is left to enter.
    [[nodiscard]] SolveStatus run() {
        const int limit = pivot_limit(settings, ws.z.size());
        double lowest = factor.objective();
        bool stalled = false;
        for (int i = entering(stalled); i != kNone; i = entering(stalled)) {
            if (pivots >= limit) return SolveStatus::kIterationLimit;
            if (iterations > 0 && settings.stop.deadline.passed()) return SolveStatus::kBudget;
            ++iterations;
            enter(i);
            const double now = factor.objective();
            stalled = !(now < lowest - kStall * std::abs(lowest));
            lowest = std::min(lowest, now);
            if (!stalled) std::replace(ws.role.begin(), ws.role.end(), char{kHeld}, char{kAtBound});
        }
        SolveStatus status = SolveStatus::kSolved;
        for (Index i = 0; i < ws.z.size(); ++i) {
            if (role(i) == kInF || factor.gain(i) == 0) continue;
            if (role(i) == kAside) return SolveStatus::kNoSolution;
            status = SolveStatus::kIterationLimit;
        }
        return status;
    }
};

// ---- the end of ppm ----

// Writes z and w, with one step of iterative refinement: w_F is what rounding left of zero.
void finish(const PpmProblem& problem, const RowFactor& factor, ActiveSetWorkspace& ws,
            LcpResult& result) {
    const auto k = static_cast<Index>(ws.free.size());
    for (int pass = 0;; ++pass) {
        if (factor.bounded) {
            ws.row.noalias() = problem.N.transpose() * ws.z;
        } else {
            ws.row.setZero();
            for (const int i : ws.free) ws.row += ws.z[i] * problem.N.row(i).transpose();
        }
        ws.rest.noalias() = problem.K.transpose() * ws.row;
        ws.a.noalias() = problem.K * ws.rest;
        result.w = ws.q;
        result.w.noalias() += problem.N * ws.a;
        if (pass == 1) break;
        for (Index j = 0; j < k; ++j) ws.target[j] = -result.w[ws.free[at(j)]];
        solve_free(ws, ws.target);
        for (Index j = 0; j < k; ++j) {
            const int i = ws.free[at(j)];
            double& z = ws.z[i];
            z += ws.target[j];
            if (z < factor.lo(i)) z = factor.lo(i);  // NaN stays
            if (z > factor.hi(i)) z = factor.hi(i);
        }
    }
    result.z = ws.z;
    for (const int i : ws.free) result.basic[at(i)] = 1;
    if (!factor.bounded) {
        result.residual = residual(result.z, result.w);
        return;
    }
    const VecX moved = (result.z - result.w).cwiseMax(problem.lo).cwiseMin(problem.hi);
    result.residual = result.z.size() == 0 ? 0.0 : (result.z - moved).lpNorm<Eigen::Infinity>();
}

bool is_finite(const PpmProblem& p) {
    return all_finite(p.N) && all_finite(p.K) && all_finite(p.v_hat) && all_finite(p.bias) &&
           all_finite(p.scale) && all_finite(p.start);
}

// Unknowns that are not free: at the bound that is asked for, else at one they have.
void set_start(const PpmProblem& problem, VecX& z) {
    for (Index i = 0; i < z.size(); ++i) {
        const double lo = problem.lo[i], hi = problem.hi[i];
        if (problem.start.size() > 0 && (problem.start[i] == lo || problem.start[i] == hi)) {
            z[i] = problem.start[i];
        } else if (lo > -kInfinity) {
            z[i] = lo;
        } else {
            z[i] = hi < kInfinity ? hi : 0.0;
        }
    }
}

}  // namespace

void solve_active_set_qp(const BoxLcp& problem, const ActiveSetSettings& settings,
                         const std::vector<BoundState>& guess, ActiveSetWorkspace& ws,
                         BoxResult& result) {
    const Index n = problem.b.size();
    if (!begin(problem, guess, ws.state, result)) return;
    prepare(ws, n, 0, n);
    for (Index i = 0; i < n; ++i) ws.z[i] = bound(problem, i, ws.state[at(i)]);
    evaluate(problem, ws.z, ws.w);
    ws.unit = problem.A.diagonal().cwiseMax(0.0).cwiseSqrt();
    MatrixFactor factor{problem, settings, ws, kMargin * settings.stop.tolerance * scale(problem)};
    ActiveSet<MatrixFactor> method{factor, settings, ws};
    method.start([&](int i) {
        return ws.state[at(i)] == BoundState::kFree && problem.lo[i] < problem.hi[i];
    });
    result.status = method.run();
    result.iterations = method.iterations;
    evaluate(problem, ws.z, ws.w);
    method.descend();  // the last refinement, on a w without the rounding of the updates
    result.pivots = method.pivots;
    judge_and_finish(problem, settings.stop.tolerance, ws.z, result);
}

void solve_ppm(const PpmProblem& problem, const ActiveSetSettings& settings, const LcpBasis& guess,
               ActiveSetWorkspace& ws, LcpResult& result) {
    const Index n = problem.N.rows(), m = problem.N.cols(), r = problem.K.cols();
    assert(problem.K.rows() == m && problem.v_hat.size() == m && problem.bias.size() == n);
    assert(problem.scale.size() == 0 || problem.scale.size() == n);
    assert(problem.lo.size() == problem.hi.size() &&
           (problem.lo.size() == 0 || problem.lo.size() == n));
    if (!begin(n, is_finite(problem), guess, ws.guess, result)) return;
    prepare(ws, n, r, r);
    ws.row.resize(m);
    ws.a.resize(m);
    ws.w = problem.bias.cwiseAbs();
    for (Index j = 0; j < m; ++j) ws.w += problem.N.col(j).cwiseAbs() * std::abs(problem.v_hat[j]);
    const double slack = settings.stop.tolerance * ws.w.maxCoeff();
    ws.q = problem.bias;
    ws.q.noalias() += problem.N * problem.v_hat;
    const bool bounded = problem.lo.size() > 0;
    if (bounded) set_start(problem, ws.z);
    RowFactor factor{problem, settings, ws, slack, bounded};
    ActiveSet<RowFactor> method{factor, settings, ws};
    method.start([&](int i) { return ws.guess[at(i)] != 0; });
    result.status = method.run();
    result.iterations = method.iterations;
    result.pivots = method.pivots;
    finish(problem, factor, ws, result);
    if (!std::isfinite(result.residual)) refuse(ws.q, result);
}

}  // namespace stiction
