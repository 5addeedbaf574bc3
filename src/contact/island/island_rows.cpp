// island_rows.cpp - rows of one island in the order joints, tangents, normals, limits, bounded rows
// per link.
#include "contact/island/island_rows.h"

namespace stiction {

namespace {

using Kind = RowSource::Kind;

inline Row& add_row(IslandRows& rows, Kind kind, int index, const Vec6& g, double target,
                    BoundState state) {
    rows.source.push_back({kind, index});
    rows.state.push_back(state);
    Row& row = rows.rows.emplace_back();
    row.g = g;
    row.target = target;
    return row;
}

void add_contacts(const ContactProblem& problem, const LinkRows& range, const RowChoice& choice,
                  IslandRows& rows) {
    for (int i = range.contact_begin; i < range.contact_end; ++i) {
        if (!choice.all_tangential && (choice.tangential.empty() || !choice.tangential[at(i)]))
            continue;
        const ContactRow& contact = problem.contacts[at(i)];
        add_row(rows, Kind::kS, i, contact.s, 0, BoundState::kFree);
        add_row(rows, Kind::kT, i, contact.t, 0, BoundState::kFree);
    }
    for (int i = range.contact_begin; i < range.contact_end; ++i) {
        const ContactRow& contact = problem.contacts[at(i)];
        add_row(rows, Kind::kNormal, i, contact.n, -contact.bias, BoundState::kLower).lo = 0;
    }
}

void add_link(const ContactProblem& problem, const LinkRows& range, const RowChoice& choice,
              IslandRows& rows) {
    for (int i = range.joint_begin; i < range.joint_end; ++i) {
        const JointRow& row = problem.joints[at(i)];
        add_row(rows, Kind::kJoint, i, row.g, row.bias, BoundState::kFree);
    }
    add_contacts(problem, range, choice, rows);
    for (int i = range.limit_begin; i < range.limit_end; ++i) {
        const LimitRow& limit = problem.limits[at(i)];
        add_row(rows, Kind::kLimit, i, limit.g, -limit.bias, BoundState::kLower).lo = 0;
    }
    if (!choice.bounded) return;
    for (int i = range.bounded_begin; i < range.bounded_end; ++i) {
        const BoundedRow& bounded = problem.bounded[at(i)];
        Row& row = add_row(rows, Kind::kBounded, i, bounded.g, bounded.target, BoundState::kFree);
        row.compliance = bounded.compliance;
        row.lo = bounded.lo;
        row.hi = bounded.hi;
    }
}

}  // namespace

void build_island_rows(const ContactProblem& problem, const Island& island, const RowChoice& choice,
                       IslandRows& rows) {
    rows.links = links_of(problem, island);
    rows.blocks = blocks_of(problem, island);
    rows.rows.clear();
    rows.source.clear();
    rows.state.clear();
    rows.begin.assign(1, 0);
    for (const int link : rows.links) {
        add_link(problem, problem.link_rows[at(link)], choice, rows);
        rows.begin.push_back(static_cast<int>(rows.rows.size()));
    }
    rows.c.assign(rows.rows.size(), 0.0);
    rows.filler = 0;
}

namespace {

// Works on a solution that is constant or not.
template <typename Solution>
auto& find_impulse(const RowSource& source, Solution& solution) {
    const std::size_t i = at(source.index);
    switch (source.kind) {
        case Kind::kJoint:
            return solution.c_j[i];
        case Kind::kNormal:
            return solution.c_n[i];
        case Kind::kS:
            return solution.c_s[i];
        case Kind::kT:
            return solution.c_t[i];
        case Kind::kLimit:
            return solution.c_l[i];
        case Kind::kBounded:
            break;
    }
    return solution.c_b[i];
}

}  // namespace

double impulse_of(const RowSource& source, const ContactSolution& solution) {
    return find_impulse(source, solution);
}

void add_impulses(const IslandRows& rows, ContactSolution& solution) {
    for (std::size_t r = 0; r < rows.source.size(); ++r)
        find_impulse(rows.source[r], solution) += rows.c[r];
}

}  // namespace stiction
