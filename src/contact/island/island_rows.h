// island_rows.h - the rows of one island, all of one kind: contacts, joints, limits, motors, joint
// friction. Every route works on them; the position projection too, with lengths for velocities.
//
//   w = g . u - target + compliance c,       u: velocity of the row's link (problem/link_system.h)
//   lo < c < hi : w = 0,     c = lo : w >= 0,     c = hi : w <= 0
//
// An equality has no bounds, a contact normal lo = 0, a motor both. Where a friction law couples
// the three rows of a contact, triples.h says so.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "problem/contact_problem.h"
#include "problem/contact_solution.h"
#include "solve/lcp/box_lcp.h"

namespace stiction {

struct Row {
    Vec6 g = Vec6::Zero();
    double target = 0;                                     // [m/s]
    double compliance = 0;                                 // [1/kg]
    double lo = -std::numeric_limits<double>::infinity();  // [N s]
    double hi = std::numeric_limits<double>::infinity();   // [N s]
};

[[nodiscard]] inline bool is_equality(const Row& row) {
    return row.lo == -std::numeric_limits<double>::infinity() &&
           row.hi == std::numeric_limits<double>::infinity();
}

// What a row stands for.
struct RowSource {
    enum class Kind : std::uint8_t { kJoint, kNormal, kS, kT, kLimit, kBounded };
    Kind kind = Kind::kJoint;
    int index = 0;  // into ContactProblem::joints, contacts, limits or bounded
};

[[nodiscard]] inline bool is_tangential(const RowSource& source) {
    return source.kind == RowSource::Kind::kS || source.kind == RowSource::Kind::kT;
}
[[nodiscard]] inline bool is_of_contact(const RowSource& source) {
    return source.kind == RowSource::Kind::kNormal || is_tangential(source);
}

struct IslandRows {
    std::span<const int> links;   // of the system
    std::span<const int> blocks;  // of the system, all that these links touch
    std::vector<int> begin;       // rows of links[l] are rows[begin[l] .. begin[l + 1])
    std::vector<Row> rows;
    std::vector<RowSource> source;  // per row, as the next two
    std::vector<BoundState> state;  // guess and answer of methods that pivot
    std::vector<double> c;          // impulses [N s]
    double filler = 0;  // compliance of a row that only fills a triple (triples.h) [1/kg]
};

// May change bounds of rows once these are solved: rows.c, rows.state and the island's v are then the
// answer's. No row comes or goes.
class RowRevision {
  public:
    virtual ~RowRevision() = default;
    virtual bool revise() = 0;  // whether bounds changed
};

// Which rows an island has.
struct RowChoice {
    std::span<const char> tangential = {};  // per contact of the problem; empty: none
    bool all_tangential = false;
    bool bounded = true;  // motors and joint friction
};

// Rows of every link: joints, tangents, normals, limits, bounded rows. Equalities start free, the
// others at their lower bound, impulses at zero; callers set what they know better.
void build_island_rows(const ContactProblem& problem, const Island& island, const RowChoice& choice,
                       IslandRows& rows);

// A row's impulse in a solution.
[[nodiscard]] double impulse_of(const RowSource& source, const ContactSolution& solution);

// Adds rows.c to the solution's impulses.
void add_impulses(const IslandRows& rows, ContactSolution& solution);

}  // namespace stiction
