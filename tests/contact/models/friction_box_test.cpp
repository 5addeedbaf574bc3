// friction_box_test.cpp - box friction with bounds from the last step: closed forms, all solvers.
#include "contact/models/friction_box.h"

#include <gtest/gtest.h>

#include <cmath>

#include "scene_runs.h"
#include "step/simulation.h"

namespace stiction {
namespace {

constexpr const char* kBoxSolvers[] = {"auto",        "pgs",   "pgs_sm",
                                       "block_pivot", "lemke", "prox_newton"};

// The normal impulses of a cube on a slope stay m g h cos(theta) in sum, so the bounds are those of
// Coulomb's law from the first step (impulses without friction) on; the slope lies along a side of
// the box.
TEST(FrictionBox, CubeSlidesAtTheClosedFormSpeed) {
    for (const char* solver : kBoxSolvers) {
        for (const char* mu : {"0", "0.15", "0.3"}) {
            const double theta = 20 * M_PI / 180;
            Simulation sim =
                simulate(shipped_scene("ramp", {{"mu", mu}}), model_named("friction_box", solver));
            take_steps(sim, 500);
            const double a = 9.81 * (std::sin(theta) - std::stod(mu) * std::cos(theta));
            EXPECT_NEAR(sim.state.twist.back().v.norm(), 500 * sim.settings.h * a, 1e-5)
                << solver << ", mu " << mu;
        }
    }
}

TEST(FrictionBox, CubeStaysAboveTheFrictionAngle) {
    for (const char* solver : kBoxSolvers) {
        Simulation sim =
            simulate(shipped_scene("ramp", {{"mu", "0.5"}}), model_named("friction_box", solver));
        const Vec3 before = sim.state.pose.back().p;
        take_steps(sim, 500);
        EXPECT_LT((sim.state.pose.back().p - before).norm(), 1e-6) << solver;
    }
}

TEST(FrictionBox, StackAndGraspHold) {
    for (const char* scene : {"stack", "grasp"}) {
        Simulation sim = simulate(shipped_scene(scene), FrictionBox{});
        const State before = sim.state;
        take_steps(sim, 300);
        for (std::size_t b = 0; b < sim.state.pose.size(); ++b) {
            EXPECT_LT((sim.state.pose[b].p - before.pose[b].p).norm(), 1e-5) << scene << b;
        }
    }
}

}  // namespace
}  // namespace stiction
