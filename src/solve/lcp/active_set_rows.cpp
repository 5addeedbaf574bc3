// active_set_rows.cpp - active-set method on rows with an orthogonal factor; see active_set_rows.h.
#include "solve/lcp/active_set_rows.h"

#include <Eigen/Jacobi>
#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

using Eigen::Index;

// Role of an unknown. Held: entering brought nothing but rounding; it waits until f falls.
enum : char { kAtBound = 0, kInF, kHeld, kAside };

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kEps = std::numeric_limits<double>::epsilon();
constexpr double kStall = 1e-14;   // relative fall of f that counts as progress
constexpr double kMargin = 0.1;    // of the tolerance, within which w has no wrong sign
constexpr double kNoSlope = 1e-9;  // of the largest |c_j|: rounding, does not limit a step
// A row that is within the tolerance and has less than this left of its length does not enter: p
// would move by w / rest for the sake of digits that are not asked for.
constexpr double kNearlyDependent = 1e-5;
constexpr double kStart = 1e-4;  // rows of a guess that depend on others more than that wait

struct Solver {
    const BoxLcp& problem;
    const MatX& Y;
    const ActiveSetRowsSettings& settings;
    ActiveSetRowsWorkspace& ws;
    BoxResult& result;
    double scale = 0;
    int max_pivots = 0;
    double least = kInfinity;  // relative residual of the best point

    [[nodiscard]] Index size() const { return static_cast<Index>(ws.free.size()); }
    [[nodiscard]] int member(Index k) const { return ws.free[at(k)]; }
    [[nodiscard]] char& role(Index i) const { return ws.role[at(i)]; }
    [[nodiscard]] double length(Index i) const { return ws.length[at(i)]; }
};

// r = Q'y_i, c = R^-1 r, rest = y_i - Q r. Returns |rest|, or 0 where the row depends on F.
double find_rest(Solver& s, int i, double tolerance) {
    ActiveSetRowsWorkspace& ws = s.ws;
    const Index k = s.size();
    const auto Q = ws.Q.leftCols(k);
    auto r = ws.r.head(k);
    ws.rest = s.Y.col(i);
    r.noalias() = Q.transpose() * ws.rest;
    ws.rest.noalias() -= Q * r;
    ws.c.head(k).noalias() = Q.transpose() * ws.rest;  // what rounding left along Q
    ws.rest.noalias() -= Q * ws.c.head(k);
    r += ws.c.head(k);
    ws.c.head(k) = r;
    ws.R.topLeftCorner(k, k).triangularView<Eigen::Upper>().solveInPlace(ws.c.head(k));
    const double rest = ws.rest.norm();
    return k < ws.Q.cols() && rest > tolerance * s.length(i) ? rest : 0.0;
}

// Appends i, whose r and rest were just found.
void append(Solver& s, int i, double rest) {
    const Index k = s.size();
    s.ws.Q.col(k) = s.ws.rest / rest;
    s.ws.R.col(k).head(k) = s.ws.r.head(k);
    s.ws.R(k, k) = rest;
    s.ws.free.push_back(i);
    s.role(i) = kInF;
    ++s.result.pivots;
}

// Deletes position p of the factor: without column p each later column of R has one entry below the
// diagonal, which a rotation of rows j and j + 1 removes; Q turns along.
void remove(Solver& s, Index p) {
    ActiveSetRowsWorkspace& ws = s.ws;
    const Index k = s.size();
    s.role(s.member(p)) = kAtBound;
    ws.free.erase(ws.free.begin() + p);
    for (Index j = p; j + 1 < k; ++j) ws.R.col(j).head(j + 2) = ws.R.col(j + 1).head(j + 2);
    for (Index j = p; j + 1 < k; ++j) {
        Eigen::JacobiRotation<double> rotation;
        double length = 0;
        rotation.makeGivens(ws.R(j, j), ws.R(j + 1, j), &length);
        ws.R(j, j) = length;
        for (Index c = j + 1; c + 1 < k; ++c) {
            const double upper = ws.R(j, c), lower = ws.R(j + 1, c);
            ws.R(j, c) = rotation.c() * upper - rotation.s() * lower;
            ws.R(j + 1, c) = rotation.s() * upper + rotation.c() * lower;
        }
        for (Index c = 0; c < ws.Q.rows(); ++c) {
            const double left = ws.Q(c, j), right = ws.Q(c, j + 1);
            ws.Q(c, j) = rotation.c() * left - rotation.s() * right;
            ws.Q(c, j + 1) = rotation.s() * left + rotation.c() * right;
        }
    }
    ++s.result.pivots;
}

