// sweep_system.h - one Gauss-Seidel sweep over the triples of an island (sweeps.h has the
// equations and what is made of many): what it reads, the sweep, and the residual of its outcome.
#pragma once

#include <vector>

#include "contact/island/triples.h"
#include "solve/cone/friction_law.h"

namespace stiction {

// What a visit of a contact reads: four cache lines.
struct alignas(64) SweepContact {
    Vec3 n, s, t;          // rows of D
    Vec3 p_a, p_b;         // from the centres of mass
    Vec3 offset;           // of u
    Vec3 W_n;              // first row of W
    Vec3 inverse, across;  // W^-1: its diagonal and entries 12, 13, 23; not a number: near-singular
    double inv_mass_a, inv_mass_b;        // 0: prescribed
    double inv_inertia_a, inv_inertia_b;  // < 0: see SweepWorkspace::inv_inertia
    double mu;
};
static_assert(sizeof(SweepContact) == 4 * 64);

// The part that only contacts at the bounds of their law need.
struct SweepLaw {
    Mat3 W;
    double lambda;  // of a sliding contact, for the next sweep (one_contact.h)
};

// A triple of rows between bounds.
struct SweepBounded {
    Mat3 D, A_a, A_b;
    Mat3 P_a, P_b;  // I^-1 A'
    Vec3 offset, compliance;
    Vec3 lo, hi;   // [N s]
    Mat3 inverse;  // W^-1 (one_contact.h), made at the first visit
    bool inverted;
    double inv_mass_a, inv_mass_b;  // 0: prescribed
};

struct SweepPlace {
    double weight;     // tr W / 3, or 1
    int a, b;          // bodies of the island; one past the last for all prescribed ones
    int bounded;       // place in SweepWorkspace::bounded; kNone: a contact
    bool normal_only;  // a contact without friction
};

struct SweepSystem {
    const FrictionDirections* polygon = nullptr;  // else the cone
    std::vector<SweepPlace> places;               // per triple, as the next two
    std::vector<SweepContact> contacts;           // of bounded triples not used
    std::vector<SweepLaw> laws;
    std::vector<SweepBounded> bounded;
    std::vector<Mat3> inv_inertia;  // per body
    VecX v;             // of the island's bodies, then six zeros for all prescribed ones
    VecX v_from;        // of no impulses, as v
    double q_norm = 0;  // of all triples' u at v_from
};

// From the velocities v_from of no impulses and v of triples.r.
void prepare_sweeps(const ContactProblem& problem, const Island& island, const IslandRows& rows,
                    const Triples& triples, const FrictionDirections* polygon, const VecX& v_from,
                    const VecX& v, SweepSystem& sweeps);
// Its velocities into those of the whole problem.
void take_velocities(const ContactProblem& problem, const Island& island, const SweepSystem& sweeps,
                     VecX& v);

// The impulses of triple b under its law while the others stand, and what makes them so: velocities
// follow; returns |weight dr|^2.
[[nodiscard]] Vec3 solve_triple(const Triples& triples, std::size_t b, SweepSystem& sweeps);
double set_triple(std::size_t b, const Vec3& now, SweepSystem& sweeps, Triples& triples);

// One sweep over all triples; returns |weight dr|.
double sweep_once(SweepSystem& sweeps, Triples& triples);

// The worse of the two residuals of cone_problem.h.
[[nodiscard]] double measure_sweeps(const SweepSystem& sweeps, const Triples& triples);

}  // namespace stiction
