// max_dissipation.cpp - phase I, what phase II needs to know, and which route takes it [DS10].
#include "contact/models/max_dissipation.h"

#include <algorithm>
#include <array>
#include <limits>

#include "contact/island/row_states.h"
#include "contact/models/solve_island.h"
#include "contact/routes/convex.h"
#include "contact/routes/ladder.h"
#include "contact/routes/phase_one.h"
#include "contact/routes/phase_two.h"
#include "problem/link_motion.h"

namespace stiction {

namespace {

bool any_friction(const IslandTask& task) {
    bool any = false;
    for_each_contact(task, [&](int i) {
        const ContactRow& contact = task.problem.contacts[at(i)];
        any = any || contact.mu_c > 0 || contact.mu_v > 0;
    });
    return any;
}

// v_hat: the velocity with joints alone, in v_other.
void solve_joints(const IslandTask& task) {
    IslandRows& rows = task.workspace.more_rows;
    build_island_rows(task.problem, task.island, {}, rows);
    for (std::size_t r = 0; r < rows.rows.size(); ++r) {
        Row& row = rows.rows[r];
        if (is_equality(row)) continue;
        row.lo = row.hi = 0;
        rows.state[r] = BoundState::kLower;
    }
    (void)solve_normal_rows(task, task.problem.v_free, rows, task.shared.v_other);
}

// h mu_v |b_T| where a contact touches or presses in phase I.
void set_viscous_bounds(const IslandTask& task) {
    PhaseTwoWorkspace& ws = task.workspace.phase_two();
    const ContactProblem& problem = task.problem;
    ws.viscous_bound.clear();
    bool any = false;
    for_each_contact(task, [&](int i) { any = any || problem.contacts[at(i)].mu_v > 0; });
    if (!any) return;
    ws.viscous_bound.assign(problem.contacts.size(), 0.0);
    solve_joints(task);
    for_each_contact(task, [&](int i) {
        const ContactRow& contact = problem.contacts[at(i)];
        if (!touching(problem, contact) && task.solution.c_n[at(i)] <= 0) return;
        const Vec6 u = link_velocity(problem.system, problem.system.links[at(contact.link)],
                                     task.shared.v_other);
        ws.viscous_bound[at(i)] =
            problem.h * contact.mu_v * std::hypot(contact.s.dot(u), contact.t.dot(u));
    });
}

// ---- rungs of phase II

bool has_no_viscous(const IslandTask& task) {
    return task.workspace.phase_two().viscous_bound.empty();
}
bool may_be_coulomb(const IslandTask& task) {
    return task.size.contacts <= kCoulombContacts && has_no_viscous(task);
}
bool is_small(const IslandTask& task) { return task.size.contacts <= kCoulombContacts; }
bool is_for_interior_point(const IslandTask& task) {
    return task.size.contacts <= kInteriorContacts;
}
bool may_slide_alike(const IslandTask& task) {
    return may_be_coulomb(task) && task.size.free_bodies;
}
// What a digit costs sweeps it hardly costs factors: below, those of piles of up to 300 links are quicker.
constexpr double kSweptTolerance = 1e-5;

bool is_swept_pile(const IslandTask& task) {
    return is_large_pile(task.size) || is_iterated(task.size) ||
           (is_pile(task.size) && task.stop.tolerance >= kSweptTolerance);
}
// Only where there is no other answer: those of the other rungs keep all constraints.
constexpr Rung kPhaseOne = {Rung::kSafe, nullptr, restore_phase_one,
                            std::numeric_limits<double>::infinity()};

constexpr std::array<Rung, 6> kAuto = {{
    {Rung::kChosen, may_be_coulomb, try_sticking},
    {Rung::kChosen, may_slide_alike, try_sweeps},
    {Rung::kChosen, is_small, solve_phase_two_dense},
    {Rung::kChosen, is_swept_pile, sweep_phase_two},
    {Rung::kChosen, is_for_newton, solve_phase_two_newton},
    kPhaseOne,
}};
constexpr std::array<Rung, 3> kInteriorPoint = {{
    {Rung::kChosen, is_for_interior_point, solve_phase_two_dense, kUsefulResidual},
    {Rung::kFallback, is_for_newton, solve_phase_two_newton},
    kPhaseOne,
}};
// Asked for by name, it factors piles of any size, whatever that takes.
constexpr std::array<Rung, 2> kNewton = {{
    {Rung::kChosen, nullptr, solve_phase_two_newton},
    kPhaseOne,
}};

std::span<const Rung> rungs(const MaxDissipation& model) {
    if (model.solver == MaxDissipationSolver::kAuto) {
        if (model.form == DissipationForm::kContactSpace) return kInteriorPoint;
        if (model.form == DissipationForm::kGeneralized) return kNewton;
    }
    switch (model.solver) {
        case MaxDissipationSolver::kInteriorPoint:
            return kInteriorPoint;
        case MaxDissipationSolver::kProxNewton:
            return kNewton;
        case MaxDissipationSolver::kAuto:
            break;
    }
    return kAuto;
}

}  // namespace

IslandResult solve_island(const MaxDissipation& model, const IslandTask& task) {
    const IslandResult one = solve_phase_one(model.phase_one, task);
    if (one.status != SolveStatus::kSolved || !any_friction(task)) return one;
    PhaseTwoWorkspace& ws = task.workspace.phase_two();
    ws.swept = false;
    set_viscous_bounds(task);
    if (ws.kappa <= 0 && ws.viscous_bound.empty()) return one;

    IslandResult before = no_answer();
    before.iterations = one.iterations;
    before.pivots = one.pivots;
    std::span<const Rung> all = rungs(model);
    const bool late = spent(task, one.iterations);
    if (late) before.status = SolveStatus::kBudget;
    if (late || model.fail_phase_two) all = all.last(1);
    IslandResult two = climb(all, task, before);
    two.status = worse(two.status, one.status);
    return two;
}

}  // namespace stiction
