// Poisson restitution: rebound speed, threshold, energy never above that before the impact.
#include <gtest/gtest.h>

#include <cmath>

#include "scene_runs.h"
#include "step/simulation.h"

namespace stiction {
namespace {

TEST(Restitution, ABallReboundsWithEpsTimesItsSpeedWhateverTheGap) {
    for (const double gap : {0.0, 1e-4, 2e-4, 3.9e-4}) {  // it falls 4e-4 in the step
        Scene scene = shipped_scene("bounce", {{"balls", "1"}, {"height", "0"}});
        scene.model.surface_pairs.assign(scene.model.surface_pairs.size(), SurfacePair{0, 0, 0.7});
        scene.state.pose.back().p.z() += gap;
        scene.state.twist.back().v = Vec3(0, 0, -4);
        Simulation sim = simulate(scene, NoSlip{});
        take_steps(sim, 1);
        EXPECT_NEAR(sim.state.twist.back().v.z(), 0.7 * (4 + 9.81e-4), 1e-9) << "gap " << gap;
    }
}

TEST(Restitution, SlowContactsDoNotRebound) {
    Scene scene = shipped_scene("bounce", {{"balls", "1"}, {"height", "0"}});
    scene.model.surface_pairs.assign(scene.model.surface_pairs.size(), SurfacePair{0, 0, 0.9});
    Simulation sim = simulate(scene, NoSlip{});
    take_steps(sim, 100);
    EXPECT_LT(sim.state.twist.back().v.norm(), 1e-12);
    EXPECT_LT(std::abs(sim.state.pose.back().p.z() - scene.state.pose.back().p.z()), 1e-12);
}

TEST(Restitution, NeverAddsEnergy) {
    for (const char* model : {"no_slip", "coulomb_lcp"}) {
        Scene scene = shipped_scene("stack", {{"boxes", "4"}});
        for (std::size_t i = 0; i < scene.model.surface_pairs.size(); ++i)
            scene.model.surface_pairs[i].eps = 0.8;
        for (std::size_t b = 1; b < scene.state.pose.size(); ++b) {
            scene.state.pose[b].p.z() += 0.05 * static_cast<double>(b);
            scene.state.twist[b].w = Vec3(0.3, -0.2, 0.1);
        }
        Simulation sim = simulate(scene, model_named(model));
        const double start = energy(sim.model, sim.state).total();
        double largest = start;
        for (int i = 0; i < 1000; ++i) {
            const double before = energy(sim.model, sim.state).total();
            ASSERT_EQ(step(sim), StepOutcome::kDone);
            const double after = energy(sim.model, sim.state).total();
            // The kinetic energy is bounded by that of the free motion, which gravity has driven
            // for the whole step even where the body was stopped in it: m g h |v| per body, an
            // error of first order in h.
            double gravity_work = 0;
            for (const Twist& twist : sim.before.twist)
                gravity_work += 9.81 * sim.settings.h * (twist.v.norm() + 0.01);
            ASSERT_LT(after - before, gravity_work + sim.frame.projection.potential_gain)
                << model << " step " << i;
            largest = std::max(largest, after);
        }
        EXPECT_LT(largest, start + 0.01) << model;  // and it does not add up
    }
}

}  // namespace
}  // namespace stiction
