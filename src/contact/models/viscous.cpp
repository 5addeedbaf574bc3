// viscous.cpp - viscous friction as soft tangential rows; none at the acceleration level, where
// friction is a force that is known.
#include "contact/models/viscous.h"

#include <algorithm>
#include <span>

#include "contact/routes/dense_rows.h"
#include "contact/solve_contact.h"

namespace stiction {

namespace {

constexpr std::size_t kMostDenseRows = 1000;  // of an island that is made dense as a last resort

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

DenseSolver dense_solver(ViscousSolver solver) {
    switch (solver) {
        case ViscousSolver::kBlockPivot:
            return DenseSolver::kBlockPivot;
        case ViscousSolver::kPgs:
            return DenseSolver::kPgs;
        default:
            return DenseSolver::kActiveSetQp;
    }
}

// Zero impulses and sweeps: every iterate keeps the bounds, so the last one is safe to use.
IslandResult sweep_from_zero(const LinkQpSettings& settings, const IslandTask& task) {
    std::fill(task.workspace.rows.c.begin(), task.workspace.rows.c.end(), 0.0);
    return sweep_rows(settings, task);
}

bool free_bodies_only(const IslandTask& task) {
    const std::span<const int> blocks = blocks_of(task);
    return std::all_of(blocks.begin(), blocks.end(),
                       [&](int b) { return task.problem.system.blocks[at(b)].free_body; });
}

// The chosen solver, then the other route: sparse_ppm may cycle where many rows depend on one
// another (packed piles without friction), active_set_qp does not. Last come sweeps.
IslandResult solve_rows(const Viscous& model, const IslandTask& task) {
    const auto solve_sparse = [&](const IslandTask& rest) {
        return solve_sparse_rows({model.tolerance, rest.max_iterations}, rest);
    };
    const auto solve_dense = [&](const IslandTask& rest) {
        return solve_dense_rows(dense_solver(model.solver), model.tolerance, rest);
    };
    const bool sparse_first =
        model.solver == ViscousSolver::kAuto || model.solver == ViscousSolver::kSparsePpm;
    const IslandResult first = sparse_first ? solve_sparse(task) : solve_dense(task);
    const bool solved = first.status == SolveStatus::kSolved && !model.fail_first;
    if (solved || first.status == SolveStatus::kNotFinite || spent(task, first.iterations))
        return first;
    if (sparse_first && is_large_pile(task)) return first;  // was swept

    IslandTask rest = task;
    rest.max_iterations = iterations_left(task, first.iterations);
    IslandResult second = first;
    if (!sparse_first) {
        second = solve_sparse(rest);
    } else if (task.workspace.rows.qp.rows.size() <= kMostDenseRows) {
        second = solve_dense(rest);
    }
    if (second.status != SolveStatus::kSolved && free_bodies_only(task) &&
        !spent(rest, second.iterations)) {
        const int left = iterations_left(rest, second.iterations);
        second = sweep_from_zero({model.tolerance, left}, task);
    }
    second.fallback = true;
    second.iterations += first.iterations;
    second.pivots += first.pivots;
    return second;
}

}  // namespace

IslandResult solve_island(const Viscous& model, const IslandTask& task) {
    IslandRows& rows = task.workspace.rows;
    if (model.level == ViscousLevel::kVelocity) choose_tangential(task);
    build_island_rows(task.problem, task.island, task.shared.tangential, rows);
    soften_tangential(task.problem, rows);
    guess_row_states(task, task.shared.contact_guess, task.guess.joints, rows);
    const IslandResult result = solve_rows(model, task);
    add_impulses(rows, task.solution);
    keep_row_states(task, rows);
    return result;
}

}  // namespace stiction