// z_F, p_F: the minimiser over F with the others where they are.
void find_minimiser(Solver& s) {
    ActiveSetRowsWorkspace& ws = s.ws;
    const Index k = s.size();
    const auto Q = ws.Q.leftCols(k);
    const auto R = ws.R.topLeftCorner(k, k);
    ws.p_F.setZero();
    for (Index i = 0; i < ws.z.size(); ++i) {
        if (s.role(i) != kInF && ws.z[i] != 0) ws.p_F += ws.z[i] * s.Y.col(i);
    }
    auto along = ws.z_F.head(k);
    along.noalias() = Q.transpose() * ws.p_F;
    for (Index j = 0; j < k; ++j) ws.q[j] = -s.problem.b[s.member(j)];
    R.transpose().triangularView<Eigen::Lower>().solveInPlace(ws.q.head(k));
    ws.z_F.head(k) = ws.q.head(k) - along;
    ws.p_F.noalias() += Q * ws.z_F.head(k);
    R.triangularView<Eigen::Upper>().solveInPlace(ws.z_F.head(k));
}

void take_minimiser(Solver& s) {
    ActiveSetRowsWorkspace& ws = s.ws;
    for (Index j = 0; j < s.size(); ++j) {
        const int i = s.member(j);
        ws.z[i] = std::clamp(ws.z_F[j], s.problem.lo[i], s.problem.hi[i]);
    }
    ws.p = ws.p_F;
    ws.w = s.problem.b;
    ws.w.noalias() += s.Y.transpose() * ws.p;
}

struct Block {
    Index position = kNone;     // in F
    double length = kInfinity;  // of the step that reaches the bound
    double bound = 0;
};

// First member of F that a step t along d brings to a bound, of least index among equals.
template <typename Direction>
Block first_block(const Solver& s, const Direction& direction, double threshold) {
    Block block;
    for (Index j = 0; j < s.size(); ++j) {
        const int i = s.member(j);
        const double d = direction(j);
        if (!(std::abs(d) > threshold)) continue;
        const double limit = d > 0 ? s.problem.hi[i] : s.problem.lo[i];
        const double length = std::max(0.0, (limit - s.ws.z[i]) / d);
        if (length < block.length ||
            (length == block.length && block.position != kNone && i < s.member(block.position)))
            block = {j, length, limit};
    }
    return block;
}

// Towards the minimiser over F; what reaches a bound on the way leaves F.
void descend(Solver& s) {
    ActiveSetRowsWorkspace& ws = s.ws;
    for (;;) {
        find_minimiser(s);
        const Block block = first_block(
            s, [&](Index j) { return ws.z_F[j] - ws.z[s.member(j)]; }, 0);
        if (!(block.length < 1)) return take_minimiser(s);
        for (Index j = 0; j < s.size(); ++j) {
            const int i = s.member(j);
            const double target = ws.z[i] + block.length * (ws.z_F[j] - ws.z[i]);
            ws.z[i] = j == block.position ? block.bound
                                          : std::clamp(target, s.problem.lo[i], s.problem.hi[i]);
        }
        remove(s, block.position);
    }
}

// The direction in which unknown i at a bound wants to move by the sign of w_i; 0: none.
int wanted_direction(const Solver& s, Index i, double slack) {
    const double w = s.ws.w[i];
    if (w < -slack && s.ws.z[i] < s.problem.hi[i]) return 1;
    if (w > slack && s.ws.z[i] > s.problem.lo[i]) return -1;
    return 0;
}

