// block_pivot.cpp - block principal pivoting between bounds; method in block_pivot.h.
#include "solve/lcp/block_pivot.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "solve/lcp/pgs.h"

namespace stiction {
namespace {

using Eigen::Index;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kEps = std::numeric_limits<double>::epsilon();
struct Rung {
    double regularisation;  // relative to the diagonal
    int sweeps;             // of Gauss-Seidel before
};
// The larger regularisation makes for a better matrix, the smaller one for a nearer answer; four
// times the sweeps each time, so that all tries together cost little more than the last.
constexpr Rung kLadder[] = {{1e-8, 20}, {1e-10, 80}, {1e-8, 320}, {1e-10, 1280}};
constexpr double kMargin = 0.1;  // of the tolerance, within which a state counts as right: the
                                 // answer is judged by all of it
// Own limit on the passes. Half of all problems take up to 17, one of a hundred over 100.
constexpr int kMinLimit = 200, kLimitPerUnknown = 20;

struct Solver {
    const BoxLcp& problem;
    const BlockPivotSettings& settings;
    BlockPivotWorkspace& ws;
    BoxResult& result;
    bool symmetric = true;
    double scale = 0;
    int limit = 0;

    [[nodiscard]] bool late() const {
        return result.iterations > 0 && settings.stop.deadline.passed();
    }
    [[nodiscard]] bool bounded(Index i) const {
        return problem.lo[i] > -kInfinity || problem.hi[i] < kInfinity;
    }
};

// w = (A + diag(ws.diagonal)) z + b
void find_w(Solver& s) {
    evaluate(s.problem, s.ws.z, s.ws.w);
    s.ws.w += s.ws.diagonal.cwiseProduct(s.ws.z);
}

bool factor_free(Solver& s, const MatX& A) {
    return factor_face(A, s.symmetric, s.settings.pivot_tolerance, s.ws.face);
}

// z_F += A_FF^-1 (-w_F); twice: the second is the iterative refinement.
void solve_free(Solver& s) {
    for (int pass = 0; pass < 2; ++pass) {
        find_step(s.ws.w, s.ws.face);
        s.ws.z += s.ws.face.step;
        find_w(s);
    }
}

// z and w of the present states on the matrix A. Dependent members go to their bound.
bool solve_states(Solver& s, const MatX& A) {
    BlockPivotWorkspace& ws = s.ws;
    std::vector<int>& members = ws.face.members;
    members.clear();
    for (Index i = 0; i < ws.z.size(); ++i) {
        const BoundState state = ws.state[at(i)];
        ws.z[i] = bound(s.problem, i, state);
        if (state == BoundState::kFree) members.push_back(static_cast<int>(i));
    }
    find_w(s);
    if (members.empty()) return true;
    const PrincipalFactor& factor = ws.face.factor;
    const bool solvable = factor_free(s, A);
    if (!solvable && !s.symmetric) return false;
    for (int k = factor.rank; s.symmetric && k < factor.size; ++k) {
        const int i = members[at(factor.order[at(k)])];
        if (!s.bounded(i)) continue;
        ws.state[at(i)] = ws.z[i] == s.problem.lo[i] ? BoundState::kLower : BoundState::kUpper;
    }
    if (solvable) solve_free(s);
    return true;
}

// Unknowns whose state is wrong, by more than what the tolerance and rounding explain.
void find_wrong(Solver& s) {
    BlockPivotWorkspace& ws = s.ws;
    double size = 0;  // sum_j sqrt(d_j) |z_j|: |A_ij z_j| <= sqrt(d_i d_j) |z_j|
    for (Index i = 0; i < ws.z.size(); ++i)
        size += std::sqrt(diagonal(s.problem, i)) * std::abs(ws.z[i]);
    ws.wrong.clear();
    for (Index i = 0; i < ws.z.size(); ++i) {
        const double lo = s.problem.lo[i], hi = s.problem.hi[i];
        if (lo == hi) continue;
        const double d = diagonal(s.problem, i);
        const double slack =
            kMargin * s.settings.stop.tolerance * s.scale + 4 * kEps * std::sqrt(d) * size;
        const BoundState state = ws.state[at(i)];
        const bool wrong = state == BoundState::kFree
                               ? d * (lo - ws.z[i]) > slack || d * (ws.z[i] - hi) > slack
                               : (state == BoundState::kLower ? -ws.w[i] : ws.w[i]) > slack;
        if (wrong) ws.wrong.push_back(static_cast<int>(i));
    }
}

void change_state(Solver& s, int i) {
    BoundState& state = s.ws.state[at(i)];
    if (state != BoundState::kFree)
        state = BoundState::kFree;
    else
        state = s.ws.z[i] < s.problem.lo[i] ? BoundState::kLower : BoundState::kUpper;
    ++s.result.pivots;
}

// Clamps the present z, evaluates it on the problem as given and keeps it if it is the best.
bool consider(Solver& s, double regularisation) {
    BlockPivotWorkspace& ws = s.ws;
    clamp_to_box(s.problem, ws.z);
    evaluate(s.problem, ws.z, ws.w);
    const double before = ws.least;
    if (ws.consider(s.problem) < before) s.result.regularisation = regularisation;
    return is_solution(s.problem, s.settings.stop.tolerance, ws.z, ws.w);
}

// Passes on the matrix A (the one given, or regularised) from the present states. True when no
// state is wrong. When patience has run out, least_index(s) says whether to go on with that rule.
template <typename LeastIndex>
bool run(Solver& s, const MatX& A, int limit, const LeastIndex& least_index) {
    BlockPivotWorkspace& ws = s.ws;
    size_t fewest = ws.state.size() + 1;
    int patience = s.settings.patience;
    while (s.result.iterations < limit && !s.late()) {
        ++s.result.iterations;
        if (!solve_states(s, A)) return false;
        find_wrong(s);
        if (ws.wrong.empty()) return true;
        if (ws.wrong.size() < fewest) {
            fewest = ws.wrong.size();
            patience = s.settings.patience;
        } else {
            --patience;
        }
        if (patience > 0) {
            for (const int i : ws.wrong) change_state(s, i);
        } else {
            if (!least_index(s)) return false;
            change_state(s, ws.wrong.front());
        }
    }
    return false;
}

void set_start(Solver& s) {
    for (Index i = 0; i < s.ws.z.size(); ++i) {
        BoundState& state = s.ws.state[at(i)];
        const bool lower = s.problem.lo[i] > -kInfinity, upper = s.problem.hi[i] < kInfinity;
        if (s.problem.lo[i] == s.problem.hi[i])
            state = BoundState::kLower;
        else if (state == BoundState::kLower && !lower)
            state = upper ? BoundState::kUpper : BoundState::kFree;
        else if (state == BoundState::kUpper && !upper)
            state = lower ? BoundState::kLower : BoundState::kFree;
    }
}

// States after a few sweeps of Gauss-Seidel, near the answer where the passes got lost.
void guess_by_sweeps(Solver& s, int sweeps) {
    BlockPivotWorkspace& ws = s.ws;
    ws.z = ws.best;
    evaluate(s.problem, ws.z, ws.w);
    for (int k = 0; k < sweeps; ++k) pgs_sweep(s.problem, ws.z, ws.w);
    for (Index i = 0; i < ws.z.size(); ++i) ws.state[at(i)] = state_at(s.problem, i, ws.z[i]);
}

// The same on A + l diag(A), then a solve with A on the free set found, from the regularised point.
bool run_regularised(Solver& s, const Rung& rung) {
    const double l = rung.regularisation;
    BlockPivotWorkspace& ws = s.ws;
    ws.A = s.problem.A;
    for (Index i = 0; i < ws.z.size(); ++i) ws.diagonal[i] = l * diagonal(s.problem, i);
    ws.A.diagonal() += ws.diagonal;
    guess_by_sweeps(s, rung.sweeps);
    const bool last = &rung == std::end(kLadder) - 1;
    const int limit = last ? s.limit : (s.result.iterations + s.limit + 1) / 2;
    const bool ended = run(s, ws.A, limit, [&](const Solver&) { return last; });
    ws.diagonal.setZero();
    const bool accepted = consider(s, l);
    if (!ended) return accepted;
    if (!accepted && s.symmetric && is_unbounded_along(s.problem, ws.z)) {
        s.result.status = SolveStatus::kNoSolution;
        return false;
    }
    if (ws.face.members.empty() || !factor_free(s, s.problem.A)) return accepted;
    solve_free(s);
    return consider(s, l) || accepted;
}

SolveStatus climb(Solver& s) {
    BlockPivotWorkspace& ws = s.ws;
    // Least index ends for regular problems; for others the ladder is the better way out.
    const auto regular = [](const Solver& solver) {
        const PrincipalFactor& f = solver.ws.face.factor;
        return !solver.settings.retry || !solver.symmetric || f.rank == f.size;
    };
    const int limit = s.settings.retry ? (s.limit + 1) / 2 : s.limit;
    const bool ended = run(s, s.problem.A, limit, regular);
    if (ended && consider(s, 0)) return SolveStatus::kSolved;
    if (s.settings.retry)
        for (const Rung& rung : kLadder) {
            if (s.result.iterations >= s.limit || s.late()) break;
            if (run_regularised(s, rung)) return SolveStatus::kSolved;
            if (s.result.status == SolveStatus::kNoSolution) return SolveStatus::kNoSolution;
        }
    if (!ended) (void)consider(s, 0);
    if (!(ws.least < kInfinity)) ws.best = ws.z;
    return s.late() ? SolveStatus::kBudget : SolveStatus::kIterationLimit;
}

}  // namespace

void solve_block_pivot(const BoxLcp& problem, const BlockPivotSettings& settings,
                       const std::vector<BoundState>& guess, BlockPivotWorkspace& ws,
                       BoxResult& result) {
    const Index n = problem.b.size();
    if (!begin(problem, guess, ws.state, result)) return;
    ws.z.setZero(n);
    ws.w.setZero(n);
    ws.best.setZero(n);
    clamp_to_box(problem, ws.best);
    ws.least = kInfinity;  // not measured: any answer is better
    ws.diagonal.setZero(n);
    ws.wrong.reserve(at(n));
    reserve(ws.face, n);
    Solver solver{problem, settings, ws, result};
    solver.symmetric = is_symmetric(problem.A);
    solver.scale = scale(problem);
    const int own = std::max(kMinLimit, kLimitPerUnknown * static_cast<int>(n));
    solver.limit = settings.stop.max_iterations > 0 ? settings.stop.max_iterations : own;
    set_start(solver);
    result.status = climb(solver);
    finish(problem, ws.best, result);
}

}  // namespace stiction
