// sweep_momentum.h - momentum on sweeps under Coulomb's law, of each triple by itself.
//
// The sequence of momentum.h has one t for all: there a few contacts that turn from sticking to
// sliding and back, which they do for long in a pile that moves, hold the momentum of all others
// low. Here each triple has its own t and begins anew where its own change goes against its own
// way,
//
//   y_a = x_a + beta_a (x_a - last x_a),   beta_a = min(most, (t_a - 1) / t_a+)
//
// and no triple cares for the others. `most` is the caller's where the law is convex; else it falls slowly with the number of sweeps: where
// neighbours drive one another round and round, less of it ends that. The velocities are no
// affine image of the sequence any more: they follow triple by triple, at half the cost of a
// sweep.
#pragma once

#include "contact/routes/sweep_system.h"

namespace stiction {

// Kept by the caller: a warm start allocates nothing.
struct SweepMomentum {
    LaneVector x;     // the outcome of the last sweep, as the system's r
    LaneVector t;     // per triple, packs first; 1: none
    int sweeps = 0;   // since it began
    double most = 0;  // of a convex law; 0: Coulomb's
    bool begun = false;
};

inline void forget(SweepMomentum& momentum) { momentum.begun = false; }

// The system's r is the outcome of a sweep from `before`; the point to go on from takes its
// place, and the velocities follow.
void accelerate_each(SweepMomentum& momentum, const LaneVector& before, SweepSystem& sweeps);

}  // namespace stiction
