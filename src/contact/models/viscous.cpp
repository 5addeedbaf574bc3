// viscous.cpp - viscous friction as soft tangential rows; none at the acceleration level, where
// friction is a force that is known.
#include "contact/models/viscous.h"

#include <array>

#include "contact/island/row_states.h"
#include "contact/models/solve_island.h"
#include "contact/routes/convex.h"
#include "contact/routes/dense.h"
#include "contact/routes/ladder.h"
#include "contact/routes/ppm_rows.h"

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

constexpr std::array<Rung, 3> kAuto = {{
    {Rung::kChosen, is_pivoted, pivot},
    {Rung::kChosen, is_swept, sweep_convex},
    {Rung::kChosen, is_for_newton, newton_convex},
}};
constexpr std::array<Rung, 2> kSparse = {{
    {Rung::kChosen, nullptr, pivot},
    {Rung::kFallback, nullptr, newton_convex},
}};
template <DenseSolver kSolver>
constexpr std::array<Rung, 2> kDense = {{
    {Rung::kChosen, nullptr, solve_rows_by<kSolver>},
    {Rung::kFallback, nullptr, newton_convex},
}};

template <ReducedSolver kSolver>
constexpr std::array<Rung, 3> kReducedRows = {{
    {Rung::kChosen, nullptr, solve_reduced_by<kSolver>},
    {Rung::kFallback, nullptr, pivot},
    {Rung::kFallback, nullptr, newton_convex},
}};

std::span<const Rung> rungs(ViscousSolver solver) {
    switch (solver) {
        case ViscousSolver::kActiveSetQp:
            return kDense<DenseSolver::kActiveSetQp>;
        case ViscousSolver::kBlockPivot:
            return kDense<DenseSolver::kBlockPivot>;
        case ViscousSolver::kPgs:
            return kDense<DenseSolver::kPgs>;
        case ViscousSolver::kSparsePpm:
            return kSparse;
        case ViscousSolver::kPpm:
            return kReducedRows<ReducedSolver::kPpm>;
        case ViscousSolver::kLemke:
            return kReducedRows<ReducedSolver::kLemke>;
        case ViscousSolver::kAuto:
            break;
    }
    return kAuto;
}

}  // namespace

IslandResult solve_island(const Viscous& model, const IslandTask& task) {
    IslandRows& rows = task.workspace.rows;
    if (model.level == ViscousLevel::kVelocity) choose_tangential(task);
    build_rows(task, {.tangential = task.shared.tangential});
    soften_tangential(task.problem, rows);
    guess_row_states(task, task.shared.guess.bits, task.guess.joints, rows);
    const std::span<const Rung> all = rungs(model.solver);
    const IslandResult result = climb(model.fail_first ? all.subspan(1) : all, task);
    set_impulses(task, rows);
    keep_row_states(task, rows);
    return result;
}

}  // namespace stiction
