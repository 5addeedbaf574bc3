// Scenes in which nothing may move: the grasp, the wall, the ramp above the friction angle, the
// stack.
#include <gtest/gtest.h>

#include <cmath>

#include "scene_runs.h"
#include "step/simulation.h"

namespace stiction {
namespace {

struct Held {
    double slip =
        0;  // largest change of a box's height relative to the grippers, over all steps [m]
    double penetration = 0;  // [m]
};

Held hold(const Parameters& parameters, const ContactModel& model, int steps) {
    const Scene scene = shipped_scene("grasp", parameters);
    Simulation sim = simulate(scene, model);
    const std::size_t last = scene.model.bodies.size() - 1;
    Held held;
    for (int i = 0; i < steps; ++i) {
        EXPECT_EQ(step(sim), StepOutcome::kDone);
        EXPECT_EQ(sim.frame.solution.status, SolveStatus::kSolved) << "step " << i;
        const double level = 0.5 * (sim.state.pose[0].p.z() + sim.state.pose[last].p.z());
        for (std::size_t b = 1; b < last; ++b) {
            held.slip = std::max(held.slip, std::abs(sim.state.pose[b].p.z() - level));
        }
        held.penetration = std::max(held.penetration, deepest_overlap(sim));
    }
    return held;
}

TEST(Grasp, NoSlipHoldsTheBoxesFromTheFirstStepOn) {
    for (const char* boxes : {"2", "8", "16", "32"}) {
        const Held held = hold({{"boxes", boxes}}, NoSlip{}, 2000);
        EXPECT_LT(held.slip, 1e-9) << boxes;
        EXPECT_LT(held.penetration, 1e-9) << boxes;
    }
}

TEST(Grasp, ThePaperRouteHoldsThemToo) {
    const Held held = hold({{"repeat_contacts", "3"}}, model_named("no_slip", "ppm"), 200);
    EXPECT_LT(held.slip, 1e-9);
    EXPECT_LT(held.penetration, 1e-9);
}

TEST(Grasp, CoulombWithLargeFrictionHoldsThem) {
    for (const char* boxes : {"2", "8", "16"}) {
        const Held held = hold({{"boxes", boxes}}, CoulombLcp{}, 2000);
        EXPECT_LT(held.slip, 1e-6) << boxes;
        EXPECT_LT(held.penetration, 1e-9) << boxes;
    }
}

// Two boxes of 1 kg between two grippers pushed with 200 N: friction mu on two faces carries 2 kg
// up to mu = m g / F.
TEST(Grasp, CoulombDropsThemBelowTheCriticalFriction) {
    const double critical = 9.81 / 200;
    EXPECT_LT(hold({{"mu", std::to_string(1.1 * critical)}}, CoulombLcp{}, 200).slip, 1e-6);
    const double falls = hold({{"mu", std::to_string(0.5 * critical)}}, CoulombLcp{}, 200).slip;
    EXPECT_NEAR(falls, 0.5 * (0.5 * 9.81) * 0.2 * (0.2 + 1e-3),
                0.02 * falls);  // half the weight is left
}

double farthest_moved(const Scene& scene, const ContactModel& model, double time) {
    Simulation sim = simulate(scene, model);
    const int steps = static_cast<int>(std::lround(time / scene.step.h));
    double farthest = 0;
    for (int i = 0; i < steps; ++i) {
        EXPECT_EQ(step(sim), StepOutcome::kDone);
        EXPECT_EQ(sim.frame.solution.failures, 0) << "step " << i;
        for (std::size_t b = 0; b < scene.state.pose.size(); ++b) {
            farthest = std::max(farthest, (sim.state.pose[b].p - scene.state.pose[b].p).norm());
        }
    }
    return farthest;
}

TEST(Ramp, DoesNotCreepAboveTheFrictionAngle) {
    for (const char* mu : {"0.37", "0.5", "1"}) {  // tan 20 degrees = 0.364
        const Scene scene = shipped_scene("ramp", {{"mu", mu}});
        EXPECT_LT(farthest_moved(scene, CoulombLcp{}, 1.0), 1e-9) << mu;
        EXPECT_LT(farthest_moved(scene, model_named("coulomb_lcp", "lemke"), 1.0), 1e-9) << mu;
        EXPECT_LT(farthest_moved(scene, NoSlip{}, 1.0), 1e-9) << mu;
    }
}

TEST(Wall, DoesNotCreep) {
    const Scene scene = shipped_scene("wall");
    EXPECT_LT(farthest_moved(scene, CoulombLcp{}, 1.0), 1e-9);
    EXPECT_LT(farthest_moved(scene, model_named("coulomb_lcp", "lemke"), 1.0), 1e-9);
    EXPECT_LT(farthest_moved(scene, NoSlip{}, 1.0), 1e-9);
}

TEST(Stack, StandsForTenSeconds) {
    const Scene scene = shipped_scene("stack");
    ASSERT_EQ(scene.model.bodies.size(), 11U);
    EXPECT_LT(farthest_moved(scene, NoSlip{}, 10.0), 1e-6);
    EXPECT_LT(farthest_moved(scene, CoulombLcp{}, 10.0), 1e-6);
}

}  // namespace
}  // namespace stiction