int entering(const Solver& s, bool least_index) {
    const double size = s.ws.p.norm();
    int best = kNone;
    double worst = 0;
    for (Index i = 0; i < s.ws.z.size(); ++i) {
        if (s.role(i) != kAtBound) continue;
        const double slack =
            kMargin * s.settings.stop.tolerance * s.scale + 4 * kEps * s.length(i) * size;
        if (wanted_direction(s, i, slack) == 0) continue;
        const double gain = s.length(i) > 0 ? std::abs(s.ws.w[i]) / s.length(i) : kInfinity;
        if (best != kNone && gain <= worst) continue;
        best = static_cast<int>(i);
        worst = gain;
        if (least_index) break;
    }
    return best;
}

// An unknown that depends on F, c in the workspace: p does not change along z_i = t, z_F - t c.
// False when no bound limits t.
bool exchange(Solver& s, int i) {
    ActiveSetRowsWorkspace& ws = s.ws;
    const Index k = s.size();
    const double sign = wanted_direction(s, i, 0);
    const double largest = k > 0 ? ws.c.head(k).cwiseAbs().maxCoeff() : 0.0;
    const Block block = first_block(
        s, [&](Index j) { return -sign * ws.c[j]; }, kNoSlope * largest);
    const double own_bound = sign > 0 ? s.problem.hi[i] : s.problem.lo[i];
    const double own = std::abs(own_bound - ws.z[i]);
    const double length = std::min(block.length, own);
    if (length == kInfinity) return false;
    for (Index j = 0; j < k; ++j) {
        const int m = s.member(j);
        const double target = ws.z[m] - sign * length * ws.c[j];
        ws.z[m] = j == block.position && block.length <= own
                      ? block.bound
                      : std::clamp(target, s.problem.lo[m], s.problem.hi[m]);
    }
    if (own < block.length) {
        ws.z[i] = own_bound;
        return true;
    }
    ws.z[i] = std::clamp(ws.z[i] + sign * length, s.problem.lo[i], s.problem.hi[i]);
    remove(s, block.position);
    const double rest = find_rest(s, i, s.settings.row_tolerance);
    if (rest > 0)
        append(s, i, rest);
    else if (ws.z[i] > s.problem.lo[i] && ws.z[i] < s.problem.hi[i])
        ws.z[i] = bound(s.problem, i, sign > 0 ? BoundState::kLower : BoundState::kUpper);
    return true;
}

void enter(Solver& s, int i) {
    const double from = s.ws.z[i];
    const double rest = find_rest(s, i, s.settings.row_tolerance);
    const bool nearly_right = std::abs(s.ws.w[i]) <= s.settings.stop.tolerance * s.scale;
    if (nearly_right && rest < kNearlyDependent * s.length(i)) {
        s.role(i) = kHeld;
        return;
    }
    if (rest > 0) {
        append(s, i, rest);
    } else if (!exchange(s, i)) {
        s.role(i) = kAside;
        return;
    }
    descend(s);
    if (s.role(i) == kAtBound && s.ws.z[i] == from) s.role(i) = kHeld;  // only rounding does that
}

// Factors the guess, then drops the unknown furthest outside its bounds until none is.
void start_from_guess(Solver& s) {
    ActiveSetRowsWorkspace& ws = s.ws;
    const auto n = static_cast<int>(ws.z.size());
    for (int i = 0; i < n; ++i) ws.z[i] = bound(s.problem, i, ws.state[at(i)]);
    for (int i = 0; i < n; ++i) {
        if (ws.state[at(i)] != BoundState::kFree) continue;
        if (s.problem.lo[i] == s.problem.hi[i]) continue;
        const double rest = find_rest(s, i, kStart);
        if (rest > 0) append(s, i, rest);
    }
    s.result.pivots = 0;  // a right guess costs none
    for (;;) {
        find_minimiser(s);
        Index worst = kNone;
        double furthest = 0;
        for (Index j = 0; j < s.size(); ++j) {
            const int i = s.member(j);
            const double outside =
                std::max(s.problem.lo[i] - ws.z_F[j], ws.z_F[j] - s.problem.hi[i]);
            if (outside * s.length(i) > furthest) {
                furthest = outside * s.length(i);
                worst = j;
            }
        }
        if (worst == kNone) break;
        const int i = s.member(worst);
        ws.z[i] = ws.z_F[worst] < s.problem.lo[i] ? s.problem.lo[i] : s.problem.hi[i];
        remove(s, worst);
    }
    take_minimiser(s);
}

