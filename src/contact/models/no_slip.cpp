// no_slip.cpp - contact without slip: tangential velocity is zero at every contact that presses.
// In: the rows of one island. Out: its velocities and impulses. Follows [D15, section VI];
// no_slip.h has the equations.
#include "contact/models/no_slip.h"

#include <algorithm>
#include <cmath>

#include "contact/routes/dense_rows.h"
#include "contact/solve_contact.h"

namespace stiction {

namespace {

constexpr double kStill = 1e-12;  // [m/s] no motion

constexpr double kLevel = 1e-8;       // gap over the link's length below which heights are equal
constexpr double kSameHeight = 1e-5;  // as FIND-INDICES: 1e-10 of the squared length of a row
constexpr int kPilePasses = 6;  // of islands that are swept, whose states are never quite certain
constexpr int kLargestDenseIsland = 240;  // velocities; beyond it the dense route is no fallback

// Tangential rows of a contact: none, droppable, or pinned because the contact closed after they
// had been dropped.
enum Tangential : char { kAbsent = 0, kDroppable = 1, kPinned = 2 };

std::size_t at(int i) { return static_cast<std::size_t>(i); }

bool has_gap(const ContactProblem& problem, const ContactRow& contact) {
    return contact.phi > kLevel * problem.system.links[at(contact.link)].length;
}

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
    IslandRows& rows = task.workspace.rows;
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
        // The better guess across a gap: with its rows the contact did not close it before.
        if (has_gap(problem, problem.contacts[at(i)])) rows.state[r] = RowState::kLower;
        pinned = true;
    }
    return pinned;
}

bool is_tangential(const RowSource& source) {
    return source.kind == RowSource::Kind::kS || source.kind == RowSource::Kind::kT;
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
    for (std::size_t l = 0; l < rows.qp.links.size(); ++l) {
        const int begin = rows.qp.row_begin[l], end = rows.qp.row_begin[l + 1];
        if (!has_gap(task, begin, end)) continue;
        Mat6 basis;
        int rank = 0;
        for (int r = begin; r < end; ++r) {
            if (!is_tangential(rows.source[at(r)])) continue;
            Vec6& g = rows.qp.rows[at(r)].g;
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

bool has_bounded(const IslandRows& rows) {
    for (const RowSource& source : rows.source) {
        if (source.kind == RowSource::Kind::kBounded) return true;
    }
    return false;
}

// One pass with the tangential rows as they are: the chosen solver, then the other one, then
// active_set_rows. `used`: iterations of the passes before.
IslandResult solve_pass(const NoSlip& model, const IslandTask& task, int used) {
    IslandResult result;
    const bool dense_first = model.solver == NoSlipSolver::kPpm;
    if (dense_first && !has_bounded(task.workspace.rows)) {  // ppm has no upper bounds
        result = solve_dense_no_slip(model, task, iterations_left(task, used));
        if (result.status == SolveStatus::kSolved || spent(task, used + result.iterations))
            return result;
    }
    const auto climb = [&](IslandResult next) {
        next.iterations += result.iterations;
        next.pivots += result.pivots;
        next.fallback = true;
        result = next;
    };
    const int left = iterations_left(task, used + result.iterations);
    const IslandResult sparse = solve_sparse_rows({model.tolerance, left}, task);
    if (dense_first) {
        climb(sparse);
    } else {
        result = sparse;
    }
    int velocities = 0;
    for (const int b : task.workspace.rows.qp.blocks)
        velocities += task.problem.system.blocks[at(b)].size;
    if (result.status == SolveStatus::kSolved || velocities > kLargestDenseIsland ||
        spent(task, used + result.iterations))
        return result;
    IslandTask rest = task;
    rest.max_iterations = iterations_left(task, used + result.iterations);
    climb(solve_whitened_rows(model.tolerance, rest));
    return result;
}

}  // namespace

IslandResult solve_sticking(const NoSlip& model, const IslandTask& task, bool frictional_only) {
    IslandRows& rows = task.workspace.rows;
    choose_tangential(model, task, frictional_only, links_of(task));
    build_island_rows(task.problem, task.island, task.shared.tangential, rows);
    level_tangential(task);
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
        level_tangential(task);
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
