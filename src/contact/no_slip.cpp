// no_slip.cpp - contact without slip: tangential velocity is zero at every contact that presses.
// In: the rows of one island. Out: its velocities and impulses. Follows [D15, section VI];
// no_slip.h has the equations.
#include "contact/no_slip.h"

#include <algorithm>
#include <cmath>

#include "contact/dense_rows.h"
#include "contact/solve_contact.h"

namespace stiction {

namespace {

constexpr double kStill = 1e-12;  // [m/s] no motion

constexpr int kPolish = 10;     // factorisations from the set of another solver
constexpr int kPilePasses = 6;  // of islands that are swept, whose states are never quite certain
constexpr int kLargestDenseIsland = 240;  // velocities; beyond it the dense route is no fallback

// Tangential rows of a contact: none, droppable, or pinned because the contact closed after they
// had been dropped.
enum Tangential : char { kAbsent = 0, kDroppable = 1, kPinned = 2 };

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Contacts that start with tangential rows: all, where separating ones are released again; the
// paper's are those that touch.
void choose_tangential(const NoSlip& model, const IslandTask& task, bool frictional_only,
                       std::span<const int> links) {
    const ContactProblem& problem = task.problem;
    for (const int l : links) {
        const LinkRows& range = problem.link_rows[at(l)];
        for (int i = range.contact_begin; i < range.contact_end; ++i) {
            const ContactRow& contact = problem.contacts[at(i)];
            const bool starts = model.release_separating || touching(problem, contact);
            const bool held = starts && (!frictional_only || contact.mu_c > 0);
            task.shared.tangential[at(i)] = held ? kDroppable : kAbsent;
        }
    }
}

// Drops the tangential rows of contacts that end apart (no impulse, and the gap opens); when none
// is left to drop, brings back, for good, those of contacts that have come to press. Each contact
// changes at most twice, so it ends. Returns whether rows changed.
bool revise_tangential(const NoSlip& model, const IslandTask& task, bool frictional_only) {
    const IslandRows& rows = task.workspace.rows;
    const ContactProblem& problem = task.problem;
    bool dropped = false;
    for (std::size_t r = 0; r < rows.source.size(); ++r) {
        if (rows.source[r].kind != RowSource::Kind::kNormal || rows.state[r] == RowState::kFree)
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
        dropped = true;
    }
    if (dropped) return true;
    bool pinned = false;
    for (std::size_t r = 0; r < rows.source.size(); ++r) {
        if (rows.source[r].kind != RowSource::Kind::kNormal || rows.c[r] <= 0) continue;
        const int i = rows.source[r].index;
        if (task.shared.tangential[at(i)] != kAbsent) continue;
        if (frictional_only && problem.contacts[at(i)].mu_c <= 0) continue;
        task.shared.tangential[at(i)] = kPinned;
        pinned = true;
    }
    return pinned;
}

bool has_bounded(const IslandRows& rows) {
    for (const RowSource& source : rows.source) {
        if (source.kind == RowSource::Kind::kBounded) return true;
    }
    return false;
}

// Rows with upper bounds, which ppm has not, after sparse_ppm went round in circles: active_set_qp
// does not, and where many rows depend on one another sparse_ppm then has the digits from its set.
IslandResult solve_bounded(const NoSlip& model, const IslandTask& task, const IslandResult& first,
                           int used) {
    IslandTask rest = task;
    rest.max_iterations = iterations_left(task, used);
    IslandResult dense = solve_dense_rows(DenseSolver::kActiveSetQp, model.tolerance, rest);
    used += dense.iterations;
    if (dense.status != SolveStatus::kSolved && !spent(task, used)) {
        const int left = iterations_left(task, used);
        const int most = left > 0 ? std::min(left, kPolish) : kPolish;
        const IslandResult again = solve_sparse_rows({model.tolerance, most}, task);
        if (again.status == SolveStatus::kSolved) {
            dense = again;
        } else {
            dense = solve_dense_rows(DenseSolver::kActiveSetQp, model.tolerance, rest);
        }
    }
    dense.iterations += first.iterations;
    dense.pivots += first.pivots;
    dense.fallback = true;
    return dense;
}

// One pass with the tangential rows as they are: the chosen solver, then the other one where it
// failed. `used`: iterations of the passes before.
IslandResult solve_pass(const NoSlip& model, const IslandTask& task, int used) {
    const bool dense_possible = !has_bounded(task.workspace.rows);  // ppm has no upper bounds
    if (model.solver == NoSlipSolver::kPpm && dense_possible) {
        const IslandResult dense = solve_dense_no_slip(model, task, iterations_left(task, used));
        used += dense.iterations;
        if (dense.status == SolveStatus::kSolved || spent(task, used)) return dense;
        IslandResult sparse =
            solve_sparse_rows({model.tolerance, iterations_left(task, used)}, task);
        sparse.iterations += dense.iterations;
        sparse.fallback = true;
        return sparse;
    }
    IslandResult sparse = solve_sparse_rows({model.tolerance, iterations_left(task, used)}, task);
    used += sparse.iterations;
    sparse.fallback = model.solver == NoSlipSolver::kPpm;
    int velocities = 0;
    for (const int b : task.workspace.rows.qp.blocks)
        velocities += task.problem.system.blocks[at(b)].size;
    if (sparse.status == SolveStatus::kSolved || velocities > kLargestDenseIsland ||
        spent(task, used))
        return sparse;
    if (!dense_possible) return solve_bounded(model, task, sparse, used);
    IslandResult dense = solve_dense_no_slip(model, task, iterations_left(task, used));
    dense.iterations += sparse.iterations;
    dense.fallback = true;
    return dense;
}

}  // namespace

IslandResult solve_sticking(const NoSlip& model, const IslandTask& task, bool frictional_only) {
    IslandRows& rows = task.workspace.rows;
    choose_tangential(model, task, frictional_only, links_of(task));
    build_island_rows(task.problem, task.island, task.shared.tangential, rows);
    guess_row_states(task, task.shared.contact_guess, task.guess.joints, rows);

    IslandResult total = solve_pass(model, task, 0);
    const bool pile = is_large_pile(task);
    while (model.release_separating && revise_tangential(model, task, frictional_only)) {
        if (spent(task, total.iterations)) {  // not the model's answer yet
            total.status = worse(total.status, SolveStatus::kBudget);
            break;
        }
        if (pile && total.passes >= kPilePasses) {
            total.status = worse(total.status, SolveStatus::kIterationLimit);
            break;
        }
        keep_row_states(task, rows);
        if (pile) keep_impulses(task, rows);
        build_island_rows(task.problem, task.island, task.shared.tangential, rows);
        guess_row_states(task, task.shared.next_contacts, task.shared.next_joints, rows);
        const IslandResult pass = solve_pass(model, task, total.iterations);
        total.status = pass.status;
        total.solver = pass.solver;
        total.residual = pass.residual;
        total.fallback = total.fallback || pass.fallback;
        total.iterations += pass.iterations;
        total.pivots += pass.pivots;
        ++total.passes;
    }
    add_impulses(rows, task.solution);
    keep_row_states(task, rows);
    return total;
}

IslandResult solve_island(const NoSlip& model, const IslandTask& task) {
    return solve_sticking(model, task, false);
}

}  // namespace stiction
