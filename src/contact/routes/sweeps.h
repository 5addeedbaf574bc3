// sweeps.h - Gauss-Seidel over the triples of an island without forming W: the velocities are
// kept, each triple in turn is solved exactly for its three impulses while the others stand,
//
//   u = D (v_a + w_a x p_a - v_b - w_b x p_b) + offset,     v, w: linear, angular
//   r <- law(W_aa, u - W_aa r),
//   f = D'dr,   v_a += f / m_a,   w_a += I_a^-1 (p_a x f),   b likewise with -f
//
// at O(1) per triple, memory linear in the triples. Contacts obey the Coulomb cone or a friction
// polygon, other triples (which may also have angular rows and compliance) their bounds. This is
// where the law of a large pile is solved. For islands of free bodies; others take W.
//
// Where every row has bounds alone (contact without friction or without slip, viscous friction,
// position projection) it is the convex program of pivoting.h, for which sweeps always converge.
//
// Sweeps alone converge linearly, slowly in large piles; from the first judgement on they are
// combined (anderson.h), which settled piles need for residuals below 1e-4 or so.
#pragma once

#include <vector>

#include "contact/island/triples.h"
#include "core/solve_report.h"
#include "solve/cone/friction_law.h"
#include "solve/factor/anderson.h"

namespace stiction {

struct SweepSettings {
    SolveSettings stop;  // on both residuals of cone_problem.h; iterations are sweeps, 0: 1000
    // Give up early when, at the rate seen, more than this many sweeps are left; 0: never.
    int give_up_ahead = 0;
    const FrictionDirections* polygon = nullptr;  // else the cone
    int at_least = 0;                             // sweeps, even if the start is good enough
};

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

struct SweepWorkspace {
    std::vector<SweepPlace> places;      // per triple, as the next two
    std::vector<SweepContact> contacts;  // of bounded triples not used
    std::vector<SweepLaw> laws;
    std::vector<SweepBounded> bounded;
    std::vector<Mat3> inv_inertia;  // per body
    VecX v;  // of the island's bodies, then six zeros for all prescribed ones
    VecX r;  // before the sweeps that are combined
    VecX best_r, best_v;
    AndersonHistory history;
    Triples triples;  // of sweep_rows
    VecX momentum;
};

// From triples.r and the velocities v of the same impulses, v_from that of none (apply_impulses); r
// and v are updated. The best iterate is the answer; the residual is the worse of its two.
[[nodiscard]] SolveReport sweep(const ContactProblem& problem, const Island& island,
                                const SweepSettings& settings, const IslandRows& rows,
                                const VecX& v_from, SweepWorkspace& workspace, Triples& triples,
                                VecX& v);

// The rows between their bounds, from rows.c (it is clamped first); sets rows.c, rows.state and v.
[[nodiscard]] SolveReport sweep_rows(const ContactProblem& problem, const Island& island,
                                     const SweepSettings& settings, const VecX& v_from,
                                     SweepWorkspace& workspace, IslandRows& rows, VecX& v);

}  // namespace stiction
