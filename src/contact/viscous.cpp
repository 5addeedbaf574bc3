// viscous.cpp - viscous friction as soft tangential rows; none at the acceleration level, where
// friction is a force that is known.
#include "contact/viscous.h"

#include "contact/dense_rows.h"
#include "contact/solve_contact.h"

namespace stiction {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Tangential rows at contacts that touch and have viscous friction.
void choose_tangential(const IslandTask& task) {
    for (const int l : links_of(task)) {
        const LinkRows& range = task.problem.link_rows[at(l)];
        for (int i = range.contact_begin; i < range.contact_end; ++i) {
            const ContactRow& contact = task.problem.contacts[at(i)];
            task.shared.tangential[at(i)] =
                contact.mu_v > 0 && touching(task.problem, contact) ? 1 : 0;
        }
    }
}

void soften_tangential(const ContactProblem& problem, IslandRows& rows) {
    for (std::size_t r = 0; r < rows.source.size(); ++r) {
        const RowSource::Kind kind = rows.source[r].kind;
        if (kind != RowSource::Kind::kS && kind != RowSource::Kind::kT) continue;
        const ContactRow& contact = problem.contacts[at(rows.source[r].index)];
        rows.qp.rows[r].compliance = 1.0 / (problem.h * contact.mu_v);
    }
}

}  // namespace

IslandResult solve_island(const Viscous& model, const IslandTask& task) {
    IslandRows& rows = task.workspace.rows;
    if (model.level == ViscousLevel::kVelocity) choose_tangential(task);
    build_island_rows(task.problem, task.island, task.shared.tangential, rows);
    soften_tangential(task.problem, rows);
    guess_row_states(task, task.shared.contact_guess, task.guess.joints, rows);
    IslandResult result;
    if (model.solver == ViscousSolver::kAuto || model.solver == ViscousSolver::kSparsePpm) {
        result = solve_sparse_rows({model.tolerance, model.max_iterations}, task);
    } else {
        const DenseSolver dense =
            model.solver == ViscousSolver::kActiveSetQp  ? DenseSolver::kActiveSetQp
            : model.solver == ViscousSolver::kBlockPivot ? DenseSolver::kBlockPivot
                                                         : DenseSolver::kPgs;
        result = solve_dense_rows(dense, model.tolerance, task);
        if (result.status != SolveStatus::kSolved) {
            result = solve_sparse_rows({model.tolerance, model.max_iterations}, task);
            result.fallback = true;
        }
    }
    add_impulses(rows, task.solution);
    keep_row_states(task, rows);
    return result;
}

}  // namespace stiction
