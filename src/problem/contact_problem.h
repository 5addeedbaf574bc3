// contact_problem.h - one step's contact problem: all that every contact model needs, nothing of
// rendering, files or collision detection. Rows act on link velocities u (problem/link_system.h);
// n, s, t of a contact form a right-handed frame, n points from B into A, and row velocities are
// those of A relative to B: the gap opens at rate n . u.
//
//   contacts   0 <= c_n  _|_  n.u+ + bias >= 0, friction along s and t
//   joints     g.u+ = bias                                     (J v+ = bJ)
//   limits     0 <= c    _|_  g.u+ + bias >= 0                 (L v+ + bL >= 0)
//   bounded    lo <= c <= hi,  g.u+ + compliance c = target unless c is at a bound
//
// Bounded rows are those of motors and joint friction.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/types.h"
#include "problem/contact_set.h"
#include "problem/link_system.h"

namespace stiction {

struct ContactRow {
    int link = kNone;
    Vec6 n = Vec6::Zero();
    Vec6 s = Vec6::Zero();
    Vec6 t = Vec6::Zero();
    double phi = 0;   // gap [m]
    double bias = 0;  // what it becomes at the velocity level [m/s]
    double mu_c = 0;  // Coulomb [-]
    double mu_v = 0;  // viscous [N s/m]
    double eps = 0;   // restitution [-]
    ContactKey key;
};

struct JointRow {
    int link = kNone;
    Vec6 g = Vec6::Zero();
    double bias = 0;   // wanted row velocity [m/s]; rotational rows carry the link's length
    double error = 0;  // position error g(q), same scaling [m]
    int joint = kNone;
};

struct LimitRow {
    int link = kNone;
    Vec6 g = Vec6::Zero();
    double phi = 0;   // distance to the limit, negative when past it [m, rotational: times length]
    double bias = 0;  // [m/s]
    int joint = kNone;
    bool upper = false;
};

struct BoundedRow {
    int link = kNone;
    Vec6 g = Vec6::Zero();
    double target = 0;      // [m/s]
    double compliance = 0;  // [1/kg]; a position drive taken implicitly is a soft row
    double lo = 0, hi = 0;  // of the impulse [N s]
    int joint = kNone;
    bool friction = false;  // joint friction, otherwise a motor
};

// Which rows belong to a link: half-open ranges into the row vectors.
struct LinkRows {
    int contact_begin = 0, contact_end = 0;
    int joint_begin = 0, joint_end = 0;
    int limit_begin = 0, limit_end = 0;
    int bounded_begin = 0, bounded_end = 0;
};

// A connected component over links: ranges into ContactProblem::island_links and island_blocks.
struct Island {
    int link_begin = 0, link_end = 0;
    int block_begin = 0, block_end = 0;
};

struct ContactProblem {
    double h = 0;           // step size [s]
    double gravity = 9.81;  // magnitude, scales thresholds [m/s^2]
    LinkSystem system;
    VecX v;       // at the start of the step
    VecX f;       // external force, gyroscopic term included
    VecX v_free;  // v + h M^-1 f
    std::vector<ContactRow> contacts;
    std::vector<JointRow> joints;
    std::vector<LimitRow> limits;
    std::vector<BoundedRow> bounded;
    std::vector<LinkRows> link_rows;  // per link
    std::vector<Island> islands;      // those with at least one link
    std::vector<int> island_links;
    std::vector<int> island_blocks;
    std::vector<int> block_place;  // per block its place in island_blocks, kNone without links
};

[[nodiscard]] inline std::span<const int> links_of(const ContactProblem& problem,
                                                   const Island& island) {
    return std::span<const int>(problem.island_links)
        .subspan(at(island.link_begin), at(island.link_end - island.link_begin));
}
[[nodiscard]] inline std::span<const int> blocks_of(const ContactProblem& problem,
                                                    const Island& island) {
    return std::span<const int>(problem.island_blocks)
        .subspan(at(island.block_begin), at(island.block_end - island.block_begin));
}

// A gap below this part of the link's length counts as touching: resting contacts have gaps of
// either sign and of the size of rounding and of the solver's tolerance.
inline constexpr double kTouching = 1e-5;
[[nodiscard]] inline bool touching(const ContactProblem& problem, const ContactRow& contact) {
    return contact.phi <= kTouching * problem.system.links[at(contact.link)].length;
}

// Dense matrices of the whole problem, for tests and small systems. Row offsets (N0 v0 ...) are
// what prescribed motion adds: the row velocity is N v + N0.
struct DenseProblem {
    MatX M, N, S, T, J, L, B;
    VecX N0, S0, T0, J0, L0, B0;
};
[[nodiscard]] DenseProblem dense(const ContactProblem& problem);

// Tangents s, t of a unit normal with (n, s, t) right-handed, a function of n alone.
void tangents(const Vec3& n, Vec3& s, Vec3& t);

// Finds the islands: links that share a block belong together. Blocks without links are in no
// island.
void find_islands(ContactProblem& problem, std::vector<int>& scratch);

}  // namespace stiction
