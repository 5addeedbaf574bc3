// Scripted forces and motions against their closed forms, and the edges of time windows.
#include "control/controls.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace stiction {
namespace {

constexpr double kPi = std::numbers::pi;

// Two free bodies, the second turned by 90 degrees about z, and a kinematic one.
struct World {
    Model model;
    State state;
    std::vector<Wrench> wrench;

    World() {
        model.bodies = {{.name = "a"}, {.name = "b"}, {.name = "k", .kind = BodyKind::kKinematic}};
        state.pose.resize(3);
        state.twist.resize(3);
        state.pose[1] = {Vec3(2, 0, 0), Quat(Eigen::AngleAxisd(kPi / 2, Vec3::UnitZ()))};
    }
    void apply(const Controls& controls, double time) {
        state.time = time;
        wrench.assign(3, Wrench{});
        add_control_forces(model, controls, state, wrench);
    }
};

TEST(Controls, WaveIsOneOrASine) {
    EXPECT_EQ((Wave{}.at(3.0, 1.0)), 1);
    const Wave wave{.frequency = 2, .phase = 0.5};
    EXPECT_DOUBLE_EQ(wave.at(1.3, 1.0), std::sin(2 * kPi * 2 * 0.3 + 0.5));
}

TEST(Controls, KinematicAccelerationsAreTheRatesOfTheTwists) {
    World world;
    Controls controls;
    controls.motions.push_back({.body = 2,
                                .velocity = {Vec3(1, 2, 3), Vec3(0, 0, 4)},
                                .wave = {.frequency = 2, .phase = 0.5},
                                .window = {.start = 0.5, .end = 1}});
    controls.motions.push_back(
        {.body = 2, .velocity = {Vec3(5, 0, 0), Vec3(1, 0, 0)}, .wave = {}, .window = {}});
    const auto twist = [&](double time) {
        world.state.time = time;
        set_kinematic_twists(world.model, controls, world.state);
        return world.state.twist[2];
    };
    std::vector<Twist> rates;
    const double dt = 1e-5;
    kinematic_accelerations(world.model, controls, 0.7, 0.75, rates);
    ASSERT_EQ(rates.size(), 3U);
    EXPECT_LT((rates[2].v - (twist(0.75 + dt).v - twist(0.75 - dt).v) / (2 * dt)).norm(), 1e-6);
    EXPECT_LT((rates[2].w - (twist(0.75 + dt).w - twist(0.75 - dt).w) / (2 * dt)).norm(), 1e-6);
    EXPECT_GT(rates[2].v.norm(), 1);
    EXPECT_TRUE(rates[0].v.isZero(0.0));
    kinematic_accelerations(world.model, controls, 0.4, 0.75, rates);  // the step began before it
    EXPECT_TRUE(rates[2].v.isZero(0.0));
}

TEST(Controls, WindowsHoldFromStartUpToButNotAtTheEnd) {
    World world;
    Controls controls;
    controls.body_forces.push_back(
        {.body = 0, .force = Vec3(1, 0, 0), .wave = {}, .window = {.start = 0.5, .end = 1}});
    const double before_end = std::nextafter(1.0, 0.0);
    const std::pair<double, double> cases[] = {
        {std::nextafter(0.5, 0.0), 0}, {0.5, 1}, {before_end, 1}, {1.0, 0}};
    for (const auto& [time, force] : cases) {
        world.apply(controls, time);
        EXPECT_EQ(world.wrench[0].force.x(), force) << time;
    }
}

// A force at a point makes the torque r x F; in the body's frame both turn with it.
TEST(Controls, BodyForceActsAtItsPointInItsFrame) {
    World world;
    Controls controls;
    BodyForce force{.body = 1,
                    .force = Vec3(1, 0, 0),
                    .torque = Vec3(0, 1, 0),
                    .point_B = Vec3(0, 3, 0),
                    .wave = {},
                    .window = {}};
    controls.body_forces = {force};  // the point is at (-3, 0, 0) from the centre of mass
    world.apply(controls, 0);
    EXPECT_TRUE(world.wrench[1].force.isApprox(Vec3(1, 0, 0), 1e-15));
    EXPECT_TRUE(world.wrench[1].torque.isApprox(Vec3(0, 1, 0), 1e-15));
    force.in_body_frame = true;
    controls.body_forces = {force};
    world.apply(controls, 0);
    EXPECT_TRUE(world.wrench[1].force.isApprox(Vec3(0, 1, 0), 1e-15));
    EXPECT_TRUE(world.wrench[1].torque.isApprox(Vec3(-1, 0, -3), 1e-15));
    EXPECT_EQ(world.wrench[0].force, Vec3::Zero());
}

TEST(Controls, SinusoidalForcesStartTheirPhaseWithTheirWindow) {
    World world;
    Controls controls;
    controls.body_forces.push_back({.body = 0,
                                    .force = Vec3(0, 0, 4),
                                    .wave = {.frequency = 0.25, .phase = kPi / 6},
                                    .window = {.start = 2}});
    world.apply(controls, 2);
    EXPECT_NEAR(world.wrench[0].force.z(), 2, 1e-15);
    world.apply(controls, 3);  // a quarter of a turn later: 4 sin(2 pi/3)
    EXPECT_NEAR(world.wrench[0].force.z(), 2 * std::sqrt(3.0), 1e-14);
}

TEST(Controls, SpringsPullToTheTargetUpToTheirStrength) {
    World world;
    world.state.twist[1].v = Vec3(0, 1, 0);
    Controls controls;
    controls.body_springs.push_back(
        {.body = 1, .target = Vec3(5, 0, 0), .kp = 10, .kd = 40, .window = {}});
    world.apply(controls, 0);
    EXPECT_TRUE(world.wrench[1].force.isApprox(Vec3(30, -40, 0), 1e-15));
    controls.body_springs[0].max_force = 5;  // direction kept
    world.apply(controls, 0);
    EXPECT_TRUE(world.wrench[1].force.isApprox(Vec3(3, -4, 0), 1e-15));
}

Joint joint_along_x(JointKind kind) {
    Joint joint;
    joint.kind = kind;
    joint.parent = 0;
    joint.child = 1;
    const Quat z_to_x(Eigen::AngleAxisd(kPi / 2, Vec3::UnitY()));
    joint.frame_P = {Vec3(0, 1, 0), z_to_x};
    const Pose frame_W{Vec3(2, 1, 0), z_to_x};  // the child has slid by 2 m
    joint.frame_C =
        Pose{Vec3(2, 0, 0), Quat(Eigen::AngleAxisd(kPi / 2, Vec3::UnitZ()))}.inverse() * frame_W;
    set_axis(joint);
    return joint;
}

// Internal forces: no net force and no net torque about any point.
TEST(Controls, JointForcesAreEqualAndOpposite) {
    for (const JointKind kind : {JointKind::kPrismatic, JointKind::kRevolute}) {
        World world;
        world.model.joints = {joint_along_x(kind)};
        Controls controls;
        controls.joint_forces.push_back({.joint = 0, .force = 6, .wave = {}, .window = {}});
        world.apply(controls, 0);
        Vec3 force = Vec3::Zero();
        Vec3 torque = Vec3::Zero();
        for (std::size_t b = 0; b < 2; ++b) {
            force += world.wrench[b].force;
            torque += world.wrench[b].torque + world.state.pose[b].p.cross(world.wrench[b].force);
        }
        EXPECT_NEAR(force.norm(), 0, 1e-14);
        EXPECT_NEAR(torque.norm(), 0, 1e-14);
        const Vec3 load =
            kind == JointKind::kPrismatic ? world.wrench[1].force : world.wrench[1].torque;
        EXPECT_TRUE(load.isApprox(Vec3(6, 0, 0), 1e-14));
    }
}

// The child is at 2 m and moves away at 0.5 m/s: kp (target wave - 2) - kd 0.5.
TEST(Controls, JointPdFollowsItsTarget) {
    World world;
    world.model.joints = {joint_along_x(JointKind::kPrismatic)};
    world.state.twist[1].v = Vec3(0.5, 0, 0);
    Controls controls;
    controls.joint_forces.push_back(
        {.joint = 0, .pd = true, .target = 3, .kp = 10, .kd = 4, .wave = {}, .window = {}});
    world.apply(controls, 0);
    EXPECT_NEAR(world.wrench[1].force.x(), 10 - 2, 1e-13);
    controls.joint_forces[0].wave = {.frequency = 1, .phase = -kPi / 2};  // target -3 at t = 0
    world.apply(controls, 0);
    EXPECT_NEAR(world.wrench[1].force.x(), -50 - 2, 1e-13);
    controls.joint_forces[0].max_force = 7;
    world.apply(controls, 0);
    EXPECT_NEAR(world.wrench[1].force.x(), -7, 1e-14);
}

// -(mu_c sgn q' + mu_v q'), nothing at rest; a constant force beside it stays.
TEST(Controls, JointFrictionAsAForce) {
    World world;
    world.model.joints = {joint_along_x(JointKind::kPrismatic)};
    Controls controls;
    controls.joint_forces.push_back(
        {.joint = 0, .force = 3, .mu_c = 2, .mu_v = 10, .wave = {}, .window = {}});
    for (const double velocity : {0.0, 0.5, -0.25, 1e-300}) {
        world.state.twist[1].v = Vec3(velocity, 0, 0);
        world.apply(controls, 0);
        const double sign = velocity == 0 ? 0 : std::copysign(1.0, velocity);
        EXPECT_NEAR(world.wrench[1].force.x(), 3 - 2 * sign - 10 * velocity, 1e-13) << velocity;
    }
}

TEST(Controls, MotionsOfAKinematicBodyAddUp) {
    World world;
    world.state.twist[0].v = Vec3(1, 1, 1);
    Controls controls;
    controls.motions.push_back(
        {.body = 2, .velocity = {Vec3(1, 0, 0), Vec3(0, 0, 3)}, .wave = {}, .window = {}});
    controls.motions.push_back({.body = 2,
                                .velocity = {Vec3(0, 2, 0), Vec3::Zero()},
                                .wave = {.frequency = 1, .phase = 0},
                                .window = {.start = 1, .end = 2}});
    world.state.time = 1.25;
    set_kinematic_twists(world.model, controls, world.state);
    EXPECT_TRUE(world.state.twist[2].v.isApprox(Vec3(1, 2, 0), 1e-15));
    EXPECT_EQ(world.state.twist[2].w, Vec3(0, 0, 3));
    world.state.time = 2;
    set_kinematic_twists(world.model, controls, world.state);  // sets, does not pile up
    EXPECT_EQ(world.state.twist[2].v, Vec3(1, 0, 0));
    EXPECT_EQ(world.state.twist[0].v, Vec3(1, 1, 1));  // free bodies are left alone
}

}  // namespace
}  // namespace stiction
