// island_rows.cpp - rows of one island in the order joints, tangents, normals, limits, bounded rows
// per link.
#include "contact/island/island_rows.h"

namespace stiction {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

inline QpRow& add_row(IslandRows& rows, RowSource::Kind kind, int index, const Vec6& g,
                      double target, RowState state) {
    rows.source.push_back({kind, index});
    rows.state.push_back(state);
    QpRow& row = rows.qp.rows.emplace_back();
    row.g = g;
    row.target = target;
    return row;
}

void add_link_rows(const ContactProblem& problem, const LinkRows& range, TangentialMask tangential,
                   IslandRows& rows) {
    using Kind = RowSource::Kind;
    for (int i = range.joint_begin; i < range.joint_end; ++i) {
        const JointRow& row = problem.joints[at(i)];
        add_row(rows, Kind::kJoint, i, row.g, row.bias, RowState::kFree);
    }
    for (int i = range.contact_begin; i < range.contact_end; ++i) {
        if (tangential.empty() || !tangential[at(i)]) continue;
        const ContactRow& contact = problem.contacts[at(i)];
        add_row(rows, Kind::kS, i, contact.s, 0, RowState::kFree);
        add_row(rows, Kind::kT, i, contact.t, 0, RowState::kFree);
    }
    for (int i = range.contact_begin; i < range.contact_end; ++i) {
        const ContactRow& contact = problem.contacts[at(i)];
        add_row(rows, Kind::kNormal, i, contact.n, -contact.bias, RowState::kLower).lo = 0;
    }
    for (int i = range.limit_begin; i < range.limit_end; ++i) {
        const LimitRow& limit = problem.limits[at(i)];
        add_row(rows, Kind::kLimit, i, limit.g, -limit.bias, RowState::kLower).lo = 0;
    }
    for (int i = range.bounded_begin; i < range.bounded_end; ++i) {
        const BoundedRow& bounded = problem.bounded[at(i)];
        QpRow& row = add_row(rows, Kind::kBounded, i, bounded.g, bounded.target, RowState::kFree);
        row.compliance = bounded.compliance;
        row.lo = bounded.lo;
        row.hi = bounded.hi;
    }
}

}  // namespace

void build_island_rows(const ContactProblem& problem, const Island& island,
                       TangentialMask tangential, IslandRows& rows) {
    const std::span<const int> links(problem.island_links);
    const std::span<const int> blocks(problem.island_blocks);
    rows.qp.links = links.subspan(at(island.link_begin), at(island.link_end - island.link_begin));
    rows.qp.blocks =
        blocks.subspan(at(island.block_begin), at(island.block_end - island.block_begin));
    rows.qp.rows.clear();
    rows.qp.row_begin.assign(1, 0);
    rows.source.clear();
    rows.state.clear();
    for (const int link : rows.qp.links) {
        add_link_rows(problem, problem.link_rows[at(link)], tangential, rows);
        rows.qp.row_begin.push_back(static_cast<int>(rows.qp.rows.size()));
    }
    rows.c.assign(rows.qp.rows.size(), 0.0);
}

void add_impulses(const IslandRows& rows, ContactSolution& solution) {
    for (std::size_t r = 0; r < rows.source.size(); ++r) {
        const std::size_t i = at(rows.source[r].index);
        switch (rows.source[r].kind) {
            case RowSource::Kind::kJoint:
                solution.c_j[i] += rows.c[r];
                break;
            case RowSource::Kind::kNormal:
                solution.c_n[i] += rows.c[r];
                break;
            case RowSource::Kind::kS:
                solution.c_s[i] += rows.c[r];
                break;
            case RowSource::Kind::kT:
                solution.c_t[i] += rows.c[r];
                break;
            case RowSource::Kind::kLimit:
                solution.c_l[i] += rows.c[r];
                break;
            case RowSource::Kind::kBounded:
                solution.c_b[i] += rows.c[r];
                break;
        }
    }
}

}  // namespace stiction
