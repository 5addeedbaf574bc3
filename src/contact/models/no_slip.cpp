// no_slip.cpp - contact without slip: tangential velocity is zero at every contact that presses.
// In: the rows of one island. Out: its velocities and impulses. Follows [D15, section VI];
// no_slip.h has the equations.
#include "contact/models/no_slip.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "contact/island/operators.h"
#include "contact/island/row_states.h"
#include "contact/island/safety.h"
#include "contact/models/solve_island.h"
#include "contact/routes/convex.h"
#include "contact/routes/dense.h"
#include "contact/routes/ladder.h"
#include "contact/routes/ppm_rows.h"
#include "problem/link_motion.h"

namespace stiction {

namespace {

constexpr double kStill = 1e-12;       // [m/s] no motion: rounding of the speeds of everyday things
constexpr double kLevel = 1e-8;        // gap over the link's length below which heights are equal
constexpr double kSameHeight = 1e-5;   // as FIND-INDICES: 1e-10 of the squared length of a row
constexpr double kMostFriction = 1.5;  // times most_needed(): levers between contacts
constexpr int kPilePasses = 30;        // of large piles: twice what those at hand need

// Tangential rows of a contact: none, droppable, or pinned because the contact closed after they
// had been dropped.
enum Tangential : char { kAbsent = 0, kDroppable = 1, kPinned = 2 };

bool has_gap(const ContactProblem& problem, const ContactRow& contact) {
    return contact.phi > kLevel * problem.system.links[at(contact.link)].length;
}

// Contacts that start with tangential rows: all, where separating ones are released again, but of
// large piles those that pressed in the last step or are new and touch, half of all, since every
// further pass is dear; the paper's are those that touch.
void choose_tangential(const NoSlip& model, const IslandTask& task, bool frictional_only) {
    const bool pile = is_large_pile(task.size);
    for_each_contact(task, [&](int i) {
        const ContactRow& contact = task.problem.contacts[at(i)];
        const bool starts =
            !model.release_separating ? touching(task.problem, contact)
            : pile ? guess_presses(task.problem, task.shared.guess.bits[at(i)], contact)
                   : true;
        const bool held = starts && (!frictional_only || contact.mu_c > 0);
        task.shared.tangential[at(i)] = held ? kDroppable : kAbsent;
        task.shared.released[at(i)] = 0;
    });
}

// Drops the tangential rows of contacts that end apart: no impulse, and the gap opens.
bool drop_separating(const NoSlip& model, const IslandTask& task) {
    const IslandRows& rows = task.workspace.rows;
    const ContactProblem& problem = task.problem;
    bool dropped = false;
    for (std::size_t r = 0; r < rows.source.size(); ++r) {
        if (rows.source[r].kind != RowSource::Kind::kNormal || rows.state[r] == BoundState::kFree)
            continue;
        const int i = rows.source[r].index;
        if (task.shared.tangential[at(i)] != kDroppable) continue;
        const ContactRow& contact = problem.contacts[at(i)];
        const Vec6 u =
            link_velocity(problem.system, problem.system.links[at(contact.link)], task.solution.v);
        // "Apart" is judged on the scale of the contact's own motion.
        const double scale = u.lpNorm<Eigen::Infinity>() + std::abs(contact.bias);
        if (contact.n.dot(u) + contact.bias <= std::max(model.tolerance * scale, kStill)) continue;
        task.shared.tangential[at(i)] = kAbsent;
        task.shared.released[at(i)] = 1;
        dropped = true;
    }
    return dropped;
}

// Gives tangential rows to contacts that have come to press; for good if they had been dropped.
bool pin_pressing(const IslandTask& task, bool frictional_only) {
    IslandRows& rows = task.workspace.rows;
    const ContactProblem& problem = task.problem;
    bool pinned = false;
    for (std::size_t r = 0; r < rows.source.size(); ++r) {
        if (rows.source[r].kind != RowSource::Kind::kNormal || rows.c[r] <= 0) continue;
        const int i = rows.source[r].index;
        if (task.shared.tangential[at(i)] != kAbsent) continue;
        if (frictional_only && problem.contacts[at(i)].mu_c <= 0) continue;
        task.shared.tangential[at(i)] = task.shared.released[at(i)] != 0 ? kPinned : kDroppable;
        // The better guess across a gap: with its rows the contact did not close it before.
        if (has_gap(problem, problem.contacts[at(i)])) rows.state[r] = BoundState::kLower;
        pinned = true;
    }
    return pinned;
}

// First drops, and pins when none is left to drop; in large piles both at once. Each contact changes
// at most three times, so it ends. Returns whether rows changed.
bool revise_tangential(const NoSlip& model, const IslandTask& task, bool frictional_only) {
    const bool dropped = drop_separating(model, task);
    if (dropped && !is_large_pile(task.size)) return true;
    return pin_pressing(task, frictional_only) || dropped;
}

bool has_gap(const IslandTask& task, int begin, int end) {
    const IslandRows& rows = task.workspace.rows;
    for (int r = begin; r < end; ++r) {
        if (rows.source[at(r)].kind != RowSource::Kind::kS) continue;
        if (has_gap(task.problem, task.problem.contacts[at(rows.source[at(r)].index)])) return true;
    }
    return false;
}

// Points of a pair of bodies at different heights forbid them to tilt against each other, though
// tilting may be what closes a gap. At heights that differ by 1e-6 of the distance it takes 1e6 of
// the weight, and rounding decides. So a tangential row that depends on those before it but for
// kSameHeight of its length is replaced by the one that does depend on them.
void level_tangential(const IslandTask& task) {
    IslandRows& rows = task.workspace.rows;
    for (std::size_t l = 0; l < rows.links.size(); ++l) {
        const int begin = rows.begin[l], end = rows.begin[l + 1];
        if (!has_gap(task, begin, end)) continue;
        Mat6 basis;
        int rank = 0;
        for (int r = begin; r < end; ++r) {
            if (!is_tangential(rows.source[at(r)])) continue;
            Vec6& g = rows.rows[at(r)].g;
            Vec6 rest = g;
            for (int pass = 0; pass < 2; ++pass) {
                for (int k = 0; k < rank; ++k) rest -= basis.col(k).dot(rest) * basis.col(k);
            }
            const double left = rest.norm();
            if (left > kSameHeight * g.norm()) {
                basis.col(rank++) = rest / left;
            } else {
                g -= rest;
            }
        }
    }
}

// Points that are nearly, but not quite, as the others hold what they may not with tiny levers: a
// foot on two triangles of a terrain cannot close the gap to the second one without sliding by
// micrometres on the first, and would push 1e8 times its weight instead. Friction beyond what any
// motion of the island needs is not exerted.
void bound_tangential(const IslandTask& task) {
    IslandRows& rows = task.workspace.rows;
    const double most = kMostFriction * most_needed(task);
    for (std::size_t r = 0; r < rows.rows.size(); ++r) {
        if (!is_tangential(rows.source[r])) continue;
        rows.rows[r].lo = -most;
        rows.rows[r].hi = most;
    }
}

bool has_no_bounded(const IslandTask& task) {  // ppm has no upper bounds
    const std::vector<RowSource>& source = task.workspace.rows.source;
    return std::none_of(source.begin(), source.end(),
                        [](const RowSource& row) { return row.kind == RowSource::Kind::kBounded; });
}
bool has_few_velocities(const IslandTask& task) { return task.size.velocities <= kDenseVelocities; }

// One pass with the tangential rows as they are. sparse_ppm may cycle where rows depend on one
// another; active_set_rows is exact where they nearly do, the Newton method serves islands of any
// size.
constexpr std::array<Rung, 4> kAuto = {{
    {Rung::kChosen, is_pivoted, pivot},
    {Rung::kChosen, has_few_velocities, solve_whitened_rows},
    {Rung::kChosen, is_swept, sweep_convex},
    {Rung::kChosen, is_for_newton, newton_convex},
}};
constexpr std::array<Rung, 3> kSparse = {{
    {Rung::kChosen, nullptr, pivot},
    {Rung::kFallback, has_few_velocities, solve_whitened_rows},
    {Rung::kFallback, nullptr, newton_convex},
}};
constexpr std::array<Rung, 4> kPpm = {{
    {Rung::kChosen, has_no_bounded, solve_by_ppm},
    {Rung::kFallback, nullptr, pivot},
    {Rung::kFallback, has_few_velocities, solve_whitened_rows},
    {Rung::kFallback, nullptr, newton_convex},
}};

std::span<const Rung> rungs(NoSlipSolver solver) {
    switch (solver) {
        case NoSlipSolver::kPpm:
            return kPpm;
        case NoSlipSolver::kSparsePpm:
            return kSparse;
        case NoSlipSolver::kAuto:
            break;
    }
    return kAuto;
}

// Rows of the contacts that are held, with the states of the guess.
void build_held_rows(const IslandTask& task, std::span<const std::uint64_t> contacts,
                     std::span<const std::uint64_t> joints) {
    build_rows(task, {.tangential = task.shared.tangential});
    level_tangential(task);
    bound_tangential(task);
    guess_row_states(task, contacts, joints, task.workspace.rows);
}

void add_pass(const IslandResult& pass, IslandResult& total) {
    const IslandResult before = total;
    total = pass;
    total.fallback = before.fallback || pass.fallback;
    total.iterations += before.iterations;
    total.pivots += before.pivots;
    total.passes = before.passes + 1;
}

}  // namespace

IslandResult solve_sticking(const NoSlip& model, const IslandTask& task, bool frictional_only) {
    IslandTask own = task;
    own.stop.tolerance = model.tolerance;
    IslandRows& rows = task.workspace.rows;
    choose_tangential(model, task, frictional_only);
    build_held_rows(task, task.shared.guess.bits, task.guess.joints);
    IslandResult total = climb(rungs(model.solver), own);
    const bool pile = is_large_pile(task.size);
    while (model.release_separating && revise_tangential(model, task, frictional_only)) {
        const bool late = spent(task, total.iterations);
        if (late || (pile && total.passes >= kPilePasses)) {  // not the model's answer yet
            total.status =
                worse(total.status, late ? SolveStatus::kBudget : SolveStatus::kIterationLimit);
            break;
        }
        keep_row_states(task, rows);
        if (pile) keep_impulses(task, rows);
        build_held_rows(task, task.shared.next_contacts, task.shared.next_joints);
        add_pass(climb(rungs(model.solver), after(own, total.iterations)), total);
    }
    set_impulses(task, rows);
    keep_row_states(task, rows);
    return total;
}

IslandResult solve_island(const NoSlip& model, const IslandTask& task) {
    return solve_sticking(model, task, false);
}

}  // namespace stiction
