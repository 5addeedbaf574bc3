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
// Sweeps alone converge linearly, slowly in large piles: after the first few they have
// momentum (momentum.h; in large piles with friction that of each triple, sweep_momentum.h). What
// moves in a pile as a whole is slow even so. Where the rate says so and there is help, sweeps
// and a step of the helper take turns: the step solves for all contacts at once with the states
// as they are, the sweeps mend the states.
#pragma once

#include "contact/routes/sweep_momentum.h"
#include "core/solve_report.h"
#include "solve/factor/momentum.h"

namespace stiction {

// One step for all contacts at once (newton.h).
class SweepHelp {
  public:
    virtual ~SweepHelp() = default;
    // Replaces the impulses r by better ones; dv is what these do to the velocities, six numbers
    // per body of the island. The regularisation, relative to W, keeps them from going far. False,
    // and nothing changed, if there is no such step.
    virtual bool improve(double regularisation, VecX& r, VecX& dv) = 0;
    virtual void renew() = 0;  // rows have other bounds than before
};

struct SweepSettings {
    // On both residuals of cone_problem.h; iterations are sweeps and steps of the helper, 0: 1000.
    SolveSettings stop;
    // Give up early when, at the rate seen, more than this many sweeps are left; 0: never. With
    // help it is called for instead.
    int give_up_ahead = 0;
    const FrictionDirections* polygon = nullptr;  // else the cone
    int at_least = 0;                             // sweeps, even if the start is good enough
    SweepHelp* help = nullptr;
    ThreadPool* pool = nullptr;  // threads that a large island may use; null: the caller's alone
};

struct SweepWorkspace {
    SweepSystem system;
    LaneVector last_r;  // before the last sweep
    VecX weight;        // of every impulse of the system
    LaneVector best_r, best_v;
    VecX dv;  // of the helper
    MomentumHistory momentum;
    SweepMomentum each;  // of large piles under Coulomb's law
    Triples triples;     // of sweep_rows
    VecX scratch;
};

// From triples.r and the velocities v of the same impulses, v_from that of none (apply_impulses); r
// and v are updated. The best iterate is the answer; the residual is the worse of its two.
[[nodiscard]] SolveReport sweep(const ContactProblem& problem, const Island& island,
                                const SweepSettings& settings, const IslandRows& rows,
                                const VecX& v_from, SweepWorkspace& workspace, Triples& triples,
                                VecX& v);

// The rows between their bounds, from rows.c (it is clamped first); sets rows.c, rows.state and v.
// Once they are solved the revision of the task, if there is one, may change bounds; then the sweeps go
// on from where they are, with all that was prepared for them.
[[nodiscard]] SolveReport sweep_rows(const ContactProblem& problem, const Island& island,
                                     const SweepSettings& settings, const VecX& v_from,
                                     SweepWorkspace& workspace, IslandRows& rows, VecX& v,
                                     RowRevision* revision = nullptr);

}  // namespace stiction
