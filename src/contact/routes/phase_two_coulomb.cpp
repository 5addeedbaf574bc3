// phase_two_coulomb.cpp - phase II from a Coulomb solution: where that meets its conditions,
// nothing more is to be solved.
#include <algorithm>
#include <cmath>

#include "contact/island/operators.h"
#include "contact/models/solve_island.h"
#include "contact/routes/coupled.h"
#include "contact/routes/ladder.h"
#include "contact/routes/phase_two.h"
#include "problem/link_motion.h"

namespace stiction {

namespace {

constexpr double kCertificate = 1e-8;     // residual of phase II that the Coulomb solution may have
constexpr double kSweepTolerance = 1e-9;  // of that solution: ten times less

// One contact of the solution: impulse, velocity with bias, and tr W_aa / 3.
struct ContactPoint {
    Vec3 c, u;
    double weight;
};
ContactPoint contact_point(const IslandTask& task, int i, const Mat6& D, const Vec6& u) {
    const ContactRow& contact = task.problem.contacts[at(i)];
    const ContactSolution& solution = task.solution;
    const double trace =
        contact.n.dot(D * contact.n) + contact.s.dot(D * contact.s) + contact.t.dot(D * contact.t);
    return {Vec3(solution.c_n[at(i)], solution.c_s[at(i)], solution.c_t[at(i)]),
            Vec3(contact.n.dot(u) + contact.bias, contact.s.dot(u), contact.t.dot(u)),
            trace > 0 ? trace / 3 : 1.0};
}

template <typename Act>
void for_each_point(const IslandTask& task, const Act& act) {
    const ContactProblem& problem = task.problem;
    for (const int l : links_of(task)) {
        const LinkRows& range = problem.link_rows[at(l)];
        if (range.contact_begin == range.contact_end) continue;
        const Link& link = problem.system.links[at(l)];
        const Mat6 D = delassus_block(problem.system, link, link);
        const Vec6 u = link_velocity(problem.system, link, task.solution.v);
        for (int i = range.contact_begin; i < range.contact_end; ++i)
            act(problem.contacts[at(i)], contact_point(task, i, D, u));
    }
}

// Residual of the conditions of phase II at the solution, a Coulomb solution, with lambda = 0 and
// the least nu that leaves no contact outside its dual cone:
//   u + nu e_N in K*,  c . (u + nu e_N) = 0,  nu >= 0,  sum of c_n <= kappa, = kappa if nu > 0.
double certificate(const IslandTask& task) {
    const ContactProblem& problem = task.problem;
    const double kappa = task.workspace.phase_two().kappa;
    double nu = 0, sum = 0, size = 0, weight = 0, error = 0;
    for_each_point(task, [&](const ContactRow& contact, const ContactPoint& point) {
        nu = std::max(nu, contact.mu_c * point.u.tail<2>().norm() - point.u[0]);
        sum += point.c[0];
        weight += point.weight;
        const Vec6 u =
            link_velocity(problem.system, problem.system.links[at(contact.link)], problem.v_free);
        size += std::pow(contact.n.dot(u) + contact.bias, 2) + std::pow(contact.s.dot(u), 2) +
                std::pow(contact.t.dot(u), 2);
    });
    for_each_point(task, [&](const ContactRow& contact, const ContactPoint& point) {
        const Vec3 x = point.weight * point.c;
        const Vec3 u = point.u + Vec3(nu, 0, 0);
        error += (x - project_on_cone(contact.mu_c, x - u)).squaredNorm();
        error += std::pow(std::min(point.u[0], 0.0), 2);
    });
    weight /= std::max(task.size.contacts, 1);
    // The sum may be short of kappa only by as much as nu is zero.
    const double sum_error =
        sum > kappa ? weight * (sum - kappa) : std::min(weight * (kappa - sum), nu);
    return std::sqrt(error + sum_error * sum_error) / (size > 0 ? std::sqrt(size) : 1.0);
}

// What was found, where it is an answer of phase II; else the solution is phase I's again.
IslandResult accept(const IslandTask& task, IslandResult found) {
    const double residual = certificate(task);
    if (found.status == SolveStatus::kSolved && residual <= kCertificate) {
        found.residual = std::max(found.residual, residual);
        found.fallback = false;
        return found;
    }
    (void)restore_phase_one(task);
    IslandResult none = no_answer();
    none.iterations = found.iterations;
    none.pivots = found.pivots;
    return none;
}

}  // namespace

IslandResult try_sticking(const IslandTask& task) {
    clear_impulses(task);
    IslandResult stuck = solve_sticking(NoSlip{}, task, true);
    stuck.solver = "stick";
    return accept(task, stuck);
}

IslandResult try_sweeps(const IslandTask& task) {
    build_warm_triples(task);
    IslandTask swept = task;
    swept.stop.tolerance = kSweepTolerance;
    return accept(task, sweep_triples(swept, false));
}

IslandResult restore_phase_one(const IslandTask& task) {
    IslandRows& rows = task.workspace.rows;
    build_rows(task, {});
    rows.c = task.workspace.phase_two().c_one;
    set_impulses(task, rows);
    copy_velocity(task.problem.system, blocks_of(task), task.shared.v_plus, task.solution.v);
    IslandResult result;
    result.solver = "phase_one";
    result.status = SolveStatus::kIterationLimit;  // of phase II
    result.residual = task.workspace.phase_two().residual_one;
    return result;
}

}  // namespace stiction
