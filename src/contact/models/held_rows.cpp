// held_rows.cpp - tangential rows that nearly depend on one another, and how hard they may push.
#include "contact/models/held_rows.h"

#include <array>
#include <limits>
#include <utility>

#include "contact/island/safety.h"
#include "contact/models/held_contacts.h"

namespace stiction {

namespace {

constexpr double kLevel = 1e-8;        // gap over the link's length below which heights are equal
constexpr double kSameHeight = 1e-5;   // as FIND-INDICES: 1e-10 of the squared length of a row
constexpr double kMostFriction = 1.5;  // times most_needed(): levers between contacts

bool any_gap(const IslandTask& task, int begin, int end) {
    const IslandRows& rows = task.workspace.rows;
    for (int r = begin; r < end; ++r) {
        if (rows.source[at(r)].kind != RowSource::Kind::kS) continue;
        if (has_gap(task.problem, task.problem.contacts[at(rows.source[at(r)].index)])) return true;
    }
    return false;
}

// Tangential rows of one link that do not depend on one another, but for kSameHeight of their
// length: row_j = sum_k basis_k factor_kj.
struct IndependentRows {
    Mat6 basis = Mat6::Zero();
    Mat6 factor = Mat6::Identity();
    std::array<int, 6> row = {};
    int rank = 0;

    // Row r joins them (true), or depends on them: then `part` has its coordinates in the basis.
    bool take(int r, const Vec6& g, Vec6& part) {
        Vec6 rest = g;
        part.setZero();
        for (int pass = 0; pass < 2; ++pass) {
            const Vec6 more = basis.transpose() * rest;
            rest -= basis * more;
            part += more;
        }
        const double left = rest.norm();
        if (left <= kSameHeight * g.norm()) return false;
        basis.col(rank) = rest / left;
        part[rank] = left;
        factor.col(rank) = part;
        row[at(rank++)] = r;
        return true;
    }
};

template <typename Visit>
void for_each_tangential(const IslandRows& rows, int begin, int end, const Visit& visit) {
    for (int r = begin; r < end; ++r) {
        if (is_tangential(rows.source[at(r)])) visit(r);
    }
}

}  // namespace

bool has_gap(const ContactProblem& problem, const ContactRow& contact) {
    return contact.phi > kLevel * problem.system.links[at(contact.link)].length;
}

void level_tangential(const IslandTask& task) {
    IslandRows& rows = task.workspace.rows;
    for (std::size_t l = 0; l < rows.links.size(); ++l) {
        if (!any_gap(task, rows.begin[l], rows.begin[l + 1])) continue;
        IndependentRows independent;
        Vec6 part;
        for_each_tangential(rows, rows.begin[l], rows.begin[l + 1], [&](int r) {
            Vec6& g = rows.rows[at(r)].g;
            if (!independent.take(r, g, part)) g = independent.basis * part;
        });
    }
}

void shift_to_independent(const IslandTask& task) {
    IslandRows& rows = task.workspace.rows;
    for (std::size_t l = 0; l < rows.links.size(); ++l) {
        if (!any_gap(task, rows.begin[l], rows.begin[l + 1])) continue;
        IndependentRows independent;
        Vec6 part, sum = Vec6::Zero();
        for_each_tangential(rows, rows.begin[l], rows.begin[l + 1], [&](int r) {
            const Row& row = rows.rows[at(r)];
            if (row.lo == row.hi || independent.take(r, row.g, part)) return;
            sum += std::exchange(rows.c[at(r)], 0.0) * part;
        });
        independent.factor.triangularView<Eigen::Upper>().solveInPlace(sum);
        for (int k = 0; k < independent.rank; ++k) rows.c[at(independent.row[at(k)])] += sum[k];
    }
}

double most_friction(const IslandTask& task) {
    return is_pushed(task) ? std::numeric_limits<double>::infinity()
                           : kMostFriction * most_needed(task);
}

void bound_tangential(const IslandTask& task, double most) {
    IslandRows& rows = task.workspace.rows;
    for (std::size_t r = 0; r < rows.rows.size(); ++r) {
        if (!is_tangential(rows.source[r])) continue;
        const bool held = task.shared.tangential[at(rows.source[r].index)] != kAbsent;
        rows.rows[r].lo = held ? -most : 0.0;
        rows.rows[r].hi = held ? most : 0.0;
    }
}

}  // namespace stiction
