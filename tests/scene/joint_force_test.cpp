// Joints, motors, forces and motions as read from a scene.
#include <cmath>
#include <numbers>

#include "scene/scene_files.h"

namespace stiction {
namespace {

const std::string kTwo =
    "version: 1\n"
    "contact: {model: no_slip}\n"
    "bodies:\n"
    "  - {name: a, mass: 1, position: [1, 0, 0], shape: {type: sphere, radius: 0.1}}\n"
    "  - {name: b, mass: 1, position: [2, 0, 0], orientation: {axis: [0, 0, 1], angle: 90 deg},\n"
    "     shape: {type: sphere, radius: 0.1}}\n"
    "  - {name: belt, kind: kinematic, velocity: [1, 0, 0], shape: {type: plane}}\n";

// Both frames of a joint are one frame of the world in the initial pose.
TEST(Joints, FramesCoincideInTheInitialPose) {
    const SceneFiles files;
    const Scene scene = files.load(kTwo +
                                   "joints:\n"
                                   "  - {name: hinge, type: revolute, parent: a, child: b, anchor: "
                                   "[1.5, 0, 1], axis: [1, 1, 0]}\n"
                                   "  - {type: fixed, parent: world, child: a}\n"
                                   "  - {type: universal, parent: a, child: b, anchor_parent: [0, "
                                   "0, 1], axis: [0, 0, -1], axis2: [1, 0, 0]}\n");
    for (const Joint& joint : scene.model.joints) {
        const Pose child = scene.state.pose[at(joint.child)] * joint.frame_C;
        const Pose parent =
            (joint.parent == kNone ? Pose{} : scene.state.pose[at(joint.parent)]) * joint.frame_P;
        EXPECT_NEAR((child.p - parent.p).norm(), 0, 1e-15) << joint.name;
        EXPECT_NEAR(child.q.angularDistance(parent.q), 0, 1e-14) << joint.name;
    }
    const Joint& hinge = scene.model.joints[0];
    const Pose frame = scene.state.pose[0] * hinge.frame_P;
    EXPECT_NEAR((frame.p - Vec3(1.5, 0, 1)).norm(), 0, 1e-15);
    EXPECT_NEAR((frame.q * Vec3::UnitZ() - Vec3(1, 1, 0).normalized()).norm(), 0, 1e-15);
    EXPECT_EQ(scene.model.joints[1].name, "joint_1");
    EXPECT_EQ(scene.model.joints[1].parent, kNone);
    const Joint& universal = scene.model.joints[2];
    EXPECT_NEAR(
        (scene.state.pose[0].q * (universal.frame_P.q * Vec3::UnitZ()) + Vec3::UnitZ()).norm(), 0,
        1e-15);
    EXPECT_NEAR(
        (scene.state.pose[1].q * (universal.frame_C.q * Vec3::UnitX()) - Vec3::UnitX()).norm(), 0,
        1e-15);
    EXPECT_NEAR((scene.state.pose[0] * universal.frame_P.p - Vec3(1, 0, 1)).norm(), 0, 1e-15);
}

TEST(Joints, StartIsTheCoordinateOfTheInitialPose) {
    const SceneFiles files;
    const Scene scene =
        files.load(kTwo +
                   "joints:\n"
                   "  - {type: revolute, parent: a, child: b, axis: [0, 1, 0], start: 30 deg}\n"
                   "  - {type: prismatic, child: a, axis: [0, -1, 0], start: 0.25}\n"
                   "  - {type: revolute, child: b, axis: [0, 0, -1]}\n");
    const auto& joints = scene.model.joints;
    EXPECT_NEAR(joint_coordinate(scene.state, joints[0]).position, std::numbers::pi / 6, 1e-14);
    EXPECT_NEAR(joint_coordinate(scene.state, joints[1]).position, 0.25, 1e-15);
    EXPECT_NEAR(joint_coordinate(scene.state, joints[2]).position, 0, 1e-15);
}

TEST(Joints, ReadsLimitsMotorsAndFriction) {
    const SceneFiles files;
    const Scene scene = files.load(
        kTwo +
        "joints:\n"
        "  - {name: m, type: revolute, child: a, axis: [0, 0, 1], limits: [-90 deg, 1],\n"
        "     motor: {velocity: 2, max_force: 7}, friction: 0.5, damping: 0.25, collide: true}\n"
        "  - {type: prismatic, child: b, axis: [0, 0, 1], motor: {position: 0.1, kp: 10, kd: "
        "3}}\n");
    const Joint& m = scene.model.joints[0];
    EXPECT_TRUE(m.limited);
    EXPECT_DOUBLE_EQ(m.lower, -std::numbers::pi / 2);
    EXPECT_EQ(m.upper, 1);
    EXPECT_EQ(m.motor.kind, Motor::Kind::kVelocity);
    EXPECT_EQ(m.motor.target, 2);
    EXPECT_EQ(m.motor.max_force, 7);
    EXPECT_EQ(m.friction, 0.5);
    EXPECT_EQ(m.damping, 0.25);
    EXPECT_TRUE(m.collide);
    const Joint& p = scene.model.joints[1];
    EXPECT_FALSE(p.limited);
    EXPECT_FALSE(p.collide);
    EXPECT_EQ(p.motor.kind, Motor::Kind::kPosition);
    EXPECT_EQ(p.motor.target, 0.1);
    EXPECT_EQ(p.motor.kp, 10);
    EXPECT_EQ(p.motor.kd, 3);
    EXPECT_TRUE(std::isinf(p.motor.max_force));
}

TEST(Forces, ReadsEveryKind) {
    const SceneFiles files;
    const Scene scene =
        files.load(kTwo +
                   "joints: [{name: slide, type: prismatic, child: a, axis: [1, 0, 0]}]\n"
                   "forces:\n"
                   "  - {body: a, force: [1, 2, 3], torque: [4, 5, 6], frame: body, frequency: 2, "
                   "phase: 90 deg, start: 1, end: 2}\n"
                   "  - {body: b, target: [0, 0, 1], kp: 5, kd: 1, max_force: 9, end: 4}\n"
                   "  - {joint: slide, force: 8}\n"
                   "  - {joint: slide, target: 0.5, kp: 3, kd: 2, max_force: 6, frequency: 1}\n"
                   "  - {joint: slide, friction: 0.3, damping: 2}\n"
                   "motions:\n"
                   "  - {body: belt, angular_velocity: [0, 0, 2], frequency: 3, start: 1}\n");
    const Controls& c = scene.controls;
    ASSERT_EQ(c.body_forces.size(), 1U);
    EXPECT_EQ(c.body_forces[0].force, Vec3(1, 2, 3));
    EXPECT_EQ(c.body_forces[0].torque, Vec3(4, 5, 6));
    EXPECT_TRUE(c.body_forces[0].in_body_frame);
    EXPECT_EQ(c.body_forces[0].wave.frequency, 2);
    EXPECT_DOUBLE_EQ(c.body_forces[0].wave.phase, std::numbers::pi / 2);
    EXPECT_EQ(c.body_forces[0].window.start, 1);
    EXPECT_EQ(c.body_forces[0].window.end, 2);
    ASSERT_EQ(c.body_springs.size(), 1U);
    EXPECT_EQ(c.body_springs[0].body, 1);
    EXPECT_EQ(c.body_springs[0].max_force, 9);
    EXPECT_EQ(c.body_springs[0].window.end, 4);
    ASSERT_EQ(c.joint_forces.size(), 3U);
    EXPECT_EQ(c.joint_forces[2].mu_c, 0.3);
    EXPECT_EQ(c.joint_forces[2].mu_v, 2);
    EXPECT_FALSE(c.joint_forces[0].pd);
    EXPECT_EQ(c.joint_forces[0].force, 8);
    EXPECT_TRUE(c.joint_forces[1].pd);
    EXPECT_EQ(c.joint_forces[1].target, 0.5);
    EXPECT_EQ(c.joint_forces[1].kp, 3);
    ASSERT_EQ(c.motions.size(), 2U);  // the belt's own velocity is a motion too, so that it lasts
    EXPECT_EQ(c.motions[0].velocity.v, Vec3(1, 0, 0));
    EXPECT_EQ(c.motions[1].velocity.w, Vec3(0, 0, 2));
    EXPECT_EQ(scene.state.twist[2].v, Vec3(1, 0, 0));
    EXPECT_EQ(scene.state.twist[2].w, Vec3::Zero());  // starts at 1 s
}

TEST(Forces, RepeatWithTheirIndex) {
    const SceneFiles files;
    const Scene scene = files.load(
        "version: 1\n"
        "contact: {model: no_slip}\n"
        "bodies: [{name: b, repeat: 3, mass: 1, position: [i, 0, 0], shape: {type: sphere, radius: "
        "0.1}}]\n"
        "joints:\n"
        "  - {name: link, repeat: 2, type: spherical, parent: 'b_{i}', child: 'b_{i + 1}', anchor: "
        "[i + 0.5, 0, 0]}\n"
        "forces: [{repeat: {count: 3}, body: 'b_{i}', force: [0, 0, 10*i]}]\n");
    ASSERT_EQ(scene.model.joints.size(), 2U);
    EXPECT_EQ(scene.model.joints[1].name, "link_1");
    EXPECT_EQ(scene.model.joints[1].parent, 1);
    EXPECT_EQ(scene.model.joints[1].child, 2);
    ASSERT_EQ(scene.controls.body_forces.size(), 3U);
    EXPECT_EQ(scene.controls.body_forces[2].body, 2);
    EXPECT_EQ(scene.controls.body_forces[2].force, Vec3(0, 0, 20));
}

}  // namespace
}  // namespace stiction
