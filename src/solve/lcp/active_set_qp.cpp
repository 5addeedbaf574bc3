// active_set_qp.cpp - primal active-set method with an updated Cholesky factor; see
// active_set_qp.h.
#include "solve/lcp/active_set_qp.h"

#include <Eigen/Jacobi>
#include <algorithm>
#include <cmath>

#include "solve/factor/leading_triangle.h"

namespace stiction {
namespace {

using Eigen::Index;

// Role of an unknown. Held: it could not enter for numerical reasons, and waits until f falls.
enum : char { kAtBound = 0, kInF, kHeld, kAside };

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kEps = std::numeric_limits<double>::epsilon();
constexpr double kStall = 1e-14;   // relative fall of f that counts as progress
constexpr double kMargin = 0.1;    // of the tolerance, within which w has no wrong sign
constexpr double kNoSlope = 1e-9;  // of the largest |c_j|: rounding, does not limit a step

struct Solver {
    const BoxLcp& problem;
    const ActiveSetSettings& settings;
    ActiveSetWorkspace& ws;
    BoxResult& result;
    double scale = 0;
    int max_pivots = 0;

    [[nodiscard]] Index size() const { return static_cast<Index>(ws.free.size()); }
    [[nodiscard]] int member(Index k) const { return ws.free[at(k)]; }
    [[nodiscard]] char& role(int i) const { return ws.role[at(i)]; }
    [[nodiscard]] double A(Index i, Index j) const {
        return i == j ? problem.A(i, i) : problem.A(i, j);
    }
};

// c = A_FF^-1 A_Fi with one refinement, r = R^-T A_Fi. Returns the pivot of i, which the refinement
// makes second order in the error of c, or 0 if it is not above the tolerance.
double find_pivot(Solver& s, int i) {
    ActiveSetWorkspace& ws = s.ws;
    const Index k = s.size();
    for (Index j = 0; j < k; ++j) ws.r[j] = s.A(s.member(j), i);
    solve_transposed(ws.R, k, ws.r);
    ws.c.head(k) = ws.r.head(k);
    solve_upper(ws.R, k, ws.c);
    double pivot = s.A(i, i), terms = s.A(i, i);
    for (Index j = 0; j < k; ++j) {
        double error = s.A(s.member(j), i);
        for (Index l = 0; l < k; ++l) error -= s.A(s.member(l), s.member(j)) * ws.c[l];
        ws.step[j] = error;
        pivot -= ws.c[j] * (s.A(s.member(j), i) + error);
        terms += ws.c[j] * ws.c[j] * s.A(s.member(j), s.member(j));
    }
    solve_transposed(ws.R, k, ws.step);
    solve_upper(ws.R, k, ws.step);
    ws.c.head(k) += ws.step.head(k);
    return pivot > s.settings.pivot_tolerance * terms ? pivot : 0.0;
}

// Appends i, whose r and pivot were just found.
void append(Solver& s, int i, double pivot) {
    const Index k = s.size();
    s.ws.R.col(k).head(k) = s.ws.r.head(k);
    s.ws.R(k, k) = std::sqrt(pivot);
    s.ws.free.push_back(i);
    s.role(i) = kInF;
    ++s.result.pivots;
}

// Deletes position p of the factor: without column p each later column of R has one entry below the
// diagonal, which a rotation of rows j and j + 1 removes.
void remove(Solver& s, Index p) {
    ActiveSetWorkspace& ws = s.ws;
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
    }
    ++s.result.pivots;
}

// z_i <- value, w along with it.
void move(Solver& s, int i, double value) {
    const double change = value - s.ws.z[i];
    if (change == 0) return;
    s.ws.z[i] = value;
    s.ws.w += change * s.problem.A.col(i);
}

struct Block {
    Index position = kNone;     // in F
    double length = kInfinity;  // of the step that reaches the bound
    double bound = 0;
};

// First member of F that z_F + t direction brings to a bound, of least index among equals.
Block first_block(const Solver& s, const VecX& direction, double threshold) {
    Block block;
    for (Index j = 0; j < s.size(); ++j) {
        const int i = s.member(j);
        const double d = direction[j];
        if (!(std::abs(d) > threshold)) continue;
        const double limit = d > 0 ? s.problem.hi[i] : s.problem.lo[i];
        const double length = std::max(0.0, (limit - s.ws.z[i]) / d);
        if (length < block.length ||
            (length == block.length && block.position != kNone && i < s.member(block.position)))
            block = {j, length, limit};
    }
    return block;
}

// Step 3.
void descend(Solver& s) {
    ActiveSetWorkspace& ws = s.ws;
    while (s.size() > 0) {
        const Index k = s.size();
        for (Index j = 0; j < k; ++j) ws.step[j] = -ws.w[s.member(j)];
        solve_transposed(ws.R, k, ws.step);
        solve_upper(ws.R, k, ws.step);
        const Block block = first_block(s, ws.step, 0);
        const double length = std::min(1.0, block.length);
        const bool blocked = block.length < 1;
        for (Index j = 0; j < k; ++j) {
            const int i = s.member(j);
            const double target =
                blocked && j == block.position ? block.bound : ws.z[i] + length * ws.step[j];
            move(s, i, std::clamp(target, s.problem.lo[i], s.problem.hi[i]));
        }
        if (!blocked) return;
        remove(s, block.position);
    }
}

// Whether unknown i at a bound has a w of the wrong sign, and wants to move in that direction.
int wanted_direction(const Solver& s, Index i, double slack) {
    const double w = s.ws.w[i];
    if (w < -slack && s.ws.z[i] < s.problem.hi[i]) return 1;
    if (w > slack && s.ws.z[i] > s.problem.lo[i]) return -1;
    return 0;
}

int entering(const Solver& s, bool least_index) {
    double size = 0;  // |A_ij z_j| <= sqrt(A_ii A_jj) |z_j|
    for (Index j = 0; j < s.ws.z.size(); ++j)
        size += std::sqrt(std::max(0.0, s.A(j, j))) * std::abs(s.ws.z[j]);
    int best = kNone;
    double worst = 0;
    for (Index i = 0; i < s.ws.z.size(); ++i) {
        if (s.ws.role[at(i)] != kAtBound) continue;
        const double root = std::sqrt(std::max(0.0, s.A(i, i)));
        const double slack = kMargin * s.settings.stop.tolerance * s.scale + 4 * kEps * root * size;
        if (wanted_direction(s, i, slack) == 0) continue;
        const double gain = root > 0 ? std::abs(s.ws.w[i]) / root : kInfinity;
        if (best != kNone && gain <= worst) continue;
        best = static_cast<int>(i);
        worst = gain;
        if (least_index) break;
    }
    return best;
}

// Step 2 for an unknown that depends on F: c is in the workspace. False when nothing limits it.
bool exchange(Solver& s, int i) {
    ActiveSetWorkspace& ws = s.ws;
    const Index k = s.size();
    const double sign = wanted_direction(s, i, 0);
    ws.step.head(k) = -sign * ws.c.head(k);
    const double largest = k > 0 ? ws.c.head(k).cwiseAbs().maxCoeff() : 0.0;
    const Block block = first_block(s, ws.step, kNoSlope * largest);
    const double own_bound = sign > 0 ? s.problem.hi[i] : s.problem.lo[i];
    const double own = std::abs(own_bound - ws.z[i]);
    const double length = std::min(block.length, own);
    if (length == kInfinity) return false;
    for (Index j = 0; j < k; ++j) {
        const int m = s.member(j);
        const double target = j == block.position && block.length <= own
                                  ? block.bound
                                  : ws.z[m] + length * ws.step[j];
        move(s, m, std::clamp(target, s.problem.lo[m], s.problem.hi[m]));
    }
    if (own < block.length) {
        move(s, i, own_bound);
        return true;
    }
    move(s, i, std::clamp(ws.z[i] + sign * length, s.problem.lo[i], s.problem.hi[i]));
    remove(s, block.position);
    const double pivot = find_pivot(s, i);
    if (pivot > 0)
        append(s, i, pivot);
    else if (ws.z[i] > s.problem.lo[i] && ws.z[i] < s.problem.hi[i])
        move(s, i, bound(s.problem, i, sign > 0 ? BoundState::kLower : BoundState::kUpper));
    return true;
}

void enter(Solver& s, int i) {
    const double from = s.ws.z[i];
    const double pivot = find_pivot(s, i);
    if (pivot > 0) {
        append(s, i, pivot);
    } else if (!exchange(s, i)) {
        s.role(i) = kAside;
        return;
    }
    descend(s);
    if (s.role(i) == kAtBound && s.ws.z[i] == from) s.role(i) = kHeld;  // only rounding does that
}

// Factors the guess, then drops the unknown furthest outside its bounds until none is.
void start_from_guess(Solver& s) {
    ActiveSetWorkspace& ws = s.ws;
    const Index n = ws.z.size();
    for (Index i = 0; i < n; ++i) {
        const BoundState state = ws.state[at(i)];
        ws.z[i] = bound(s.problem, i, state);
    }
    evaluate(s.problem, ws.z, ws.w);
    for (Index i = 0; i < n; ++i) {
        const int unknown = static_cast<int>(i);
        if (ws.state[at(i)] != BoundState::kFree) continue;
        if (s.problem.lo[i] == s.problem.hi[i]) continue;
        const double pivot = find_pivot(s, unknown);
        if (pivot > 0) append(s, unknown, pivot);
    }
    s.result.pivots = 0;  // a right guess costs none
    while (s.size() > 0) {
        const Index k = s.size();
        for (Index j = 0; j < k; ++j) ws.step[j] = -ws.w[s.member(j)];
        solve_transposed(ws.R, k, ws.step);
        solve_upper(ws.R, k, ws.step);
        Index worst = kNone;
        double furthest = 0;
        for (Index j = 0; j < k; ++j) {
            const int i = s.member(j);
            const double target = ws.z[i] + ws.step[j];
            const double outside = std::max(s.problem.lo[i] - target, target - s.problem.hi[i]);
            const double weighted = outside * std::sqrt(s.A(i, i));
            if (weighted > furthest) {
                furthest = weighted;
                worst = j;
            }
        }
        if (worst == kNone) break;
        const int i = s.member(worst);
        const bool below = ws.z[i] + ws.step[worst] < s.problem.lo[i];
        remove(s, worst);
        move(s, i, below ? s.problem.lo[i] : s.problem.hi[i]);
    }
    descend(s);
}

SolveStatus run(Solver& s) {
    ActiveSetWorkspace& ws = s.ws;
    double lowest = objective(s.problem, ws.z, ws.w);
    bool stalled = false;
    for (;;) {
        const int i = entering(s, stalled);
        if (i == kNone) break;
        if (s.result.pivots >= s.max_pivots) return SolveStatus::kIterationLimit;
        if (s.result.iterations > 0 && s.settings.stop.deadline.passed())
            return SolveStatus::kBudget;
        ++s.result.iterations;
        enter(s, i);
        if (s.result.iterations % 64 == 0) evaluate(s.problem, ws.z, ws.w);
        const double now = objective(s.problem, ws.z, ws.w);
        stalled = !(now < lowest - kStall * std::abs(lowest));
        lowest = std::min(lowest, now);
        if (!stalled) std::replace(ws.role.begin(), ws.role.end(), char{kHeld}, char{kAtBound});
        // An own bound reached costs no change of F, but must be counted: the loop has to end.
        if (s.role(i) != kInF) ++s.result.pivots;
    }
    const bool aside = std::find(ws.role.begin(), ws.role.end(), char{kAside}) != ws.role.end();
    return aside ? SolveStatus::kNoSolution : SolveStatus::kSolved;
}

}  // namespace

void solve_active_set_qp(const BoxLcp& problem, const ActiveSetSettings& settings,
                         const std::vector<BoundState>& guess, ActiveSetWorkspace& ws,
                         BoxResult& result) {
    const Index n = problem.b.size();
    if (!begin(problem, guess, ws.state, result)) return;
    ws.R.resize(n, n);
    for (VecX* x : {&ws.z, &ws.w, &ws.c, &ws.r, &ws.step}) x->setZero(n);
    ws.role.assign(at(n), kAtBound);
    ws.free.clear();
    ws.free.reserve(at(n));
    const int own = std::max(1000, 20 * static_cast<int>(n));
    const int limit = settings.stop.max_iterations > 0 ? settings.stop.max_iterations : own;
    Solver solver{problem, settings, ws, result, scale(problem), limit};
    start_from_guess(solver);
    result.status = run(solver);
    evaluate(problem, ws.z, ws.w);
    descend(solver);  // the last refinement, on a w without the rounding of the updates
    judge_and_finish(problem, settings.stop.tolerance, ws.z, result);
}

}  // namespace stiction
