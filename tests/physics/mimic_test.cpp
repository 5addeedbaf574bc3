// Joints that mimic others: a gripper whose second finger follows the first, moved by a motor and
// by a force, in both kinds of coordinates and under every contact model.
#include <cmath>

#include "scene/scene_files.h"
#include "scene_runs.h"

namespace stiction {
namespace {

constexpr double kMultiplier = -0.5;
constexpr double kOffset = 0.01;

std::string finger(const std::string& name, const std::string& side, const std::string& extra) {
    return "<link name='" + name +
           "'><inertial><mass value='0.2'/><inertia ixx='1e-4' iyy='1e-4' izz='1e-4' ixy='0' "
           "ixz='0' iyz='0'/></inertial><collision><geometry><box size='0.02 0.02 0.1'/></geometry>"
           "</collision></link>\n<joint name='" +
           name + "_joint' type='prismatic'><parent link='palm'/><child link='" + name +
           "'/><origin xyz='0 " + side + " 0.1'/><axis xyz='0 1 0'/>" + extra + "</joint>\n";
}

// A palm that turns about z and has two fingers along y; the second mimics the first.
std::string gripper() {
    return "<robot name='gripper'>\n<link name='base'/>\n"
           "<link name='palm'><inertial><mass value='1'/><inertia ixx='1e-3' iyy='1e-3' izz='1e-3' "
           "ixy='0' ixz='0' iyz='0'/></inertial></link>\n"
           "<joint name='turn' type='continuous'><parent link='base'/><child link='palm'/>"
           "<axis xyz='0 0 1'/></joint>\n" +
           finger("left", "0.1", "<limit lower='-0.1' upper='0.1' effort='10' velocity='1'/>") +
           finger("right", "-0.1",
                  "<limit lower='-0.03' upper='0.1' effort='10' velocity='1'/>"
                  "<mimic joint='left_joint' multiplier='-0.5' offset='0.01'/>") +
           "</robot>\n";
}

std::string scene_text(const std::string& model, const std::string& coordinates,
                       const std::string& more) {
    return "version: 1\ncontact: {model: " + model +
           "}\ngravity: [0, 0, 0]\nstep: {h: 0.002}\nrobots:\n"
           "  - {name: g, urdf: gripper.urdf, fixed_base: true, coordinates: " +
           coordinates + more;
}

double coordinate(const Simulation& sim, const std::string& name) {
    for (const Joint& joint : sim.model.joints) {
        if (joint.name == name) return joint_coordinate(sim.state, joint).position;
    }
    ADD_FAILURE() << "no joint named " << name;
    return 0;
}

double error(const Simulation& sim) {
    return coordinate(sim, "g/right_joint") - kMultiplier * coordinate(sim, "g/left_joint") -
           kOffset;
}

// A motor opens and closes the first finger while the palm is turned: the second follows.
TEST(Mimic, FollowsTheMotor) {
    const SceneFiles files;
    files.write("gripper.urdf", gripper());
    for (const std::string coordinates : {"maximal", "reduced"}) {
        for (const std::string_view model : kContactModelNames) {
            SCOPED_TRACE(coordinates + " " + std::string(model));
            const Scene scene = files.load(
                scene_text(std::string(model), coordinates,
                           ", joints: {left_joint: {motor: {position: 0.06, kp: 50, kd: 5}}}}\n"
                           "forces: [{joint: g/turn, force: 0.01}]\n"));
            Simulation sim = simulate(scene, scene.contact);
            double moved = 0;
            for (int i = 0; i < 500; ++i) {
                if (i == 250) sim.model.joints[1].motor.target = -0.05;
                take_steps(sim, 1);
                ASSERT_LT(std::abs(error(sim)), 1e-9) << "step " << i;
                moved = std::max(moved, std::abs(coordinate(sim, "g/right_joint") - kOffset));
            }
            EXPECT_GT(moved, 0.02);
            EXPECT_GT(std::abs(coordinate(sim, "g/turn")), 0.5);
        }
    }
}

// A force F on the mimic: (m_left + k^2 m_right) q'' = k F.
TEST(Mimic, CarriesForcesBack) {
    const SceneFiles files;
    files.write("gripper.urdf", gripper());
    for (const std::string coordinates : {"maximal", "reduced"}) {
        const Scene scene = files.load(scene_text(
            "no_slip", coordinates, "}\nforces: [{joint: g/right_joint, force: 0.1}]\n"));
        Simulation sim = simulate(scene, scene.contact);
        take_steps(sim, 50);
        const double a = kMultiplier * 0.1 / (0.2 + kMultiplier * kMultiplier * 0.2);
        const double t = sim.state.time;
        EXPECT_NEAR(coordinate(sim, "g/left_joint"), 0.5 * a * t * (t + scene.step.h), 1e-9);
    }
}

// The limits of both hold: the second finger may not go below -0.03, so the first stops at 0.08.
TEST(Mimic, KeepsTheLimitsOfBoth) {
    const SceneFiles files;
    files.write("gripper.urdf", gripper());
    const Scene scene = files.load(
        scene_text("coulomb_cone", "reduced", "}\nforces: [{joint: g/left_joint, force: 1}]\n"));
    Simulation sim = simulate(scene, scene.contact);
    take_steps(sim, 500);
    EXPECT_NEAR(coordinate(sim, "g/left_joint"), 0.08, 1e-6);
    EXPECT_NEAR(coordinate(sim, "g/right_joint"), -0.03, 1e-6);
}

// Drift is projected away, whatever brought it about.
TEST(Mimic, DriftIsRemoved) {
    const SceneFiles files;
    files.write("gripper.urdf", gripper());
    for (const std::string coordinates : {"maximal", "reduced"}) {
        const Scene scene = files.load(scene_text("no_slip", coordinates, "}\n"));
        Simulation sim = simulate(scene, scene.contact);
        sim.state.pose[body_named(sim.model, "g/right")].p.y() += 1e-3;
        EXPECT_NEAR(error(sim), 1e-3, 1e-12);
        take_steps(sim, 2);
        EXPECT_LT(std::abs(error(sim)), 1e-9) << coordinates;
        EXPECT_LT(sim.state.twist[body_named(sim.model, "g/right")].v.norm(), 1e-12);
    }
}

// Gears written in the scene: a wheel that turns twice as fast the other way round, over many
// turns.
TEST(Mimic, GearsOfAScene) {
    const SceneFiles files;
    const std::string wheel = ", mass: 1, shape: {type: cylinder, radius: 0.1, length: 0.02}}\n";
    const std::string text =
        "version: 1\ncontact: {model: no_slip}\ngravity: [0, 0, 0]\nstep: {h: 0.002}\n"
        "bodies:\n  - {name: a" +
        wheel + "  - {name: b, position: [1, 0, 0]" + wheel +
        "joints:\n"
        "  - {name: first, type: revolute, child: a, axis: [0, 0, 1], motor: {velocity: 7}}\n"
        "  - {name: second, type: revolute, child: b, axis: [0, 0, 1], mimic: {joint: first, "
        "multiplier: -2";
    const Scene scene = files.load(text + "}}\n");
    Simulation sim = simulate(scene, scene.contact);
    for (int i = 0; i < 2000; ++i) {
        take_steps(sim, 1);
        ASSERT_LT(std::abs(mimic_error(sim.model, sim.state, sim.model.joints[1])), 1e-9);
    }
    EXPECT_NEAR(joint_coordinate(sim.state, sim.model.joints[1]).velocity, -14, 1e-9);
    EXPECT_EQ(files.error_of(text + ", offset: 0.5}}\n"),
              "scene.yaml:10:70: joints[1] 'second': mimic: the joint does not start where it "
              "should; expected a 'start' that is multiplier * that of 'first' + offset");
}

// Both start at 0 however the bodies are turned: the angle is the one since the initial pose.
TEST(Mimic, BodiesMayBeTurnedAtTheStart) {
    const std::string ball = ", mass: 1, shape: {type: sphere, radius: 0.1}}\n";
    const Scene scene = SceneFiles().load(
        "version: 1\ncontact: {model: no_slip}\nbodies:\n  - {name: a" + ball +
        "  - {name: b, orientation: {rpy: [0.3, -0.7, 2]}" + ball +
        "joints:\n  - {name: first, type: revolute, child: a, axis: [0, 1, 0]}\n"
        "  - {name: second, type: revolute, child: b, axis: [1, 2, 3], mimic: {joint: first}}\n");
    EXPECT_NEAR(mimic_error(scene.model, scene.state, scene.model.joints[1]), 0, 1e-14);
}

TEST(Mimic, MistakesAreTold) {
    const SceneFiles files;
    files.write("gripper.urdf", gripper());
    EXPECT_EQ(files.error_of(
                  scene_text("no_slip", "reduced", ", joints: {right_joint: {position: 0.05}}}\n")),
              "scene.yaml:6:108: robots[0] 'g': joints.right_joint.position: the joint mimics "
              "another and starts at 0.01, got 0.05");
    EXPECT_EQ(files.error_of(scene_text("no_slip", "reduced",
                                        ", ignore: [mimic], joints: {right_joint: {position: "
                                        "0.05}}}\n")),
              "");
}

}  // namespace
}  // namespace stiction
