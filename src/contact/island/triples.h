// triples.h - the rows of an island in threes, as friction laws and the solvers of
// solve/cone/cone_problem.h take them: a triple per contact (n, s, t), and the joint, limit and
// bounded rows of a link in threes. Rows that only fill a triple do not exist; their impulse is 0.
//
//   u = G u_link + offset + compliance o r      per triple, u_link the velocity of its link
#pragma once

#include <array>
#include <vector>

#include "contact/island/island_rows.h"
#include "solve/cone/friction_law.h"

namespace stiction {

using Mat36 = Eigen::Matrix<double, 3, 6>;

struct Triple {
    int link = kNone;                                // of the system
    std::array<int, 3> row = {kNone, kNone, kNone};  // of the island's rows
    int contact = kNone;                             // of the problem; kNone: other rows
    bool cone = false;  // the model's friction law couples the rows; else each has its bounds
    double mu = 0;      // of that law
};

struct Triples {
    std::vector<Triple> all;  // by links, in the order of the island
    std::vector<int> links;   // of the system, those with triples
    std::vector<int> first;   // per such link its first triple; one more at the end
    VecX r;                   // 3 per triple, impulses [N s]
};

// How contacts with friction are to be understood.
struct ContactLaw {
    const FrictionDirections* polygon = nullptr;  // else the cone
    bool relaxed = false;                         // without mu |u_T|: maximal dissipation
    const VecX* offset = nullptr;                 // s of relaxed cones, per triple [N s]; null: 0
};

// With r = 0. Contacts with tangential rows obey a cone, those without are rows between bounds.
void build_triples(const ContactProblem& problem, const IslandRows& rows, Triples& triples);

// With every row between its bounds, no law coupling any; r from rows.c, clamped. And back: rows.c
// and rows.state from r.
void build_bounded_triples(const ContactProblem& problem, const IslandRows& rows, Triples& triples);
void take_bounded_triples(const Triples& triples, IslandRows& rows);
// r from rows.c, clamped, of triples that are there.
void clamp_bounded_triples(const IslandRows& rows, Triples& triples);

// What the three rows say; rows that do not exist say nothing.
[[nodiscard]] inline Mat36 jacobian(const IslandRows& rows, const Triple& triple) {
    Mat36 G;
    for (int k = 0; k < 3; ++k) {
        const int row = triple.row[at(k)];
        if (row != kNone) {
            G.row(k) = rows.rows[at(row)].g.transpose();
        } else {
            G.row(k).setZero();
        }
    }
    return G;
}
[[nodiscard]] Vec3 offset(const IslandRows& rows, const Triple& triple);      // [m/s]
[[nodiscard]] Vec3 compliance(const IslandRows& rows, const Triple& triple);  // [1/kg]
[[nodiscard]] Vec3 lower_bound(const IslandRows& rows, const Triple& triple);
[[nodiscard]] Vec3 upper_bound(const IslandRows& rows, const Triple& triple);

// rows.c from r.
void spread_impulses(const Triples& triples, IslandRows& rows);

}  // namespace stiction
