// sweep_system.h - one Gauss-Seidel sweep over the triples of an island (sweeps.h has the
// equations and what is made of many): what it reads, the sweep, and the residual of its outcome.
//
// A small island is swept triple by triple in the order of its links. In a larger one contacts are
// coloured: those of a colour share no body and are solved 2, 4 or 8 at a time (wide/), colour
// after colour; what is no contact and what found no colour (single bodies with more than
// kMaxColours contacts, colours of a few) comes last, one by one. The order hangs on the problem
// alone, and so do the bits.
#pragma once

#include <vector>

#include "contact/island/triples.h"
#include "contact/routes/wide/wide_sweeps.h"
#include "solve/cone/friction_law.h"

namespace stiction {

// The part that only contacts at the bounds of their law need.
struct SweepLaw {
    Mat3 W;
    double lambda;  // of a sliding contact, for the next sweep (one_contact.h)
    double s;       // of a relaxed cone
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
    int triple;        // which it is
    int a, b;          // bodies of the island; one past the last for all prescribed ones
    int bounded;       // place in SweepWorkspace::bounded; kNone: a contact
    bool normal_only;  // a contact without friction
};

struct SweepSystem {
    ContactLaw law;
    WideSweeps wide;                     // contacts that have a colour
    std::vector<SweepPlace> places;      // per other triple, as the next two
    std::vector<SweepContact> contacts;  // of bounded triples not used
    std::vector<SweepLaw> laws;
    std::vector<SweepBounded> bounded;
    std::vector<Mat3> inv_inertia;  // per body
    // Impulses: those of wide.packs, then three per place.
    LaneVector r;
    // kBodyRow per body of the island, then a row for all prescribed ones: v, 1/m, w, 1/I.
    LaneVector v;
    LaneVector v_from;  // of no impulses, as v
    double q_norm = 0;  // of all triples' u at v_from

    [[nodiscard]] std::size_t first_place() const { return 3 * kLanes * wide.packs.size(); }
};

// From which number of triples on contacts are coloured.
inline constexpr std::size_t kWideTriples = 64;

// From the velocities v_from of no impulses and v of triples.r. `wide`: contacts are coloured.
void prepare_sweeps(const ContactProblem& problem, const Island& island, const IslandRows& rows,
                    const Triples& triples, const ContactLaw& law, const VecX& v_from,
                    const VecX& v, bool wide, SweepSystem& sweeps);
// Its velocities into those of the whole problem.
void take_velocities(const ContactProblem& problem, const Island& island, const SweepSystem& sweeps,
                     VecX& v);
// Its impulses, three per triple in their own order; and other ones in place of them, with the
// velocities that they make: dv on top of v_from, six numbers per body of the island.
void take_impulses(const SweepSystem& sweeps, VecX& r);
void put_impulses(const VecX& r, const VecX& dv, SweepSystem& sweeps);

// Velocities of bodies, six numbers each, from and to rows such as sweeps.v and sweeps.v_from.
void take_body_velocities(const LaneVector& rows, VecX& v);
void put_body_velocities(const VecX& v, LaneVector& rows);
// What u is beside the velocities of the bodies, three numbers per triple in their own order.
void take_offsets(const SweepSystem& sweeps, VecX& offset);
void put_offsets(const VecX& offset, SweepSystem& sweeps);

// Rows have other bounds: those, the impulses triples.r and their velocities v of the whole problem, in
// place of what was there.
void renew_sweeps(const ContactProblem& problem, const Island& island, const IslandRows& rows,
                  const Triples& triples, const VecX& v, SweepSystem& sweeps);

// The impulses of the triple at a place under its law while the others stand, and what makes them
// so: velocities follow; returns |weight dr|^2.
[[nodiscard]] Vec3 solve_triple(std::size_t place, SweepSystem& sweeps);
double set_triple(std::size_t place, const Vec3& now, SweepSystem& sweeps);

// One sweep over all triples; returns |weight dr|.
double sweep_once(SweepSystem& sweeps);

// The worse of the two residuals of cone_problem.h.
[[nodiscard]] double measure_sweeps(SweepSystem& sweeps);

// The weight of every impulse of r.
void set_weights(const SweepSystem& sweeps, VecX& weight);

// |u| of all triples at v without impulses.
[[nodiscard]] double free_speed(SweepSystem& sweeps);

// What the kernels work on.
[[nodiscard]] SweepLanes lanes_of(SweepSystem& sweeps);

}  // namespace stiction
