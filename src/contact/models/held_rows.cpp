// held_rows.cpp - tangential rows that nearly depend on one another, and how hard they may push.
#include "contact/models/held_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "contact/island/safety.h"
#include "contact/models/held_contacts.h"

namespace stiction {

namespace {

constexpr double kLevel = 1e-8;        // gap over the link's length below which heights are equal
constexpr double kSameHeight = 1e-5;   // as FIND-INDICES: 1e-10 of the squared length of a row
constexpr double kMostFriction = 1.5;  // times what there is to transmit: levers between contacts
constexpr double kRaise = 10;          // of the bound, over that: few solves find what is enough

bool any_gap(const IslandTask& task, int begin, int end) {
    const IslandRows& rows = task.workspace.rows;
    for (int r = begin; r < end; ++r) {
        if (rows.source[at(r)].kind != RowSource::Kind::kS) continue;
        if (has_gap(task.problem, task.problem.contacts[at(rows.source[at(r)].index)])) return true;
    }
    return false;
}

// Swaps the independent rows to the front by Gram-Schmidt, and counts them.
std::size_t put_independent_first(std::vector<HeldRow>& held) {
    std::size_t rank = 0;
    while (rank < std::min<std::size_t>(6, held.size())) {
        const auto most = std::max_element(held.begin() + static_cast<std::ptrdiff_t>(rank),
                                           held.end(), [](const HeldRow& a, const HeldRow& b) {
                                               return a.rest.squaredNorm() < b.rest.squaredNorm();
                                           });
        if (most->rest.squaredNorm() <= most->least) break;
        std::swap(held[rank], *most);
        Vec6 y = held[rank].rest;
        for (std::size_t k = 0; k < rank; ++k)  // once more: rounding grew as the rest shrank
            y -= held[k].rest.dot(y) * held[k].rest;
        held[rank].rest = y.normalized();
        for (std::size_t k = rank + 1; k < held.size(); ++k)
            held[k].rest -= held[rank].rest.dot(held[k].rest) * held[rank].rest;
        ++rank;
    }
    return rank;
}

template <typename Visit>
void for_each_tangential(const IslandRows& rows, int begin, int end, const Visit& visit) {
    for (int r = begin; r < end; ++r) {
        if (is_tangential(rows.source[at(r)])) visit(r);
    }
}

void set_bounds(IslandRows& rows, int r, double most) {
    rows.rows[at(r)].lo = -most;
    rows.rows[at(r)].hi = most;
    if (most == 0) rows.state[at(r)] = BoundState::kLower;
}

// Of a link's rows that are held those that do not depend on one another but for kSameHeight of their
// length: the row of which most is left comes first, so that it has the longest levers. They push in
// place of the others too.
void keep_independent(IslandRows& rows, int begin, int end, double most,
                      std::vector<HeldRow>& held) {
    held.clear();
    for_each_tangential(rows, begin, end, [&](int r) {
        const Row& row = rows.rows[at(r)];
        if (row.hi > 0) held.push_back({r, row.g, kSameHeight * kSameHeight * row.g.squaredNorm()});
    });
    const std::size_t rank = put_independent_first(held);
    const double more = most * static_cast<double>(held.size()) / static_cast<double>(rank);
    for (std::size_t k = 0; k < held.size(); ++k)
        set_bounds(rows, held[k].row, k < rank ? more : 0.0);
}

}  // namespace

bool has_gap(const ContactProblem& problem, const ContactRow& contact) {
    return contact.phi > kLevel * problem.system.links[at(contact.link)].length;
}

double most_friction(const IslandTask& task) {
    return is_pushed(task) ? std::numeric_limits<double>::infinity()
                           : kMostFriction * most_needed(task);
}

void bound_tangential(const IslandTask& task, double most) {
    IslandRows& rows = task.workspace.rows;
    for (std::size_t l = 0; l < rows.links.size(); ++l) {
        const int begin = rows.begin[l], end = rows.begin[l + 1];
        for_each_tangential(rows, begin, end, [&](int r) {
            const bool held = task.shared.tangential[at(rows.source[at(r)].index)] != kAbsent;
            set_bounds(rows, r, held ? most : 0.0);
        });
        if (any_gap(task, begin, end))
            keep_independent(rows, begin, end, most, task.workspace.held);
    }
}

double more_friction(const IslandTask& task, double most) {
    const IslandRows& rows = task.workspace.rows;
    bool reached = false;
    double other = 0;
    for (std::size_t r = 0; r < rows.rows.size(); ++r) {
        const double c = std::abs(rows.c[r]);
        if (!is_tangential(rows.source[r])) {
            other = std::max(other, c);
        } else {
            reached = reached || (c > 0 && c >= rows.rows[r].hi);
        }
    }
    return reached && kMostFriction * other > most ? kRaise * kMostFriction * other : 0.0;
}

}  // namespace stiction