// Keeps the point if it is the best so far.
void keep_best(Solver& s) {
    ActiveSetRowsWorkspace& ws = s.ws;
    const double now = relative_residual(s.problem, ws.z, ws.w);
    if (!(now < s.least)) return;
    s.least = now;
    ws.best_z = ws.z;
    ws.best_p = ws.p;
    ws.best_w = ws.w;
}

SolveStatus run(Solver& s) {
    ActiveSetRowsWorkspace& ws = s.ws;
    double lowest = kInfinity;
    bool stalled = false;
    for (;;) {
        keep_best(s);
        const double now = 0.5 * ws.p.squaredNorm() + s.problem.b.dot(ws.z);
        stalled = lowest < kInfinity && !(now < lowest - kStall * std::abs(lowest));
        lowest = std::min(lowest, now);
        if (!stalled) std::replace(ws.role.begin(), ws.role.end(), char{kHeld}, char{kAtBound});
        const int i = entering(s, stalled);
        if (i == kNone) break;
        if (s.result.pivots >= s.max_pivots) return SolveStatus::kIterationLimit;
        if (s.result.iterations > 0 && s.settings.stop.deadline.passed())
            return SolveStatus::kBudget;
        ++s.result.iterations;
        enter(s, i);
        // An own bound reached costs no change of F, but must be counted: the loop has to end.
        if (s.role(i) != kInF) ++s.result.pivots;
    }
    const bool aside = std::find(ws.role.begin(), ws.role.end(), char{kAside}) != ws.role.end();
    return aside ? SolveStatus::kNoSolution : SolveStatus::kSolved;
}

}  // namespace

void solve_active_set_rows(const BoxLcp& problem, const MatX& Y,
                           const ActiveSetRowsSettings& settings,
                           const std::vector<BoundState>& guess, ActiveSetRowsWorkspace& ws,
                           BoxResult& result) {
    const Index n = problem.b.size();
    ws.p.setZero(Y.rows());  // what callers take from it even where there is no answer
    if (!begin(problem, guess, ws.state, result)) return;
    const Index rank = std::min(Y.rows(), n);
    ws.Q.resize(Y.rows(), rank);
    ws.R.resize(rank, rank);
    for (VecX* x : {&ws.z, &ws.w}) x->setZero(n);
    for (VecX* x : {&ws.p_F, &ws.rest}) x->setZero(Y.rows());
    for (VecX* x : {&ws.z_F, &ws.q, &ws.r, &ws.c}) x->setZero(rank);
    ws.length.resize(at(n));
    for (Index i = 0; i < n; ++i) ws.length[at(i)] = Y.col(i).norm();
    ws.role.assign(at(n), kAtBound);
    ws.free.clear();
    ws.free.reserve(at(rank));
    const int own = std::max(1000, 20 * static_cast<int>(n));
    const int limit = settings.stop.max_iterations > 0 ? settings.stop.max_iterations : own;
    Solver solver{problem, Y, settings, ws, result, scale(problem), limit};
    start_from_guess(solver);
    result.status = run(solver);
    if (solver.least < kInfinity) {
        ws.z = ws.best_z;
        ws.p = ws.best_p;
        ws.w = ws.best_w;
    }
    finish(problem, ws.z, result);
    if (result.status == SolveStatus::kNotFinite) return;
    result.w = ws.w;
    result.residual = residual(problem, ws.z, ws.w);
    if (solver.least <= settings.stop.tolerance)
        result.status = SolveStatus::kSolved;
    else if (result.status == SolveStatus::kSolved)
        result.status = SolveStatus::kIterationLimit;
}

}  // namespace stiction
