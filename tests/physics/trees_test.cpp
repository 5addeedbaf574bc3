// Robots in reduced coordinates against the same robots in maximal coordinates, and what must hold
// whatever the coordinates.
#include <gtest/gtest.h>

#include "scene_runs.h"
#include "step/simulation.h"

namespace stiction {
namespace {

Scene in_maximal_coordinates(Scene scene) {
    for (Joint& joint : scene.model.joints) joint.reduced = false;
    const std::vector<SurfacePair> pairs = scene.model.surface_pairs;
    finalize(scene.model);
    scene.model.surface_pairs = pairs;
    return scene;
}

double apart(const Simulation& a, const Simulation& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.state.pose.size(); ++i)
        most = std::max(most, (a.state.pose[i].p - b.state.pose[i].p).norm());
    return most;
}

double apart_after(const Scene& scene, double h, double time) {
    Scene reduced = scene;
    reduced.step.h = h;
    const Scene maximal = in_maximal_coordinates(reduced);
    EXPECT_FALSE(reduced.model.trees.empty());
    EXPECT_TRUE(maximal.model.trees.empty());
    Simulation a = simulate(reduced, NoSlip{});
    Simulation b = simulate(maximal, NoSlip{});
    const auto steps = static_cast<int>(std::lround(time / h));
    take_steps(a, steps);
    take_steps(b, steps);
    return apart(a, b);
}

// Both are of first order: half the step, half the distance.
TEST(Trees, SameMotionInBothCoordinates) {
    const Scene arm = shipped_scene("arm", {{"friction", "0"}});
    const double coarse = apart_after(arm, 1e-3, 0.3);
    const double fine = apart_after(arm, 2.5e-4, 0.3);
    EXPECT_LT(coarse, 5e-3);
    EXPECT_LT(fine, 0.35 * coarse) << coarse << " " << fine;
}

TEST(Trees, FlyingRobotMovesAlikeInBothCoordinates) {
    Scene robot = shipped_scene("quadruped_flat");
    for (Pose& pose : robot.state.pose) pose.p.z() += 5;
    robot.state.pose[body_named(robot.model, "ground")].p.z() -= 5;
    const double coarse = apart_after(robot, 1e-3, 0.5);
    const double fine = apart_after(robot, 2.5e-4, 0.5);
    EXPECT_LT(coarse, 5e-3);
    EXPECT_LT(fine, 0.4 * coarse) << coarse << " " << fine;
}

// Only gravity acts from outside: momentum falls as it must, however the legs move.
TEST(Trees, MomentumInFreeFlight) {
    Scene robot = shipped_scene("quadruped_flat");
    for (Pose& pose : robot.state.pose) pose.p.z() += 5;
    robot.state.pose[body_named(robot.model, "ground")].p.z() -= 5;
    double error[2] = {0, 0};
    int k = 0;
    for (const double h : {1e-3, 2.5e-4}) {
        robot.step.h = h;
        Simulation sim = simulate(robot, NoSlip{});
        take_steps(sim, static_cast<int>(std::lround(0.8 / h)));
        double mass = 0;
        for (const Body& body : robot.model.bodies) mass += body.mass;
        const Momentum now = momentum(sim.model, sim.state);
        const Vec3 expected = mass * sim.state.time * robot.model.gravity;
        error[k++] = (now.linear - expected).norm() / expected.norm();
    }
    EXPECT_LT(error[0], 1e-2);
    EXPECT_LT(error[1], 0.4 * error[0]) << error[0] << " " << error[1];
}

// Friction of 5 N m holds the arm, whose gravity torque is at most 3.14 N m.
TEST(Trees, JointFrictionHoldsTheArm) {
    for (const double h : {1e-3, 1e-2}) {
        Scene arm = shipped_scene("arm");
        arm.step.h = h;
        Simulation sim = simulate(arm, arm.contact);
        take_steps(sim, static_cast<int>(std::lround(2 / h)));
        for (const Joint& joint : sim.model.joints)
            EXPECT_LT(std::abs(joint_coordinate(sim.state, joint).position), 1e-9) << joint.name;
    }
}

TEST(Trees, WithoutFrictionTheArmFalls) {
    Simulation sim = simulate(shipped_scene("arm", {{"friction", "0"}}), NoSlip{});
    take_steps(sim, 300);
    EXPECT_LT(sim.state.pose[body_named(sim.model, "link_7")].p.z(), -0.3);
}

// A rigid row beside a soft one on the same coordinate: both bounded, every step solved.
TEST(Trees, MotorsWithFriction) {
    for (const bool reduced : {false, true}) {
        Scene scene = shipped_scene("motors");
        for (Joint& joint : scene.model.joints) {
            joint.reduced = reduced;
            joint.friction = 0.05;
            joint.damping = 0.01;
        }
        const std::vector<SurfacePair> pairs = scene.model.surface_pairs;
        finalize(scene.model);
        scene.model.surface_pairs = pairs;
        for (const std::string_view model : kContactModelNames) {
            SCOPED_TRACE(std::string(model) + (reduced ? ", reduced" : ", maximal"));
            Simulation sim = simulate(scene, make_contact_model(model));
            take_steps(sim, 1500);
        }
    }
}

TEST(Trees, TheRobotWalksWithEveryModel) {
    for (const char* model : {"no_slip", "coulomb_lcp", "max_dissipation", "coulomb_cone"}) {
        SCOPED_TRACE(model);
        const Scene scene = shipped_scene("quadruped_flat");
        Simulation sim = simulate(scene, make_contact_model(model));
        const std::size_t torso = body_named(sim.model, "torso");
        for (int i = 0; i < 2500; ++i) ASSERT_EQ(step(sim), StepOutcome::kDone);
        EXPECT_GT(sim.state.pose[torso].p.x(), 0.12);
        EXPECT_GT(sim.state.pose[torso].p.z(), 0.13);
        std::printf("%-16s x %.3f m, y %.3f m, z %.3f m\n", model, sim.state.pose[torso].p.x(),
                    sim.state.pose[torso].p.y(), sim.state.pose[torso].p.z());
    }
}

}  // namespace
}  // namespace stiction
