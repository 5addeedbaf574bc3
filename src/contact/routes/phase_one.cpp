// phase_one.cpp - frictionless impulses of least sum [DS10].
#include "contact/routes/phase_one.h"

#include <algorithm>
#include <array>

#include "contact/island/operators.h"
#include "contact/island/row_states.h"
#include "contact/routes/convex.h"
#include "contact/routes/dense.h"
#include "contact/routes/ladder.h"
#include "contact/routes/phase_two.h"
#include "contact/routes/pivoting.h"
#include "problem/link_motion.h"

namespace stiction {

namespace {

using Kind = RowSource::Kind;

constexpr double kClosing = 1e-6;       // e over the speed of the fastest link: far above rounding
constexpr double kRough = 0.01;         // of the tolerance: an answer whose sum is known no better
constexpr double kLesser = 1e-3;        // share by which a sum must be less to be sought
constexpr double kSameVelocity = 1e-8;  // relative to the same speed: what two solves may differ by

IslandResult solve_rows(const IslandTask& task, VecX& v,
                        PileAccuracy accuracy = PileAccuracy::kExactly) {
    return solve_normal_rows(task, task.problem.v_free, task.workspace.rows, v, accuracy);
}

double fastest_link(const IslandTask& task) {
    double speed = 0;
    for (const int l : links_of(task)) {
        const Vec6 u = link_velocity(task.problem.system, task.problem.system.links[at(l)],
                                     task.problem.v_free);
        speed = std::max(speed, u.lpNorm<Eigen::Infinity>());
    }
    return speed;
}

template <typename Act>
void for_each_normal(IslandRows& rows, const Act& act) {
    for (std::size_t r = 0; r < rows.source.size(); ++r) {
        if (rows.source[r].kind == Kind::kNormal) act(r, rows.rows[r]);
    }
}

// ---- rungs

// Rows are solved far below the tolerance, because phase II builds on them. Where they nearly depend
// on one another, as in a heap of cards, that is not always to be had; the tolerance itself is enough
// for phase II to begin, and what becomes of it is judged there.
IslandResult solve_to_tolerance(const IslandTask& task) {
    IslandResult result = solve_rows(task, task.solution.v);
    const bool late = result.status == SolveStatus::kBudget || spent(task, result.iterations);
    if (!late && result.residual <= task.stop.tolerance) result.status = SolveStatus::kSolved;
    return result;
}

IslandResult solve_from_guess(const IslandTask& task) {
    guess_row_states(task, task.shared.guess.bits, task.guess.joints, task.workspace.rows);
    if (is_large_pile(task.size)) guess_impulses(task, task.workspace.rows);
    return solve_to_tolerance(task);
}

IslandResult solve_from_scratch(const IslandTask& task) {
    build_rows(task, {});
    return solve_to_tolerance(task);
}

// Rows that a drift correction made contradictory: joints hold, gaps do not close, and that is all.
IslandResult solve_without_biases(const IslandTask& task) {
    IslandRows& rows = task.workspace.rows;
    for (std::size_t r = 0; r < rows.source.size(); ++r) {
        Row& row = rows.rows[r];
        const Kind kind = rows.source[r].kind;
        if (kind == Kind::kJoint) row.target = 0;
        if (kind == Kind::kNormal || kind == Kind::kLimit) row.target = std::min(row.target, 0.0);
    }
    IslandResult result = solve_rows(task, task.solution.v);
    result.status = worse(result.status, SolveStatus::kNoSolution);
    return result;
}

IslandResult project_gradients(const IslandTask& task) {
    guess_row_states(task, task.shared.guess.bits, task.guess.joints, task.workspace.rows);
    IslandTask exact = task;
    exact.stop.tolerance = kPivotingTolerance;
    return solve_dense_rows(DenseSolver::kGradientProjection, exact);
}

bool is_no_large_pile(const IslandTask& task) { return !is_large_pile(task.size); }
bool has_few_rows(const IslandTask& task) {
    return task.workspace.rows.rows.size() <= at(kDenseRows);
}

constexpr std::array<Rung, 3> kSparse = {{
    {Rung::kChosen, nullptr, solve_from_guess},
    {Rung::kChosen, is_no_large_pile, solve_from_scratch},
    {Rung::kFallback, is_no_large_pile, solve_without_biases},
}};
constexpr std::array<Rung, 4> kGradients = {{
    {Rung::kChosen, has_few_rows, project_gradients},
    {Rung::kFallback, nullptr, solve_from_guess},
    {Rung::kFallback, is_no_large_pile, solve_from_scratch},
    {Rung::kFallback, is_no_large_pile, solve_without_biases},
}};

// ---- the least sum

bool is_same_velocity(const IslandTask& task, const VecX& v, double slack) {
    for (const int b : blocks_of(task)) {
        const InertiaBlock& block = task.problem.system.blocks[at(b)];
        const auto difference =
            v.segment(block.offset, block.size) - task.solution.v.segment(block.offset, block.size);
        if (!(difference.norm() <= slack)) return false;
    }
    return true;
}

// Impulses of the least sum that bring about the same velocity into rows.c; false, with rows in any
// state, if none are found.
bool find_least_sum(const IslandTask& task) {
    IslandRows& rows = task.workspace.rows;
    const double sum = sum_of_normals(rows);
    const double speed = fastest_link(task);
    VecX& v = task.shared.v_other;
    for_each_normal(rows, [&](std::size_t, Row& row) { row.target += -kClosing * speed; });
    const bool found = solve_rows(task, v, PileAccuracy::kNearby).status == SolveStatus::kSolved;
    for_each_normal(rows, [&](std::size_t, Row& row) { row.target += kClosing * speed; });
    if (!found || sum_of_normals(rows) > sum * (1 - kLesser)) return false;
    for_each_normal(rows, [&](std::size_t r, Row& row) {
        if (rows.state[r] != BoundState::kFree) row.hi = 0;
    });
    return solve_rows(task, v, PileAccuracy::kNearby).status == SolveStatus::kSolved &&
           sum_of_normals(rows) < sum && is_same_velocity(task, v, kSameVelocity * speed);
}

void seek_least_sum(const IslandTask& task) {
    IslandRows& rows = task.workspace.rows;
    PhaseTwoWorkspace& ws = task.workspace.phase_two();
    ws.c_one = rows.c;
    ws.state_one = rows.state;
    if (find_least_sum(task)) return;
    rows.c = ws.c_one;
    rows.state = ws.state_one;
}

}  // namespace

double sum_of_normals(const IslandRows& rows) {
    double sum = 0;
    for (std::size_t r = 0; r < rows.source.size(); ++r) {
        if (rows.source[r].kind == Kind::kNormal) sum += rows.c[r];
    }
    return sum;
}

IslandResult solve_phase_one(PhaseOneSolver solver, const IslandTask& task) {
    IslandRows& rows = task.workspace.rows;
    PhaseTwoWorkspace& ws = task.workspace.phase_two();
    build_rows(task, {});
    const bool gradients = solver == PhaseOneSolver::kGradientProjection;
    IslandResult result =
        climb(gradients ? std::span<const Rung>(kGradients) : std::span<const Rung>(kSparse), task);
    result.solver = "phase_one";
    // As good as the sweeps of a pile were, or as far as the budget went; their sum is not the
    // least.
    const bool rough = is_large_pile(task.size) || spent(task, result.iterations) ||
                       result.residual > kRough * task.stop.tolerance;
    if (rough || result.status == SolveStatus::kSolved) keep_row_states(task, rows);
    if (!rough && result.status == SolveStatus::kSolved) seek_least_sum(task);
    ws.kappa = sum_of_normals(rows);
    ws.c_one = rows.c;
    ws.residual_one = result.residual;
    set_impulses(task, rows);
    copy_velocity(task.problem.system, blocks_of(task), task.solution.v, task.shared.v_plus);
    return result;
}

}  // namespace stiction
