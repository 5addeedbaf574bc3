// Projection removes overlap and joint drift, leaves velocities alone and parts deep overlaps
// gently.
#include "integrate/projection.h"

#include <gtest/gtest.h>

#include <cmath>

#include "dynamics/joint_geometry.h"
#include "scene_runs.h"
#include "step/simulation.h"

namespace stiction {
namespace {

TEST(Projection, LiftsASunkBoxWithoutTouchingVelocities) {
    Scene scene = shipped_scene("stack", {{"boxes", "3"}});
    for (std::size_t b = 1; b < scene.state.pose.size(); ++b) {
        scene.state.pose[b].p.z() -= 1e-6 * static_cast<double>(b);
    }
    Simulation sim = simulate(scene, NoSlip{});
    take_steps(sim, 1);
    EXPECT_EQ(sim.frame.projection.islands, 1);
    for (std::size_t b = 1; b < sim.state.pose.size(); ++b) {
        EXPECT_LT(sim.state.twist[b].v.norm(), 1e-12);  // no kinetic energy
        EXPECT_NEAR(sim.state.pose[b].p.z(), 0.1 * static_cast<double>(b) - 0.05, 1e-12);
    }
    EXPECT_NEAR(sim.frame.projection.potential_gain, 9.81 * (1 + 2 + 3) * 1e-6, 1e-12);
    take_steps(sim, 1);
    EXPECT_EQ(sim.frame.projection.islands, 0);  // nothing left to do
}

TEST(Projection, PartsDeepOverlapsNoFasterThanAsked) {
    Scene scene = shipped_scene("stack", {{"boxes", "1"}});
    scene.state.pose.back().p.z() -= 0.02;
    scene.step.max_depenetration = 0.5;
    Simulation sim = simulate(scene, NoSlip{});
    const double start = sim.state.pose.back().p.z();
    take_steps(sim, 10);
    EXPECT_NEAR(sim.state.pose.back().p.z() - start, 10 * sim.settings.h * 0.5, 1e-9);
    EXPECT_LT(sim.state.twist.back().v.norm(), 1e-9);
}

TEST(Projection, OffMeansOff) {
    Scene scene = shipped_scene("stack", {{"boxes", "1"}});
    scene.state.pose.back().p.z() -= 1e-3;
    scene.step.stabilisation = Stabilisation::kOff;
    Simulation sim = simulate(scene, NoSlip{});
    take_steps(sim, 10);
    EXPECT_NEAR(sim.state.pose.back().p.z(), scene.state.pose.back().p.z(), 1e-12);
}

TEST(Projection, ClosesAJointThatCameApart) {
    Scene scene = shipped_scene("pendulum");
    scene.state.pose[0].p += Vec3(1e-4, -2e-4, 1e-4);
    Simulation sim = simulate(scene, NoSlip{});
    take_steps(sim, 3);
    const JointGeometry joint = joint_geometry(sim.state, sim.model.joints[0], 1.0);
    for (int k = 0; k < joint.rows; ++k)
        EXPECT_LT(std::abs(joint.error[static_cast<std::size_t>(k)]), 1e-9);
}

// A hundred spheres inside one another are a pile whose correction is swept: the sweeps end at their
// limit, which is no solution, and the step says so. They part all the same, no faster than asked.
TEST(Projection, SweepsThatEndAtTheirLimitAreNotSolved) {
    Scene scene = shipped_scene("stack", {{"boxes", "100"}});
    for (std::size_t b = 1; b < scene.state.pose.size(); ++b) {
        scene.state.pose[b].p = Vec3(0, 0, 5);
        scene.model.geoms[b].shape = Sphere{0.05};
    }
    scene.step.max_depenetration = 5;
    const double most = scene.step.h * scene.step.max_depenetration;
    Simulation sim = simulate(scene, NoSlip{});
    int limited = 0;
    for (int i = 0; i < 20; ++i) {
        take_steps(sim, 1);
        const ProjectionResult& result = sim.frame.projection;
        limited += result.status == SolveStatus::kIterationLimit;
        EXPECT_EQ(result.unsolved, result.status == SolveStatus::kSolved ? 0 : 1);
        EXPECT_EQ(result.refused, 0);
        EXPECT_NEAR(result.largest_move, most, 1e-9 * most);
    }
    EXPECT_GT(limited, 10);
    EXPECT_LT(deepest_overlap(sim), 0.08);  // 0.1 at the start
}

}  // namespace
}  // namespace stiction
