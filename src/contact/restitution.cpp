// restitution.cpp - rebounds, and the share of the step before them.
#include "contact/restitution.h"

#include <algorithm>
#include <cmath>

#include "contact/island/operators.h"
#include "contact/routes/pivoting.h"
#include "problem/link_motion.h"

namespace stiction {

namespace {

constexpr int kMaxScalings = 30;        // halvings of eps before restitution is given up: 1e-9 left
constexpr double kEnergySlack = 1e-12;  // relative: rounding of the sum over the bodies

bool rebounds(const IslandTask& task, double threshold, int i, const Vec6& u) {
    const ContactRow& contact = task.problem.contacts[at(i)];
    return contact.eps > 0 && task.solution.c_n[at(i)] > 0 && -contact.n.dot(u) > threshold;
}

// Adds X' (scale eps c_n n) of all rebounding contacts to momentum; returns whether there are any.
bool add_rebound_impulses(const IslandTask& task, double threshold, double scale) {
    const ContactProblem& problem = task.problem;
    bool any = false;
    for (const int l : links_of(task)) {
        const LinkRows& range = problem.link_rows[at(l)];
        if (range.contact_begin == range.contact_end) continue;
        const Link& link = problem.system.links[at(l)];
        const Vec6 u = link_velocity(problem.system, link, problem.v);
        Vec6 F = Vec6::Zero();
        for (int i = range.contact_begin; i < range.contact_end; ++i) {
            if (!rebounds(task, threshold, i, u)) continue;
            const ContactRow& contact = problem.contacts[at(i)];
            F += (scale * contact.eps * task.solution.c_n[at(i)]) * contact.n;
        }
        if (F.isZero(0.0)) continue;
        any = true;
        add_link_impulse(problem.system, link, F, task.shared.momentum);
    }
    return any;
}

// v_other <- v+ + M^-1 X' (scaled restitution impulses). False when no contact rebounds.
bool rebound_velocity(const IslandTask& task, double threshold, double scale) {
    const LinkSystem& system = task.problem.system;
    SharedWorkspace& shared = task.shared;
    clear_momentum(system, blocks_of(task), shared.momentum);
    if (!add_rebound_impulses(task, threshold, scale)) return false;
    add_momentum(system, blocks_of(task), shared.v_plus, shared.momentum, shared.v_other);
    return true;
}

// Share of the step that passes before the first impact, 0 unless every contact that presses
// rebounds: bodies that others lean on cannot be moved on their own.
double approach_share(const IslandTask& task, double threshold) {
    const ContactProblem& problem = task.problem;
    double share = 1.0;
    for (const int l : links_of(task)) {
        const LinkRows& range = problem.link_rows[at(l)];
        if (range.joint_begin < range.joint_end) return 0.0;
        const Link& link = problem.system.links[at(l)];
        const Vec6 u = link_velocity(problem.system, link, problem.v);
        const Vec6 u_free = link_velocity(problem.system, link, problem.v_free);
        for (int i = range.contact_begin; i < range.contact_end; ++i) {
            if (task.solution.c_n[at(i)] <= 0) continue;
            if (!rebounds(task, threshold, i, u)) return 0.0;
            const ContactRow& contact = problem.contacts[at(i)];
            const double approach = -contact.n.dot(u_free);
            share = std::min(share, std::max(contact.phi, 0.0) / (problem.h * approach));
        }
    }
    return std::clamp(share, 0.0, 1.0);
}

// v_move = share v_free + (1 - share) v++: the path of the bodies, approach and rebound.
void set_mean_velocity(const IslandTask& task, double share) {
    for (const int b : blocks_of(task)) {
        const InertiaBlock& block = task.problem.system.blocks[at(b)];
        task.solution.v_move.segment(block.offset, block.size) =
            share * task.problem.v_free.segment(block.offset, block.size) +
            (1.0 - share) * task.solution.v.segment(block.offset, block.size);
    }
}

void record_impulses(const IslandTask& task, double threshold, double scale) {
    const ContactProblem& problem = task.problem;
    for (const int l : links_of(task)) {
        const LinkRows& range = problem.link_rows[at(l)];
        const Vec6 u = link_velocity(problem.system, problem.system.links[at(l)], problem.v);
        for (int i = range.contact_begin; i < range.contact_end; ++i) {
            if (!rebounds(task, threshold, i, u)) continue;
            task.solution.c_n[at(i)] *= 1.0 + scale * problem.contacts[at(i)].eps;
        }
    }
    add_impulses(task.workspace.more_rows, task.solution);
}

// Phase I from v_other keeps joints and stops contacts that approach; motors keep what they have
// given.
SolveStatus stop_approach(const IslandTask& task) {
    IslandRows& rows = task.workspace.more_rows;
    for (std::size_t r = 0; r < rows.source.size(); ++r) {
        if (rows.source[r].kind != RowSource::Kind::kBounded) continue;
        rows.rows[r].lo = rows.rows[r].hi = 0;
        rows.state[r] = BoundState::kLower;
    }
    return solve_by_pivoting(task.problem.system, {kPivotingTolerance, 0, task.stop.deadline},
                             task.shared.v_other, task.workspace.pivoting(), rows,
                             task.shared.momentum, task.solution.v)
        .status;
}

}  // namespace

void add_restitution(const IslandTask& task, double threshold) {
    const LinkSystem& system = task.problem.system;
    const std::span<const int> blocks = blocks_of(task);
    SharedWorkspace& shared = task.shared;
    build_island_rows(task.problem, task.island, {}, task.workspace.more_rows);
    copy_velocity(system, blocks, task.solution.v, shared.v_plus);
    const double before = kinetic_energy(system, blocks, task.problem.v_free, shared.momentum);
    double scale = 1.0;
    for (int round = 0; round < kMaxScalings; ++round, scale *= 0.5) {
        if (!rebound_velocity(task, threshold, scale)) return;
        const SolveStatus status = stop_approach(task);
        const double after = kinetic_energy(system, blocks, task.solution.v, shared.momentum);
        if (status == SolveStatus::kSolved && after <= before * (1.0 + kEnergySlack)) {
            set_mean_velocity(task, approach_share(task, threshold));
            record_impulses(task, threshold, scale);
            return;
        }
        if (task.stop.deadline.passed()) break;
    }
    // No restitution keeps the energy: the inelastic answer stands.
    copy_velocity(system, blocks, shared.v_plus, task.solution.v);
}

}  // namespace stiction
