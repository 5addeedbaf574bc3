// island_rows.h - the rows of one island as a LinkQp, with the way back from rows to contacts,
// joints and limits.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "contact/routes/link_qp.h"
#include "problem/contact_problem.h"
#include "problem/contact_solution.h"

namespace stiction {

struct RowSource {
    enum class Kind : std::uint8_t { kJoint, kNormal, kS, kT, kLimit, kBounded };
    Kind kind = Kind::kJoint;
    int index = 0;  // into ContactProblem::joints, contacts, limits or bounded
};

struct IslandRows {
    LinkQp qp;
    std::vector<RowSource> source;  // per row
    std::vector<RowState> state;    // per row
    std::vector<double> c;          // per row
};

// Which contacts have tangential rows (per contact of the problem; empty: none).
using TangentialMask = std::span<const char>;

// Rows of every link: joints, tangents, normals, limits, bounded rows. Equalities start free, the
// others at their lower bound; callers set what they know better.
void build_island_rows(const ContactProblem& problem, const Island& island,
                       TangentialMask tangential, IslandRows& rows);

// Adds the rows' impulses to the solution's (which the caller has set to zero).
void add_impulses(const IslandRows& rows, ContactSolution& solution);

}  // namespace stiction
