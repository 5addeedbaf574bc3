// chain_energy.h - what a swinging chain's energy does, second by second.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "physics/chain.h"

namespace stiction {

// T + V with both at one time. Velocities of symplectic Euler belong half a step before the
// positions, so T + V swings by h/2 of the power of gravity; T + h/2 g.v + V does not
// (dynamics/tree_momentum.h).
inline double energy_at_one_time(const Simulation& sim) {
    if (sim.settings.integrator != Integrator::kSymplecticEuler)
        return energy(sim.model, sim.state).total();
    double power = 0;
    for (std::size_t b = 0; b < sim.model.bodies.size(); ++b)
        power += sim.model.bodies[b].mass * sim.model.gravity.dot(sim.state.twist[b].v);
    return energy(sim.model, sim.state).total() + 0.5 * sim.settings.h * power;
}

// Steps a chain that was released at rest and checks its energy at every full second: never above
// the start; T + V as it stands by no more than `allowed`. Energies are relative to what it could
// lose.
inline void expect_no_energy_gained(const Chain& chain, int seconds, double allowed = 0) {
    SCOPED_TRACE(std::to_string(chain.links) + " links, " +
                 (chain.reduced ? "reduced" : "maximal") + ", h " + std::to_string(chain.h));
    Simulation sim = hanging(chain);
    const double start = energy(sim.model, sim.state).total();
    double bottom = 0;
    for (int i = 0; i < chain.links; ++i)
        bottom -= 9.81 * sim.model.bodies[at(i)].mass * (i + 0.5) * chain.length;
    const double scale = start - bottom;
    const int steps = static_cast<int>(std::lround(1 / chain.h));
    double most = -1, last = 0, at_one_time = -1;
    for (int second = 1; second <= seconds; ++second) {
        for (int i = 0; i < steps; ++i) ASSERT_EQ(step(sim), StepOutcome::kDone) << second;
        last = (energy(sim.model, sim.state).total() - start) / scale;
        most = std::max(most, last);
        at_one_time = std::max(at_one_time, (energy_at_one_time(sim) - start) / scale);
        const double reach = chain.links * chain.length;
        ASSERT_LT(free_end(sim, chain.length).norm(), reach * (1 + 1e-3)) << second;
    }
    std::printf(
        "%3d links, %s, h %5.0e: energy at most %+.2e (at one time %+.2e), at the end %+.4f of "
        "%.3g J\n",
        chain.links, chain.reduced ? "reduced" : "maximal", chain.h, most, at_one_time, last,
        scale);
    if (chain.integrator == Integrator::kSymplecticEuler) {
        EXPECT_LE(at_one_time, 0);
    }
    EXPECT_LE(most, allowed);
}

}  // namespace stiction
