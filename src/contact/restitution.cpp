// restitution.cpp - phase III [DS10]: Poisson restitution, for every velocity-level model.
//
//   v++ = v+ + C N' (eps o c_n) at contacts whose approach speed exceeds the threshold; where a
//   contact then approaches, phase I from v++ adds what is missing. If the energy exceeds that of
//   v_hat, all eps are scaled down together.
#include <algorithm>
#include <cmath>

#include "contact/solve_contact.h"

namespace stiction {

namespace {

constexpr int kMaxScalings = 30;        // halvings of eps before restitution is given up
constexpr double kEnergySlack = 1e-12;  // relative

std::size_t at(int i) { return static_cast<std::size_t>(i); }

bool rebounds(const IslandTask& task, double threshold, int i, const Vec6& u) {
    const ContactRow& contact = task.problem.contacts[at(i)];
    return contact.eps > 0 && task.solution.c_n[at(i)] > 0 && -contact.n.dot(u) > threshold;
}

// Adds X' (scale eps c_n n) of all rebounding contacts to momentum; returns whether there are any.
bool add_rebound_impulses(const IslandTask& task, double threshold, double scale) {
    const ContactProblem& problem = task.problem;
    bool any = false;
    for (const int l : task.workspace.rebound_rows.qp.links) {
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

double kinetic_energy(const IslandTask& task, const VecX& v, VecX& scratch) {
    double sum = 0;
    for (const int b : task.workspace.rebound_rows.qp.blocks) {
        const InertiaBlock& block = task.problem.system.blocks[at(b)];
        apply_inertia(task.problem.system, block, v, scratch);
        sum += 0.5 *
               v.segment(block.offset, block.size).dot(scratch.segment(block.offset, block.size));
    }
    return sum;
}

// v_rebound <- v+ + M^-1 X' (scaled restitution impulses). False when no contact rebounds.
bool rebound_velocity(const IslandTask& task, double threshold, double scale) {
    const LinkSystem& system = task.problem.system;
    const std::span<const int> blocks = task.workspace.rebound_rows.qp.blocks;
    for (const int b : blocks) {
        task.shared.momentum.segment(system.blocks[at(b)].offset, system.blocks[at(b)].size)
            .setZero();
    }
    if (!add_rebound_impulses(task, threshold, scale)) return false;
    for (const int b : blocks) {
        const InertiaBlock& block = system.blocks[at(b)];
        apply_inverse_inertia(system, block, task.shared.momentum, task.shared.v_rebound);
        task.shared.v_rebound.segment(block.offset, block.size) +=
            task.shared.v_plus.segment(block.offset, block.size);
    }
    return true;
}

// Share of the step that passes before the first impact, 0 unless every contact that presses
// rebounds: bodies that others lean on cannot be moved on their own.
double approach_share(const IslandTask& task, double threshold) {
    const ContactProblem& problem = task.problem;
    double share = 1.0;
    for (const int l : task.workspace.rebound_rows.qp.links) {
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
    for (const int b : task.workspace.rebound_rows.qp.blocks) {
        const InertiaBlock& block = task.problem.system.blocks[at(b)];
        task.solution.v_move.segment(block.offset, block.size) =
            share * task.problem.v_free.segment(block.offset, block.size) +
            (1.0 - share) * task.solution.v.segment(block.offset, block.size);
    }
}

void record_impulses(const IslandTask& task, double threshold, double scale) {
    const ContactProblem& problem = task.problem;
    for (const int l : task.workspace.rebound_rows.qp.links) {
        const LinkRows& range = problem.link_rows[at(l)];
        const Vec6 u = link_velocity(problem.system, problem.system.links[at(l)], problem.v);
        for (int i = range.contact_begin; i < range.contact_end; ++i) {
            if (!rebounds(task, threshold, i, u)) continue;
            task.solution.c_n[at(i)] *= 1.0 + scale * problem.contacts[at(i)].eps;
        }
    }
    add_impulses(task.workspace.rebound_rows, task.solution);
}

}  // namespace

void add_restitution(const IslandTask& task, double threshold) {
    const ContactProblem& problem = task.problem;
    IslandRows& rows = task.workspace.rebound_rows;
    build_island_rows(problem, task.island, {}, rows);
    for (const int b : rows.qp.blocks) {
        const InertiaBlock& block = problem.system.blocks[at(b)];
        task.shared.v_plus.segment(block.offset, block.size) =
            task.solution.v.segment(block.offset, block.size);
    }
    const double before = kinetic_energy(task, problem.v_free, task.shared.momentum);
    double scale = 1.0;
    for (int round = 0; round < kMaxScalings; ++round, scale *= 0.5) {
        if (!rebound_velocity(task, threshold, scale)) return;
        // Phase I from v++ keeps joints and stops contacts that approach; motors keep what they
        // have given.
        for (std::size_t r = 0; r < rows.source.size(); ++r) {
            if (rows.source[r].kind != RowSource::Kind::kBounded) continue;
            rows.qp.rows[r].lo = rows.qp.rows[r].hi = 0;
            rows.state[r] = RowState::kLower;
        }
        LinkQpSettings settings;
        settings.deadline = task.deadline;
        const LinkQpResult result =
            solve_link_qp(problem.system, rows.qp, settings, task.shared.v_rebound, rows.state,
                          task.workspace.link_qp, rows.c, task.shared.momentum, task.solution.v);
        const double after = kinetic_energy(task, task.solution.v, task.shared.momentum);
        if (result.status == SolveStatus::kSolved && after <= before * (1.0 + kEnergySlack)) {
            set_mean_velocity(task, approach_share(task, threshold));
            record_impulses(task, threshold, scale);
            return;
        }
        if (task.deadline.passed()) break;
    }
    for (const int b :
         rows.qp.blocks) {  // no restitution that keeps the energy: the inelastic answer stands
        const InertiaBlock& block = problem.system.blocks[at(b)];
        task.solution.v.segment(block.offset, block.size) =
            task.shared.v_plus.segment(block.offset, block.size);
    }
}

}  // namespace stiction
