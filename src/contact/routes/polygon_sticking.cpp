// polygon_sticking.cpp - the short cut of coulomb_lcp: if nothing has to slide, the no-slip answer
// solves the LCP.
#include <Eigen/Cholesky>
#include <algorithm>

#include "contact/models/held_contacts.h"
#include "contact/models/solve_island.h"
#include "contact/routes/ladder.h"
#include "contact/routes/polygon_lcp.h"

namespace stiction {

namespace {

// Least sum of beta >= 0 with sum of beta_d d = c: the force lies between two neighbouring
// directions, and the edge between them has its normal at the half angle.
double polygon_gauge(const FrictionDirections& directions, const Eigen::Vector2d& c) {
    double gauge = 0;
    for (std::size_t d = 0; d < directions.size(); ++d) {
        const Eigen::Vector2d edge_normal =
            directions[d] + directions[d + 1 < directions.size() ? d + 1 : 0];
        gauge = std::max(gauge, edge_normal.dot(c) / edge_normal.dot(directions[d]));
    }
    return gauge;
}

bool inside_polygon(const FrictionDirections& directions, const IslandTask& task, int i) {
    return polygon_gauge(directions, {task.solution.c_s[at(i)], task.solution.c_t[at(i)]}) <=
           task.problem.contacts[at(i)].mu_c * task.solution.c_n[at(i)];
}

// Friction of a link's contacts shared out anew, in proportion to what each can bear: among all
// c_s, c_t with the same total on the link, those of least sum of (c_s^2 + c_t^2) / (mu c_n). The
// velocity stays, it knows the total only. False when the totals do not agree (contacts without
// normal impulse would be needed).
bool share_friction(const IslandTask& task, const LinkRows& range) {
    constexpr double kSameTotal = 1e-12;  // relative: rounding of a solve with K
    Vec6 F = Vec6::Zero();
    Mat6 K = Mat6::Zero();
    for (int i = range.contact_begin; i < range.contact_end; ++i) {
        const ContactRow& contact = task.problem.contacts[at(i)];
        const double weight = contact.mu_c * task.solution.c_n[at(i)];
        F += task.solution.c_s[at(i)] * contact.s + task.solution.c_t[at(i)] * contact.t;
        K += weight * (contact.s * contact.s.transpose() + contact.t * contact.t.transpose());
    }
    const Vec6 y = K.ldlt().solve(F);
    if ((K * y - F).norm() > kSameTotal * F.norm()) return false;
    for (int i = range.contact_begin; i < range.contact_end; ++i) {
        const ContactRow& contact = task.problem.contacts[at(i)];
        const double weight = contact.mu_c * task.solution.c_n[at(i)];
        task.solution.c_s[at(i)] = weight * contact.s.dot(y);
        task.solution.c_t[at(i)] = weight * contact.t.dot(y);
    }
    return true;
}

// Every contact of the link inside its polygon, and none that presses without having been held.
bool link_sticks(const FrictionDirections& directions, const IslandTask& task,
                 const LinkRows& range) {
    bool shared = false;
    for (int i = range.contact_begin; i < range.contact_end; ++i) {
        if (task.problem.contacts[at(i)].mu_c <= 0) continue;
        if (!task.shared.tangential[at(i)] && task.solution.c_n[at(i)] > 0) return false;
        if (inside_polygon(directions, task, i)) continue;
        if (shared || !share_friction(task, range)) return false;
        shared = true;
        i = range.contact_begin - 1;  // look at all of the link's contacts again
    }
    return true;
}

// What the no-slip solve left for the next step serves it only where it is the answer, and only at
// contacts.
void mark_guess(const IslandTask& task, bool holds) {
    const ContactProblem& problem = task.problem;
    for_each_contact(task, [&](int i) {
        std::uint64_t& bits = task.shared.next_contacts[at(i)];
        bits = holds ? bits | kStuck : kNoGuess;
    });
    for (const int l : links_of(task)) {
        const LinkRows& range = problem.link_rows[at(l)];
        for (int i = range.limit_begin; i < range.limit_end; ++i)
            task.shared.next_joints[at(problem.limits[at(i)].joint)] = kNoGuess;
        for (int i = range.bounded_begin; i < range.bounded_end; ++i)
            task.shared.next_joints[at(problem.bounded[at(i)].joint)] = kNoGuess;
    }
}

}  // namespace

IslandResult stick_on_polygons(const IslandTask& task) {
    const FrictionDirections& directions = task.workspace.polygon().directions;
    IslandResult result = solve_sticking(NoSlip{}, task, true);
    result.solver = "stick";
    bool holds = result.status == SolveStatus::kSolved && all_rest(task);
    for (const int l : links_of(task))
        holds = holds && link_sticks(directions, task, task.problem.link_rows[at(l)]);
    mark_guess(task, holds);
    if (holds) return result;
    clear_impulses(task);
    result.status = SolveStatus::kIterationLimit;
    result.residual = no_answer().residual;
    result.fallback = false;
    return result;
}

}  // namespace stiction
