// viscous.cpp - viscous friction as soft tangential rows; none at the acceleration level, where
// friction is a force that is known.
#include "contact/models/viscous.h"

#include <algorithm>
#include <array>

#include "contact/island/row_states.h"
#include "contact/models/solve_island.h"
#include "contact/routes/convex.h"
#include "contact/routes/dense.h"
#include "contact/routes/ladder.h"

namespace stiction {

namespace {

// Tangential rows at contacts that touch and have viscous friction.
void choose_tangential(const IslandTask& task) {
    for_each_contact(task, [&](int i) {
        const ContactRow& contact = task.problem.contacts[at(i)];
        task.shared.tangential[at(i)] = contact.mu_v > 0 && touching(task.problem, contact) ? 1 : 0;
    });
}

void soften_tangential(const ContactProblem& problem, IslandRows& rows) {
    for (std::size_t r = 0; r < rows.source.size(); ++r) {
        if (!is_tangential(rows.source[r])) continue;
        const ContactRow& contact = problem.contacts[at(rows.source[r].index)];
        rows.rows[r].compliance = 1.0 / (problem.h * contact.mu_v);
    }
}

// Every iterate keeps the bounds, so the last one is safe to use.
IslandResult sweep_from_zero(const IslandTask& task) {
    std::fill(task.workspace.rows.c.begin(), task.workspace.rows.c.end(), 0.0);
    return sweep_convex(task);
}

// Large piles were swept already.
bool has_few_rows(const IslandTask& task) {
    return !is_large_pile(task.size) && task.workspace.rows.rows.size() <= at(kDenseRows);
}
bool is_no_large_pile(const IslandTask& task) {
    return !is_large_pile(task.size) && task.size.free_bodies;
}

// The chosen solver, then the other route: sparse_ppm may cycle where many rows depend on one
// another (packed piles without friction), active_set_qp does not. Last come sweeps.
constexpr std::array<Rung, 3> kSparseFirst = {{
    {Rung::kChosen, nullptr, solve_convex},
    {Rung::kFallback, has_few_rows, solve_rows_by<DenseSolver::kActiveSetQp>},
    {Rung::kFallback, is_no_large_pile, sweep_from_zero},
}};
template <DenseSolver kSolver>
constexpr std::array<Rung, 3> kDenseFirst = {{
    {Rung::kChosen, nullptr, solve_rows_by<kSolver>},
    {Rung::kFallback, nullptr, solve_convex},
    {Rung::kFallback, is_no_large_pile, sweep_from_zero},
}};

std::span<const Rung> rungs(ViscousSolver solver) {
    switch (solver) {
        case ViscousSolver::kActiveSetQp:
            return kDenseFirst<DenseSolver::kActiveSetQp>;
        case ViscousSolver::kBlockPivot:
            return kDenseFirst<DenseSolver::kBlockPivot>;
        case ViscousSolver::kPgs:
            return kDenseFirst<DenseSolver::kPgs>;
        case ViscousSolver::kAuto:
        case ViscousSolver::kSparsePpm:
            break;
    }
    return kSparseFirst;
}

}  // namespace

IslandResult solve_island(const Viscous& model, const IslandTask& task) {
    IslandRows& rows = task.workspace.rows;
    if (model.level == ViscousLevel::kVelocity) choose_tangential(task);
    build_rows(task, {.tangential = task.shared.tangential});
    soften_tangential(task.problem, rows);
    guess_row_states(task, task.shared.contact_guess, task.guess.joints, rows);
    const std::span<const Rung> all = rungs(model.solver);
    const IslandResult result = climb(model.fail_first ? all.subspan(1) : all, task);
    set_impulses(task, rows);
    keep_row_states(task, rows);
    return result;
}

}  // namespace stiction
