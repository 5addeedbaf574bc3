// coulomb_sticking.cpp - the short cut of coulomb_lcp: if nothing has to slide, the no-slip answer
// solves the LCP. In: the rows of one island. Out: its velocities and impulses, if every impulse
// lies inside its friction polygon.
#include <Eigen/Cholesky>

#include "contact/routes/friction_polygon.h"
#include "contact/solve_contact.h"

namespace stiction {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

bool inside_polygon(const FrictionPolygon& polygon, const IslandTask& task, int i) {
    return polygon_gauge(polygon, task.solution.c_s[at(i)], task.solution.c_t[at(i)]) <=
           task.problem.contacts[at(i)].mu_c * task.solution.c_n[at(i)];
}

// Friction of a link's contacts shared out anew, in proportion to what each can bear: among all
// c_s, c_t with the same total on the link, those of least sum of (c_s^2 + c_t^2) / (mu c_n). The
// velocity stays, it knows the total only. False when the totals do not agree (contacts without
// normal impulse would be needed).
bool share_friction(const IslandTask& task, const LinkRows& range) {
    constexpr double kSameTotal = 1e-12;
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

// Every contact inside its friction polygon, and none that presses without having been held.
bool all_stick(const CoulombLcp& model, const IslandTask& task) {
    const FrictionPolygon polygon(model.sides);
    for (const int l : links_of(task)) {
        const LinkRows& range = task.problem.link_rows[at(l)];
        bool shared = false;
        for (int i = range.contact_begin; i < range.contact_end; ++i) {
            if (task.problem.contacts[at(i)].mu_c <= 0) continue;
            if (!task.shared.tangential[at(i)] && task.solution.c_n[at(i)] > 0) return false;
            if (inside_polygon(polygon, task, i)) continue;
            if (shared || !share_friction(task, range)) return false;
            shared = true;
            i = range.contact_begin - 1;  // look at all of the link's contacts again
        }
    }
    return true;
}

}  // namespace

// With lambda = 0 and beta from the polygon the no-slip answer meets all conditions of the LCP.
// Where the LCP has several solutions (large mu) this is the one without slip. True when it holds;
// otherwise the island is as before.
bool try_sticking(const CoulombLcp& model, const IslandTask& task, IslandResult& result) {
    NoSlip stick;
    stick.solver = NoSlipSolver::kSparsePpm;  // its limit is the task's
    result = solve_sticking(stick, task, true);
    result.solver = "stick";
    const bool holds = result.status == SolveStatus::kSolved && all_stick(model, task);
    for (const int l : links_of(task)) {
        const LinkRows& range = task.problem.link_rows[at(l)];
        for (int i = range.contact_begin; i < range.contact_end; ++i) {
            std::uint64_t& bits = task.shared.next_contacts[at(i)];
            bits = holds ? bits | kStuck : kNoGuess;
        }
        for (int i = range.limit_begin; i < range.limit_end; ++i) {
            task.shared.next_joints[at(task.problem.limits[at(i)].joint)] = kNoGuess;
        }
        for (int i = range.bounded_begin; i < range.bounded_end; ++i) {
            task.shared.next_joints[at(task.problem.bounded[at(i)].joint)] = kNoGuess;
        }
    }
    if (!holds) clear_impulses(task);
    return holds;
}

}  // namespace stiction
