// max_dissipation_repair.cpp - an answer of phase II that does not keep its constraints: friction
// impulses are kept, normal and joint impulses solved for again without friction (link_qp.h),
// friction cut back where it then lies outside its cone, until all constraints hold.
#include "contact/routes/max_dissipation_phase_two.h"

namespace stiction {

namespace {

using Kind = RowSource::Kind;

constexpr int kRepairs = 20;
constexpr int kPileRepairs = 6, kRepairSweeps = 40;  // of large piles
constexpr double kPileCut = 0.2;
constexpr double kRepairSlack = 1e-7;  // relative, on cones and kappa
constexpr double kPileSlack = 1e-3;    // the same where normal impulses come from sweeps
constexpr double kCut = 0.999;         // of the cone, where friction is cut back

std::size_t at(int i) { return static_cast<std::size_t>(i); }
Eigen::Index place(std::size_t block) { return 3 * static_cast<Eigen::Index>(block); }

double friction_limit(const IslandTask& task, int contact, double c_n) {
    return task.problem.contacts[at(contact)].mu_c * c_n +
           task.workspace.max_dissipation.bound(contact);
}

// Velocity of the friction impulses of x alone, in v_rebound.
void friction_velocity(const IslandTask& task, const VecX& x) {
    RowBlocks& rows = task.workspace.cone.rows;
    rows.r = x;
    for (std::size_t b = 0; b < rows.blocks.size(); ++b) {
        auto r = rows.r.segment<3>(place(b));
        if (rows.blocks[b].contact == kNone) {
            r.setZero();
        } else {
            r[0] = 0;
        }
    }
    apply_row_impulses(task.problem, task.island, rows, task.shared.momentum,
                       task.shared.v_rebound);
}

}  // namespace

bool repair_phase_two(double kappa, const IslandTask& task) {
    const RowBlocks& blocks = task.workspace.cone.rows;
    VecX& x = task.workspace.max_dissipation.first_order.x;
    x = blocks.r;
    IslandRows& rows = task.workspace.rows;
    build_island_rows(task.problem, task.island, {}, rows);
    guess_row_states(task, task.shared.next_contacts, task.shared.next_joints, rows);
    const bool pile = is_large_pile(task);
    const double slack = pile ? kPileSlack : kRepairSlack;
    const int rounds = pile ? kPileRepairs : kRepairs;
    IslandTask normals = task;
    if (pile) {
        guess_impulses(task, rows);
        normals.max_iterations = kRepairSweeps;
    }
    for (int k = 0; k < rounds && !(k > 0 && task.deadline.passed()); ++k) {
        friction_velocity(task, x);
        const LinkQpResult qp =
            solve_normal_rows(normals, task.shared.v_rebound, rows, task.solution.v);
        const bool swept = qp.status == SolveStatus::kIterationLimit && pile;
        if (qp.status != SolveStatus::kSolved && !swept) return false;
        double sum = 0;
        for (std::size_t r = 0; r < rows.source.size(); ++r) {
            if (rows.source[r].kind != Kind::kNormal) continue;
            task.solution.c_n[at(rows.source[r].index)] = rows.c[r];
            sum += rows.c[r];
        }
        bool feasible = sum <= kappa * (1 + slack);
        const double scale = feasible ? 1.0 : pile ? kPileCut : 0.5;
        for (std::size_t b = 0; b < blocks.blocks.size(); ++b) {
            const int contact = blocks.blocks[b].contact;
            if (contact == kNone) continue;
            auto tangential = x.segment<2>(place(b) + 1);
            const double most = friction_limit(task, contact, task.solution.c_n[at(contact)]);
            const double size = tangential.norm();
            const bool inside = size <= most * (1 + slack);
            feasible = feasible && inside;
            tangential *= scale * (inside ? 1.0 : kCut * most / size);
        }
        if (!feasible) continue;
        clear_impulses(task);
        add_impulses(rows, task.solution);
        for (std::size_t b = 0; b < blocks.blocks.size(); ++b) {
            const int contact = blocks.blocks[b].contact;
            if (contact == kNone) continue;
            task.solution.c_s[at(contact)] = x[place(b) + 1];
            task.solution.c_t[at(contact)] = x[place(b) + 2];
        }
        return true;
    }
    return false;
}

}  // namespace stiction
