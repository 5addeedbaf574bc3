// held_contacts.cpp - dropping and pinning.
#include "contact/models/held_contacts.h"

#include <algorithm>
#include <cmath>

#include "contact/island/row_states.h"
#include "contact/models/held_rows.h"
#include "problem/link_motion.h"

namespace stiction {

namespace {

constexpr double kStill = 1e-12;  // [m/s] no motion: rounding of the speeds of everyday things
constexpr double kRest = 1e-8;    // of the fastest link: what the no-slip solve rounds

// Drops the tangential rows of contacts that end apart: no impulse, and the gap opens.
bool drop_separating(const NoSlip& model, const IslandTask& task) {
    const IslandRows& rows = task.workspace.rows;
    const ContactProblem& problem = task.problem;
    bool dropped = false;
    for (std::size_t r = 0; r < rows.source.size(); ++r) {
        if (rows.source[r].kind != RowSource::Kind::kNormal || rows.state[r] == BoundState::kFree)
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
        task.shared.released[at(i)] = 1;
        dropped = true;
    }
    return dropped;
}

// Gives tangential rows to contacts that have come to press; for good if they had been dropped.
bool pin_pressing(const IslandTask& task, bool frictional_only) {
    IslandRows& rows = task.workspace.rows;
    const ContactProblem& problem = task.problem;
    bool pinned = false;
    for (std::size_t r = 0; r < rows.source.size(); ++r) {
        if (rows.source[r].kind != RowSource::Kind::kNormal || rows.c[r] <= 0) continue;
        const int i = rows.source[r].index;
        if (task.shared.tangential[at(i)] != kAbsent) continue;
        if (frictional_only && problem.contacts[at(i)].mu_c <= 0) continue;
        task.shared.tangential[at(i)] = task.shared.released[at(i)] != 0 ? kPinned : kDroppable;
        // The better guess across a gap: with its rows the contact did not close it before.
        if (has_gap(problem, problem.contacts[at(i)])) rows.state[r] = BoundState::kLower;
        pinned = true;
    }
    return pinned;
}

}  // namespace

// All contacts, where separating ones are released again, but of
// large piles those that pressed in the last step or are new and touch, half of all, since every
// further pass is dear; the paper's are those that touch.
void choose_tangential(const NoSlip& model, const IslandTask& task, bool frictional_only) {
    const bool pile = is_large_pile(task.size);
    for_each_contact(task, [&](int i) {
        const ContactRow& contact = task.problem.contacts[at(i)];
        const bool starts =
            !model.release_separating ? touching(task.problem, contact)
            : pile ? guess_presses(task.problem, task.shared.guess.bits[at(i)], contact)
                   : true;
        const bool held = starts && (!frictional_only || contact.mu_c > 0);
        task.shared.tangential[at(i)] = held ? kDroppable : kAbsent;
        task.shared.released[at(i)] = 0;
    });
}

// Each contact changes at most three times, so it ends.
bool revise_tangential(const NoSlip& model, const IslandTask& task, bool frictional_only) {
    const bool dropped = drop_separating(model, task);
    if (dropped && !is_large_pile(task.size)) return true;
    return pin_pressing(task, frictional_only) || dropped;
}

bool all_rest(const IslandTask& task) {
    const ContactProblem& problem = task.problem;
    double fastest = 0, slide = 0;
    for (const int l : links_of(task)) {
        const Link& link = problem.system.links[at(l)];
        const Vec6 u = link_velocity(problem.system, link, task.solution.v);
        const Vec6 free = link_velocity(problem.system, link, problem.v_free);
        fastest = std::max({fastest, u.lpNorm<Eigen::Infinity>(), free.lpNorm<Eigen::Infinity>()});
        const LinkRows& range = problem.link_rows[at(l)];
        for (int i = range.contact_begin; i < range.contact_end; ++i) {
            const ContactRow& contact = problem.contacts[at(i)];
            if (contact.mu_c <= 0 || task.solution.c_n[at(i)] <= 0) continue;
            const double speed = std::max(std::abs(contact.s.dot(u)), std::abs(contact.t.dot(u)));
            slide = std::max(slide, std::max(1.0, contact.mu_c) * speed);
        }
    }
    return slide <= kRest * fastest;
}

}  // namespace stiction
