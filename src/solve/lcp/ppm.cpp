// ppm.cpp - modified principal pivoting on rows N and a factor K of C; method in ppm.h.
#include "solve/lcp/ppm.h"

#include <Eigen/Jacobi>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "solve/factor/leading_triangle.h"

namespace stiction {
namespace {

using Eigen::Index;

// State of a row. Held: it could not enter for numerical reasons, and waits until f falls.
enum : char { kIdle = 0, kActive, kHeld, kAside };

constexpr double kStall = 1e-14;  // relative fall of f that counts as progress

struct Solver {
    const PpmProblem& problem;
    const PpmSettings& settings;
    PpmWorkspace& ws;
    LcpResult& result;
    double w_tolerance = 0;
    int max_pivots = 0;

    [[nodiscard]] Index size() const { return static_cast<Index>(ws.active.size()); }
};

enum class Fit { kIndependent, kDependent, kLocked };

// Splits y_i = Q c + y with y orthogonal to the active rows; c and y stay in the workspace.
Fit project(Solver& s, int i) {
    PpmWorkspace& ws = s.ws;
    const Index k = s.size();
    ws.row = s.problem.N.row(i).transpose();
    ws.y.noalias() = s.problem.K.transpose() * ws.row;
    const double before = ws.y.squaredNorm();
    const double scale = s.problem.scale.size() > 0 ? s.problem.scale[i] : before;
    const double least = s.settings.pivot_tolerance * scale;
    if (!(before > least)) return Fit::kLocked;
    auto c = ws.c.head(k);
    c.setZero();
    const auto Q = ws.Q.leftCols(k);
    for (int pass = 0; pass < 2 && k > 0; ++pass) {
        ws.target.head(k).noalias() = Q.transpose() * ws.y;
        ws.y.noalias() -= Q * ws.target.head(k);
        c += ws.target.head(k);
    }
    return k < ws.Q.cols() && ws.y.squaredNorm() > least ? Fit::kIndependent : Fit::kDependent;
}

// Appends row i, just projected and found independent, with force z_i.
void append(Solver& s, int i, double z_i) {
    PpmWorkspace& ws = s.ws;
    const Index k = s.size();
    const double length = ws.y.norm();
    ws.R.col(k).head(k) = ws.c.head(k);
    ws.R(k, k) = length;
    ws.Q.col(k) = ws.y / length;
    ws.z[k] = z_i;
    ws.active.push_back(i);
    ws.state[at(i)] = kActive;
}

// Deletes the row at position p of the factor. Dropping column p of R leaves one entry below the
// diagonal in each later column; rotating rows j and j + 1 of R, and the same columns of Q, removes
// it and leaves Q R unchanged.
void remove(Solver& s, Index p) {
    PpmWorkspace& ws = s.ws;
    const Index k = s.size();
    ws.state[static_cast<size_t>(ws.active[at(p)])] = kIdle;
    ws.active.erase(ws.active.begin() + p);
    for (Index j = p; j + 1 < k; ++j) {
        ws.R.col(j).head(j + 2) = ws.R.col(j + 1).head(j + 2);
        ws.z[j] = ws.z[j + 1];
    }
    for (Index j = p; j + 1 < k; ++j) {
        Eigen::JacobiRotation<double> rotation;
        double r = 0;
        rotation.makeGivens(ws.R(j, j), ws.R(j + 1, j), &r);
        ws.R(j, j) = r;
        ws.R(j + 1, j) = 0;
        for (Index c = j + 1; c + 1 < k; ++c) {
            const double upper = ws.R(j, c), lower = ws.R(j + 1, c);
            ws.R(j, c) = rotation.c() * upper - rotation.s() * lower;
            ws.R(j + 1, c) = rotation.s() * upper + rotation.c() * lower;
        }
        for (Index i = 0; i < ws.Q.rows(); ++i) {
            const double left = ws.Q(i, j), right = ws.Q(i, j + 1);
            ws.Q(i, j) = rotation.c() * left - rotation.s() * right;
            ws.Q(i, j + 1) = rotation.s() * left + rotation.c() * right;
        }
    }
}

// target = minimiser of f over the active rows, t = R target.
void find_target(Solver& s) {
    PpmWorkspace& ws = s.ws;
    const Index k = s.size();
    for (Index j = 0; j < k; ++j) ws.t[j] = -ws.q[ws.active[at(j)]];
    solve_transposed(ws.R, k, ws.t);
    ws.target.head(k) = ws.t.head(k);
    solve_upper(ws.R, k, ws.target);
}

// Step 3: moves z to the minimiser over the active rows and deletes those that reach zero.
void descend(Solver& s) {
    PpmWorkspace& ws = s.ws;
    for (;;) {
        find_target(s);
        const Index k = s.size();
        Index block = kNone;
        double fraction = 1;
        for (Index j = 0; j < k; ++j) {
            if (ws.target[j] >= 0) continue;
            const double reach = ws.z[j] / (ws.z[j] - ws.target[j]);
            const bool first = block == kNone || reach < fraction ||
                               (reach == fraction && ws.active[at(j)] < ws.active[at(block)]);
            if (first) {
                block = j;
                fraction = reach;
            }
        }
        if (block == kNone) {
            ws.z.head(k) = ws.target.head(k);
            return;
        }
        ws.z.head(k) += fraction * (ws.target.head(k) - ws.z.head(k));
        ws.z.head(k) = ws.z.head(k).cwiseMax(0.0);
        remove(s, block);
        ++s.result.pivots;
    }
}

// u = Y_a' z_a = Q t holds at the minimiser, so w = N (v_hat + K Q t) + bias costs no row of C.
void find_w(Solver& s) {
    PpmWorkspace& ws = s.ws;
    const Index k = s.size();
    ws.w = ws.q;
    if (k == 0) return;
    ws.u.noalias() = ws.Q.leftCols(k) * ws.t.head(k);
    ws.a.noalias() = s.problem.K * ws.u;
    ws.w.noalias() += s.problem.N * ws.a;
}

int entering_row(const Solver& s, bool least_index) {
    int best = kNone;
    for (Index i = 0; i < s.ws.w.size(); ++i) {
        if (s.ws.state[at(i)] != kIdle || s.ws.w[i] >= -s.w_tolerance) continue;
        if (best != kNone && s.ws.w[i] >= s.ws.w[best]) continue;
        best = static_cast<int>(i);
        if (least_index) break;
    }
    return best;
}

// Step 2 for a row that depends on the active ones: swaps it for the active row whose force falls
// to zero first. False when there is none.
bool exchange(Solver& s, int i) {
    PpmWorkspace& ws = s.ws;
    const Index k = s.size();
    solve_upper(ws.R, k, ws.c);
    const double least = 1e-9 * (k > 0 ? ws.c.head(k).cwiseAbs().maxCoeff() : 0.0);
    Index leaving = kNone;
    double t = std::numeric_limits<double>::infinity();
    for (Index j = 0; j < k; ++j) {
        if (!(ws.c[j] > least)) continue;
        const double ratio = ws.z[j] / ws.c[j];
        if (ratio < t || (ratio == t && ws.active[at(j)] < ws.active[at(leaving)])) {
            t = ratio;
            leaving = j;
        }
    }
    if (leaving == kNone) return false;
    ws.z.head(k) = (ws.z.head(k) - t * ws.c.head(k)).cwiseMax(0.0);
    remove(s, leaving);
    ++s.result.pivots;
    if (project(s, i) == Fit::kIndependent) {
        append(s, i, t);
        ++s.result.pivots;
    } else {
        ws.state[at(i)] = kHeld;
    }
    return true;
}

void enter(Solver& s, int i) {
    const Fit fit = project(s, i);
    char& state = s.ws.state[at(i)];
    if (fit == Fit::kIndependent) {
        append(s, i, 0.0);
        ++s.result.pivots;
    } else if (fit == Fit::kLocked || !exchange(s, i)) {
        state = kAside;
        return;
    }
    descend(s);
    if (state == kIdle) state = kHeld;  // thrown out at once: only rounding can do that
}

// Factors the guess and drops the most negative forces until none is left.
void start_from(Solver& s, const LcpBasis& guess) {
    PpmWorkspace& ws = s.ws;
    for (size_t i = 0; i < guess.size(); ++i)
        if (guess[i] && project(s, static_cast<int>(i)) == Fit::kIndependent)
            append(s, static_cast<int>(i), 0.0);
    for (find_target(s); s.size() > 0; find_target(s)) {
        Index worst = 0;
        if (ws.target.head(s.size()).minCoeff(&worst) >= 0) break;
        remove(s, worst);
        ++s.result.pivots;
    }
    ws.z.head(s.size()) = ws.target.head(s.size());
}

// Writes z and w, with one step of iterative refinement: w_a is what rounding left of zero.
void finish(Solver& s) {
    PpmWorkspace& ws = s.ws;
    LcpResult& result = s.result;
    const Index k = s.size();
    for (int pass = 0;; ++pass) {
        ws.row.setZero();
        for (Index j = 0; j < k; ++j)
            ws.row += ws.z[j] * s.problem.N.row(ws.active[at(j)]).transpose();
        ws.u.noalias() = s.problem.K.transpose() * ws.row;
        ws.a.noalias() = s.problem.K * ws.u;
        result.w = ws.q;
        result.w.noalias() += s.problem.N * ws.a;
        if (pass == 1) break;
        for (Index j = 0; j < k; ++j) ws.target[j] = -result.w[ws.active[at(j)]];
        solve_transposed(ws.R, k, ws.target);
        solve_upper(ws.R, k, ws.target);
        ws.z.head(k) = (ws.z.head(k) + ws.target.head(k)).cwiseMax(0.0);
    }
    for (Index j = 0; j < k; ++j) {
        const int i = ws.active[at(j)];
        result.z[i] = ws.z[j];
        result.basic[at(i)] = 1;
    }
    result.residual = residual(result.z, result.w);
}

bool all_finite(const PpmProblem& p) {
    return (p.N * 0.0).sum() == 0 && (p.K * 0.0).sum() == 0 && (p.v_hat * 0.0).sum() == 0 &&
           (p.bias * 0.0).sum() == 0 && (p.scale * 0.0).sum() == 0;
}

void prepare(Solver& s) {
    const PpmProblem& p = s.problem;
    PpmWorkspace& ws = s.ws;
    const Index n = p.N.rows(), m = p.N.cols(), r = p.K.cols();
    ws.Q.resize(r, r);
    ws.R.resize(r, r);
    for (VecX* x : {&ws.z, &ws.target, &ws.y, &ws.c, &ws.u, &ws.t}) x->resize(r);
    ws.row.resize(m);
    ws.a.resize(m);
    ws.active.clear();
    ws.active.reserve(at(r));
    ws.state.assign(at(n), kIdle);
    ws.q = p.bias;
    ws.w = p.bias.cwiseAbs();
    for (Index j = 0; j < m; ++j) ws.w += p.N.col(j).cwiseAbs() * std::abs(p.v_hat[j]);
    s.w_tolerance = s.settings.stop.tolerance * ws.w.maxCoeff();
    ws.q.noalias() += p.N * p.v_hat;
    s.max_pivots = s.settings.stop.max_iterations > 0 ? s.settings.stop.max_iterations
                                                      : std::max(1000, 20 * static_cast<int>(n));
}

// Passes until no row is left to enter.
SolveStatus run(Solver& s) {
    PpmWorkspace& ws = s.ws;
    double fallen = ws.t.head(s.size()).squaredNorm();  // -2 f
    bool stalled = false;
    for (;;) {
        find_w(s);
        const int i = entering_row(s, stalled);
        if (i == kNone) break;
        if (s.result.pivots >= s.max_pivots) return SolveStatus::kIterationLimit;
        if (s.result.iterations > 0 && s.settings.stop.deadline.passed())
            return SolveStatus::kBudget;
        ++s.result.iterations;
        enter(s, i);
        const double now = ws.t.head(s.size()).squaredNorm();
        stalled = !(now > fallen * (1 + kStall));
        fallen = std::max(fallen, now);
        if (!stalled) std::replace(ws.state.begin(), ws.state.end(), char{kHeld}, char{kIdle});
    }
    SolveStatus status = SolveStatus::kSolved;
    for (Index i = 0; i < ws.w.size(); ++i) {
        if (ws.w[i] >= -s.w_tolerance) continue;
        const char state = ws.state[at(i)];
        if (state == kAside) return SolveStatus::kNoSolution;
        if (state == kHeld) status = SolveStatus::kIterationLimit;
    }
    return status;
}

}  // namespace

void solve_ppm(const PpmProblem& problem, const PpmSettings& settings, const LcpBasis& guess,
               PpmWorkspace& ws, LcpResult& result) {
    const Index n = problem.N.rows();
    assert(problem.K.rows() == problem.N.cols() && problem.v_hat.size() == problem.N.cols());
    assert(problem.bias.size() == n && (problem.scale.size() == 0 || problem.scale.size() == n));
    if (static_cast<Index>(guess.size()) == n)
        ws.guess = guess;
    else
        ws.guess.assign(at(n), 0);
    reset(result, n);
    if (n == 0) return;
    if (!all_finite(problem)) {
        result.status = SolveStatus::kNotFinite;
        result.residual = std::numeric_limits<double>::quiet_NaN();
        return;
    }
    Solver solver{problem, settings, ws, result};
    prepare(solver);
    start_from(solver, ws.guess);
    const bool guessed = solver.size() > 0;
    result.status = run(solver);
    result.warm = guessed && result.pivots == 0 && result.status == SolveStatus::kSolved;
    finish(solver);
    if (!std::isfinite(result.residual)) {  // the answer is beyond the range of a double
        reset(result, n);
        result.status = SolveStatus::kNotFinite;
        result.w = ws.q;
        result.residual = residual(result.z, result.w);
    }
}

}  // namespace stiction
