// triples.cpp - which rows belong together.
#include "contact/island/triples.h"

#include <algorithm>

namespace stiction {

namespace {

using Kind = RowSource::Kind;

template <typename Value>
Vec3 gather(const Triple& triple, const Value& value) {
    Vec3 x = Vec3::Zero();
    for (int k = 0; k < 3; ++k) {
        if (triple.row[at(k)] != kNone) x[k] = value(at(triple.row[at(k)]));
    }
    return x;
}

// Tangential rows of a link stand before its normals, in the same order of contacts.
void add_contacts(const ContactProblem& problem, const IslandRows& rows, int link, int begin,
                  int end, Triples& triples) {
    int tangential = begin;
    while (tangential < end && !is_of_contact(rows.source[at(tangential)])) ++tangential;
    for (int r = tangential; r < end; ++r) {
        const RowSource& source = rows.source[at(r)];
        if (source.kind != Kind::kNormal) continue;
        Triple& triple = triples.all.emplace_back();
        triple.link = link;
        triple.contact = source.index;
        triple.row[0] = r;
        const RowSource& next = rows.source[at(tangential)];
        if (next.kind != Kind::kS || next.index != source.index) continue;
        triple.row[1] = tangential++;
        triple.row[2] = tangential++;
        triple.cone = true;
        triple.mu = problem.contacts[at(source.index)].mu_c;
    }
}

void add_others(const IslandRows& rows, int link, int begin, int end, Triples& triples) {
    std::size_t used = 3;
    for (int r = begin; r < end; ++r) {
        if (is_of_contact(rows.source[at(r)])) continue;
        if (used == 3) {
            triples.all.emplace_back().link = link;
            used = 0;
        }
        triples.all.back().row[used++] = r;
    }
}

}  // namespace

void build_triples(const ContactProblem& problem, const IslandRows& rows, Triples& triples) {
    triples.all.clear();
    triples.links.clear();
    triples.first.clear();
    for (std::size_t l = 0; l < rows.links.size(); ++l) {
        const std::size_t before = triples.all.size();
        add_contacts(problem, rows, rows.links[l], rows.begin[l], rows.begin[l + 1], triples);
        add_others(rows, rows.links[l], rows.begin[l], rows.begin[l + 1], triples);
        if (triples.all.size() == before) continue;
        triples.links.push_back(rows.links[l]);
        triples.first.push_back(static_cast<int>(before));
    }
    triples.first.push_back(static_cast<int>(triples.all.size()));
    triples.r.setZero(3 * static_cast<Eigen::Index>(triples.all.size()));
}

void build_bounded_triples(const ContactProblem& problem, const IslandRows& rows,
                           Triples& triples) {
    build_triples(problem, rows, triples);
    for (Triple& triple : triples.all) triple.cone = false;
    clamp_bounded_triples(rows, triples);
}

void clamp_bounded_triples(const IslandRows& rows, Triples& triples) {
    for (std::size_t a = 0; a < triples.all.size(); ++a) {
        for (std::size_t k = 0; k < 3; ++k) {
            const int r = triples.all[a].row[k];
            if (r != kNone)
                triples.r[static_cast<Eigen::Index>(3 * a + k)] =
                    std::clamp(rows.c[at(r)], rows.rows[at(r)].lo, rows.rows[at(r)].hi);
        }
    }
}

void take_bounded_triples(const Triples& triples, IslandRows& rows) {
    spread_impulses(triples, rows);
    for (std::size_t r = 0; r < rows.rows.size(); ++r) {
        rows.state[r] = rows.c[r] <= rows.rows[r].lo   ? BoundState::kLower
                        : rows.c[r] >= rows.rows[r].hi ? BoundState::kUpper
                                                       : BoundState::kFree;
    }
}

Vec3 offset(const IslandRows& rows, const Triple& triple) {
    return gather(triple, [&](std::size_t r) { return 0.0 - rows.rows[r].target; });
}

Vec3 compliance(const IslandRows& rows, const Triple& triple) {
    Vec3 x = gather(triple, [&](std::size_t r) { return rows.rows[r].compliance; });
    for (int k = 0; k < 3; ++k) {
        if (triple.row[at(k)] == kNone) x[k] = rows.filler;
    }
    return x;
}

Vec3 lower_bound(const IslandRows& rows, const Triple& triple) {
    return gather(triple, [&](std::size_t r) { return rows.rows[r].lo; });
}

Vec3 upper_bound(const IslandRows& rows, const Triple& triple) {
    return gather(triple, [&](std::size_t r) { return rows.rows[r].hi; });
}

void spread_impulses(const Triples& triples, IslandRows& rows) {
    for (std::size_t a = 0; a < triples.all.size(); ++a) {
        for (std::size_t k = 0; k < 3; ++k) {
            const int row = triples.all[a].row[k];
            if (row != kNone) rows.c[at(row)] = triples.r[static_cast<Eigen::Index>(3 * a + k)];
        }
    }
}

}  // namespace stiction
