// Robots in scenes: what a URDF file becomes, that it moves like the same thing written by hand,
// and what is said about entries that do not work.
#include <algorithm>
#include <cmath>

#include "model/mesh_surface.h"
#include "scene/scene_files.h"
#include "scene_runs.h"

namespace stiction {
namespace {

const std::string kData = std::filesystem::absolute("tests/import/data").string() + "/";
const std::string kArm = kData + "robot_description/urdf/arm.urdf";
const std::string kRobotsHead =
    "version: 1\ncontact: {model: coulomb_cone}\n";  // robots start in line 3

std::string arm(const std::string& keys) {
    return kRobotsHead + "robots:\n  - {name: arm, urdf: " + kArm +
           ", ignore: [mimic], density_for_massless: 1000" + (keys.empty() ? "" : ", " + keys) +
           "}\n";
}

const Joint& joint_named(const Scene& scene, const std::string& name) {
    const auto& all = scene.model.joints;
    const auto it =
        std::find_if(all.begin(), all.end(), [&](const Joint& j) { return j.name == name; });
    EXPECT_NE(it, all.end()) << name;
    return *it;
}

double coordinate(const Scene& scene, const std::string& joint) {
    return joint_coordinate(scene.state, joint_named(scene, joint)).position;
}

const Pose& pose_of(const Scene& scene, const std::string& body) {
    return scene.state.pose[body_named(scene.model, body)];
}

// A link with a visual mesh and a box to collide with, one with a box alone, and one that a fixed
// joint makes part of the first.
TEST(Robots, VisualsAreDrawnWhereTheyAreAskedFor) {
    const SceneFiles files;
    const std::string inertial =
        "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>"
        "<origin xyz='0 0 0.5'/></inertial>";
    const std::string box = "<geometry><box size='0.1 0.1 0.1'/></geometry>";
    files.write(
        "seen.urdf",
        "<robot name='seen'><link name='base'>" + inertial + "<collision>" + box +
            "</collision><visual><origin xyz='0 0 2'/><geometry><mesh filename='file://" + kData +
            "cube.obj' scale='2 1 1'/></geometry></visual></link><link name='tip'>" + inertial +
            "<collision>" + box + "</collision></link><link name='knob'><visual>" +
            "<geometry><sphere radius='0.2'/></geometry></visual></link>"
            "<joint name='hinge' type='continuous'><parent link='base'/><child link='tip'/>"
            "<axis xyz='0 0 1'/></joint><joint name='weld' type='fixed'><parent "
            "link='base'/><child link='knob'/><origin xyz='1 0 0'/></joint></robot>");
    const std::string robot = kRobotsHead + "robots:\n  - {name: r, urdf: seen.urdf";
    const Scene plain = files.load(robot + "}\n");
    EXPECT_TRUE(plain.model.visuals.empty());
    for (const Geom& geom : plain.model.geoms) EXPECT_FALSE(geom.hidden);

    const Scene seen = files.load(robot + ", visuals: true}\n");
    ASSERT_EQ(seen.model.geoms.size(), plain.model.geoms.size());  // collision is the same
    ASSERT_EQ(seen.model.visuals.size(), 2U);
    const int base = static_cast<int>(body_named(seen.model, "r/base"));
    for (const Geom& geom : seen.model.geoms) EXPECT_EQ(geom.hidden, geom.body == base);
    const Visual& cube = seen.model.visuals[0];
    EXPECT_EQ(cube.body, base);
    EXPECT_LT((cube.pose_BG.p - Vec3(0, 0, 1.5)).norm(), 1e-12);  // from the centre of mass
    const auto& surface = *std::get<TriangleMesh>(cube.shape).surface;
    EXPECT_EQ(surface.triangles(), 12);
    EXPECT_LT((surface.box().sizes() - Vec3(2, 1, 1)).norm(), 1e-12);
    EXPECT_EQ(std::get<Sphere>(seen.model.visuals[1].shape).radius, 0.2);
    EXPECT_LT((seen.model.visuals[1].pose_BG.p - Vec3(1, 0, -0.5)).norm(), 1e-12);
}

TEST(Robots, LinksBecomeBodiesAndJoints) {
    const SceneFiles files;
    const Scene scene = files.load(arm("fixed_base: true"));
    const Model& model = scene.model;
    ASSERT_EQ(model.bodies.size(), 6U);  // base_link + base, upper, forearm + tool0, fingers, part
    EXPECT_EQ(model.bodies[0].name, "arm/base_link");
    EXPECT_EQ(model.bodies[0].kind, BodyKind::kStatic);
    EXPECT_EQ(model.joints.size(), 4U);
    EXPECT_EQ(model.geoms.size(), 5U);
    EXPECT_EQ(model.nv, 30);
    const Body& part = model.bodies[body_named(scene.model, "arm/part")];
    EXPECT_NEAR(part.mass, 1, 1e-12);  // a cube of 0.1 m at 1000 kg/m^3
    EXPECT_NEAR(part.inertia_B(0, 0), 0.01 / 6, 1e-15);

    const Joint& shoulder = joint_named(scene, "arm/shoulder");
    EXPECT_EQ(shoulder.parent, 0);
    EXPECT_EQ(shoulder.child, static_cast<int>(body_named(scene.model, "arm/upper")));
    EXPECT_TRUE(shoulder.limited);
    EXPECT_EQ(shoulder.lower, -1);
    EXPECT_EQ(shoulder.upper, 2);
    EXPECT_EQ(shoulder.damping, 0.5);
    EXPECT_EQ(shoulder.friction, 0.25);
    EXPECT_EQ(shoulder.motor.kind, Motor::Kind::kOff);
    EXPECT_FALSE(joint_named(scene, "arm/elbow").limited);
    // The axis (0, 3, 4)/5 of the joint frame, which is turned by 90 degrees about z.
    const Vec3 axis = pose_of(scene, "arm/upper").q * (shoulder.frame_C.q * Vec3::UnitZ());
    EXPECT_NEAR((axis - Vec3(-0.6, 0, 0.8)).norm(), 0, 1e-14);
}

TEST(Robots, StartPosesFollowFromTheJoints) {
    const SceneFiles files;
    const Scene scene =
        files.load(arm("position: [1, 2, 3], orientation: {axis: [0, 0, 1], angle: 90 deg}, "
                       "joints: {shoulder: {position: 30 deg}, elbow: {position: -2.5}, "
                       "finger_left: {position: 0.03}}"));
    EXPECT_NEAR(coordinate(scene, "arm/shoulder"), M_PI / 6, 1e-14);
    EXPECT_NEAR(coordinate(scene, "arm/elbow"), -2.5, 1e-14);
    EXPECT_NEAR(coordinate(scene, "arm/finger_left"), 0.03, 1e-14);
    EXPECT_NEAR(coordinate(scene, "arm/finger_right"), 0.5 * 0.03 + 0.01, 1e-14);  // mimics it
    for (const Joint& joint : scene.model.joints) {  // nothing to repair before the first step
        const Pose child = scene.state.pose[at(joint.child)] * joint.frame_C;
        const Pose parent = scene.state.pose[at(joint.parent)] * joint.frame_P;
        const Vec3 apart = parent.q.conjugate() * (child.p - parent.p);
        EXPECT_NEAR(joint.kind == JointKind::kPrismatic ? apart.head<2>().norm() : apart.norm(), 0,
                    1e-14)
            << joint.name;
        EXPECT_NEAR((child.q * Vec3::UnitZ() - parent.q * Vec3::UnitZ()).norm(), 0, 1e-14);
    }
    // The base's centre of mass is 0.1 m above the robot's origin.
    EXPECT_NEAR((pose_of(scene, "arm/base_link").p - Vec3(1, 2, 3.1)).norm(), 0, 1e-14);
    EXPECT_EQ(scene.model.bodies[0].kind, BodyKind::kDynamic);
    // A start that nobody gives is zero or, where that is past a limit, the limit.
    const Scene plain = files.load(arm(""));
    EXPECT_NEAR(coordinate(plain, "arm/finger_left"), 0.005, 1e-15);
    EXPECT_NEAR(coordinate(plain, "arm/finger_right"), 0.0125, 1e-15);
}

// Reduced coordinates: the robot is one tree, its unknowns the joints' velocities.
TEST(Robots, ReducedCoordinates) {
    const SceneFiles files;
    const std::string keys = "fixed_base: true, joints: {elbow: {armature: 0.25}}";
    const Scene fixed = files.load(arm(keys + ", coordinates: reduced"));
    EXPECT_EQ(fixed.model.nv, 4 + 6);  // the arm's joints, and the part that nothing holds
    EXPECT_EQ(joint_named(fixed, "arm/elbow").armature, 0.25);
    const Scene floating = files.load(arm("coordinates: reduced"));
    EXPECT_EQ(floating.model.nv, 6 + 4 + 6);
    EXPECT_EQ(files.load("version: 1\ncoordinates: reduced\n" + arm(keys).substr(11)).model.nv, 10);
    EXPECT_EQ(files.load(arm(keys)).model.nv, 30);
}

TEST(Robots, MotorsTakeTheEffortOfTheFile) {
    const SceneFiles files;
    const Scene scene = files.load(
        arm("hold: {kp: 100, kd: 10}, joints: {shoulder: {position: 0.5}, elbow: {motor: "
            "{velocity: 2}, friction: 3, damping: 4}, finger_right: {motor: {position: 0.02, kp: "
            "7, max_force: 5}}}"));
    const Joint& shoulder = joint_named(scene, "arm/shoulder");
    EXPECT_EQ(shoulder.motor.kind, Motor::Kind::kPosition);
    EXPECT_EQ(shoulder.motor.target, 0.5);
    EXPECT_EQ(shoulder.motor.kp, 100);
    EXPECT_EQ(shoulder.motor.kd, 10);
    EXPECT_EQ(shoulder.motor.max_force, 50);
    const Joint& elbow = joint_named(scene, "arm/elbow");
    EXPECT_EQ(elbow.motor.kind, Motor::Kind::kVelocity);
    EXPECT_EQ(elbow.motor.target, 2);
    EXPECT_TRUE(std::isinf(elbow.motor.max_force));
    EXPECT_EQ(elbow.friction, 3);
    EXPECT_EQ(elbow.damping, 4);
    EXPECT_EQ(joint_named(scene, "arm/finger_right").motor.max_force, 5);
    EXPECT_TRUE(std::isinf(joint_named(scene, "arm/finger_left").motor.max_force));  // effort 0
}

const std::string kPendulum = kRobotsHead + "robots:\n  - {name: p, urdf: " + kData +
                              "double_pendulum.urdf, fixed_base: true, position: [0.3, 0.2, 2], "
                              "joints: {upper_hinge: {position: 60 deg}, lower_hinge: {position: "
                              "30 deg}}}\n";

// The same pendulum written by hand: bodies where the angles put them, hinges at their anchors.
const std::string kByHand = kRobotsHead +
                            R"(parameters: {a: 60 deg, b: 90 deg}
bodies:
  - {name: support, kind: static, position: [0.3, 0.2, 2]}
  - name: upper
    mass: 2
    inertia: [0.17, 0.18, 0.02]
    com: [0, 0, 0]
    position: [0.3 - 0.5*sin(a), 0.2, 2 - 0.5*cos(a)]
    orientation: {axis: [0, 1, 0], angle: a}
    shape: {type: box, size: [0.1, 0.1, 1]}
  - name: lower
    mass: 1
    inertia: [0.022, 0.021, 0.003]
    com: [0, 0, 0]
    position: [0.3 - sin(a) - 0.25*sin(b), 0.2, 2 - cos(a) - 0.25*cos(b)]
    orientation: {axis: [0, 1, 0], angle: b}
    shape: {type: box, size: [0.08, 0.08, 0.5]}
joints:
  - {name: upper_hinge, type: revolute, parent: support, child: upper, anchor: [0.3, 0.2, 2],
     axis: [0, 1, 0], start: a, damping: 0.01}
  - {name: lower_hinge, type: revolute, parent: upper, child: lower,
     anchor: [0.3 - sin(a), 0.2, 2 - cos(a)], axis: [0, 1, 0], start: b - a, limits: [-2, 2],
     friction: 0.02}
)";

// The two differ by rounding of the start alone, which half a second hardly amplifies: 5e-15
// measured.
TEST(Robots, APendulumSwingsLikeTheOneWrittenByHand) {
    const SceneFiles files;
    const Scene from_urdf = files.load(kPendulum);
    const Scene by_hand = files.load(kByHand);
    ASSERT_EQ(from_urdf.model.bodies.size(), by_hand.model.bodies.size());
    for (const char* model : {"no_slip", "coulomb_cone"}) {
        Simulation a = simulate(from_urdf, model_named(model));
        Simulation b = simulate(by_hand, model_named(model));
        double largest = 0;
        for (int i = 0; i <= 500; ++i) {
            for (std::size_t k = 0; k < a.state.pose.size(); ++k) {
                largest = std::max(largest, (a.state.pose[k].p - b.state.pose[k].p).norm());
                largest = std::max(largest, a.state.pose[k].q.angularDistance(b.state.pose[k].q));
            }
            if (i == 0) {
                EXPECT_LT(largest, 1e-14);
            }
            take_steps(a, 1);
            take_steps(b, 1);
        }
        EXPECT_LT(largest, 1e-12) << model;
        EXPECT_GT((a.state.pose[2].p - from_urdf.state.pose[2].p).norm(), 0.5) << "it moved";
    }
}

// Shapes of one robot leave each other alone unless told; other bodies see them.
TEST(Robots, CollisionsWithItselfAreOffUnlessAskedFor) {
    const SceneFiles files;
    const auto collide = [](const Geom& a, const Geom& b) {
        return (a.group & b.mask) != 0 && (b.group & a.mask) != 0;
    };
    const std::string ball =
        "bodies:\n  - {name: ball, mass: 1, position: [9, 0, 0], shape: {type: sphere, radius: "
        "1}}\n  - {name: ghost, mass: 1, position: [-9, 0, 0], shape: {type: sphere, radius: 1}, "
        "mask: [default]}\n";
    const Scene off = files.load(arm("material: {friction: 0.9}") + ball);
    const auto& geoms = off.model.geoms;
    ASSERT_EQ(geoms.size(), 7U);
    for (std::size_t i = 2; i < geoms.size(); ++i) {
        EXPECT_TRUE(collide(geoms[0], geoms[i]));
        EXPECT_FALSE(collide(geoms[1], geoms[i]));
        EXPECT_EQ(off.model.materials[at(geoms[i].material)].surface.mu_c, 0.9);
        for (std::size_t j = 2; j < geoms.size(); ++j) EXPECT_FALSE(collide(geoms[i], geoms[j]));
    }
    const Scene on = files.load(arm("collide_with_itself: true") + ball);
    EXPECT_TRUE(collide(on.model.geoms[2], on.model.geoms[3]));
}

TEST(Robots, PartsCanBeNamedInTheScene) {
    const SceneFiles files;
    const Scene scene = files.load(
        arm("fixed_base: true") +
        "bodies:\n  - {name: load, mass: 1, position: [0, 0, 5], shape: {type: sphere, radius: "
        "0.1}}\n"
        "joints:\n  - {type: fixed, parent: arm/part, child: load}\n"
        "forces:\n  - {joint: arm/shoulder, target: 1, kp: 2}\n"
        "  - {body: arm/forearm, force: [1, 0, 0], at: [0, 0, 0.15]}\n");
    EXPECT_EQ(scene.model.joints.back().parent,
              static_cast<int>(body_named(scene.model, "arm/part")));
    ASSERT_EQ(scene.controls.body_forces.size(), 1U);
    EXPECT_NEAR(scene.controls.body_forces[0].point_B.norm(), 0, 1e-15);  // its centre of mass
}

TEST(Robots, CopiesStandApart) {
    const SceneFiles files;
    const Scene scene = files.load(arm("repeat: {count: 3, spacing: [2, 0, 0]}"));
    EXPECT_EQ(scene.model.bodies.size(), 18U);
    EXPECT_NEAR(
        (pose_of(scene, "arm_2/upper").p - pose_of(scene, "arm_0/upper").p - Vec3(4, 0, 0)).norm(),
        0, 1e-14);
    EXPECT_NE(scene.model.geoms[0].group, scene.model.geoms[5].group);
}

TEST(Robots, EveryKeyAtOnce) {
    const Scene scene = load_scene("tests/scene/data/robots.yaml");
    EXPECT_EQ(scene.model.bodies.size(), 13U);
    EXPECT_EQ(scene.model.geoms.size(), 9U);  // without the mesh
    EXPECT_EQ(joint_named(scene, "arm_1/shoulder").motor.max_force, 100);
    EXPECT_EQ(joint_named(scene, "arm_1/elbow").motor.kind, Motor::Kind::kVelocity);
    EXPECT_EQ(joint_named(scene, "arm_1/finger_left").motor.kind, Motor::Kind::kOff);
    EXPECT_EQ(joint_named(scene, "arm_1/finger_right").motor.kind, Motor::Kind::kPosition);
}

const char* const kTurret =
    "<robot name='t'>\n<link name='world'/>\n<link name='Link 1'><inertial><mass value='1'/>"
    "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>\n"
    "<joint name='/turn' type='revolute'><parent link='world'/><child link='Link 1'/>"
    "<axis xyz='0 0 1'/><limit lower='LOWER' upper='UPPER' effort='1' velocity='1'/></joint>\n"
    "</robot>\n";

std::string turret(const std::string& lower, const std::string& upper) {
    std::string text = kTurret;
    text.replace(text.find("LOWER"), 5, lower);
    return text.replace(text.find("UPPER"), 5, upper);
}

TEST(Robots, ALinkNamedWorldIsFixedAndNamesAreMadeToFit) {
    const SceneFiles files;
    files.write("t.urdf", turret("-1", "1"));
    const Scene scene = files.load(kRobotsHead + "robots: [{name: t, urdf: t.urdf}]\n");
    EXPECT_EQ(scene.model.bodies[0].name, "t/world");
    EXPECT_EQ(scene.model.bodies[0].kind, BodyKind::kStatic);
    EXPECT_EQ(scene.model.bodies[1].name, "t/Link_1");
    EXPECT_EQ(scene.model.joints[0].name, "t/turn");
}

// Limits beyond half a turn: the angle is read around their middle. A turn or more apart they
// cannot be told from the poses.
TEST(Robots, LimitsBeyondHalfATurn) {
    const SceneFiles files;
    const auto load = [&](double position) {
        return files.load(kRobotsHead +
                          "robots: [{name: t, urdf: t.urdf, joints: {/turn: {position: " +
                          exactly(position) + "}}}]\n");
    };
    files.write("t.urdf", turret("0.8", "5.5"));
    for (const double angle : {0.9, 3.0, 3.3, 4.0, 5.4}) {
        EXPECT_NEAR(coordinate(load(angle), "t/turn"), angle, 1e-14);
    }
    for (const std::string coordinates : {"maximal", "reduced"}) {
        // Driven on, it stops at its limit instead of going round.
        const Scene scene = files.load(
            kRobotsHead + "robots: [{name: t, urdf: t.urdf, coordinates: " + coordinates +
            ", joints: {/turn: {position: 5.4, motor: {velocity: 1, max_force: 10}}}}]\n");
        Simulation sim = simulate(scene, scene.contact);
        take_steps(sim, 500);
        EXPECT_NEAR(joint_coordinate(sim.state, scene.model.joints[0]).position, 5.5, 1e-6)
            << coordinates;
    }

    files.write("t.urdf", turret("-6.2831853072", "6.2831853072"));
    EXPECT_FALSE(load(1).model.joints[0].limited);
}

TEST(RobotErrors, EntriesThatDoNotWork) {
    const SceneFiles files;
    files.write("t.urdf", turret("-1", "1"));
    const auto error = [&](const std::string& keys) {
        return files.error_of(kRobotsHead + "robots:\n  - {" + keys + "}\n");
    };
    const std::string t = "name: t, urdf: t.urdf";
    EXPECT_EQ(error(t), "");
    EXPECT_EQ(error("urdf: t.urdf"),
              "scene.yaml:4:5: robots[0]: key 'name' is missing; expected the robot's name");
    EXPECT_EQ(error("name: t"), "scene.yaml:4:5: robots[0]: key 'urdf' is missing");
    EXPECT_EQ(error("name: t, urdf: none.urdf"),
              "scene.yaml:4:21: robots[0].urdf: 'none.urdf' is not a file (looked for none.urdf); "
              "expected a URDF file, relative to this file");
    EXPECT_EQ(error(t + ", packages: [nowhere]"),
              "scene.yaml:4:40: robots[0].packages[0]: 'nowhere' is not a folder (looked for "
              "nowhere); expected one that holds packages, relative to this file");
    EXPECT_EQ(error(t + ", fixd_base: true"),
              "scene.yaml:4:29: robots[0]: unknown key 'fixd_base'; did you mean 'fixed_base'?");
    EXPECT_EQ(error(t + ", coordinates: minimal"),
              "scene.yaml:4:42: robots[0] 't': coordinates: unknown coordinates 'minimal'; did you "
              "mean 'maximal'?");
    EXPECT_EQ(error(t + ", ignore: [mesh]"),
              "scene.yaml:4:38: robots[0].ignore[0]: unknown thing to ignore 'mesh'; did you mean "
              "'meshes'?");
    EXPECT_EQ(error(t + ", group: default"),
              "scene.yaml:4:36: robots[0] 't': group: a robot that does not collide with itself is "
              "in a group of its own, 't'; expected none, or 'collide_with_itself: true'");
    EXPECT_EQ(
        error(t + ", joints: {turn: {}}"),
        "scene.yaml:4:38: robots[0] 't': joints: the robot has no revolute or prismatic joint "
        "'turn'; did you mean '/turn'?");
    EXPECT_EQ(error(t + ", joints: {/turn: {position: 2}}"),
              "scene.yaml:4:56: robots[0] 't': joints./turn.position: must lie within the limits "
              "of the URDF, -1 to 1, got 2");
    EXPECT_EQ(error(t + "}\n  - {name: t, urdf: t.urdf"),
              "scene.yaml:5:5: robots[1]: a second group named 't'; the first is at "
              "scene.yaml:4:5");
}

TEST(RobotErrors, RobotsThatDoNotWork) {
    const SceneFiles files;
    const auto error = [&](const std::string& urdf, const std::string& keys = "") {
        files.write("r.urdf", urdf);
        return files.error_of(kRobotsHead + "robots:\n  - {name: r, urdf: r.urdf" + keys + "}\n");
    };
    EXPECT_EQ(error("<robot name='r'>\n<link name='a'/>\n<link name='b'/>\n</robot>"),
              "r.urdf:3:1: links 'a' and 'b' both have no parent; expected one root");
    EXPECT_EQ(error("<robot name='r'>\n<link name='a'/>\n</robot>"),
              "scene.yaml:4:5: robots[0] 'r': link 'a' (r.urdf:2:1) has no mass and no shape, but "
              "moves; expected an inertial in the URDF");
    const std::string box =
        "<collision><geometry><box size='1 1 1'/></geometry></collision></link></robot>";
    EXPECT_EQ(error("<robot name='r'>\n<link name='a'>" + box),
              "scene.yaml:4:5: robots[0] 'r': link 'a' (r.urdf:2:1) has no mass, but moves; "
              "expected an inertial in the URDF, or 'density_for_massless' here");
    EXPECT_EQ(error("<robot name='r'>\n<link name='a'>" + box, ", density_for_massless: 10"), "");
    EXPECT_EQ(error("<robot name='r'>\n<link name='a'><inertial><mass value='1'/><inertia ixx='0' "
                    "iyy='0' izz='0' ixy='0' ixz='0' iyz='0'/></inertial>" +
                    box),
              "scene.yaml:4:5: robots[0] 'r': link 'a' (r.urdf:2:1) has the principal moments 0 0 "
              "0 kg m^2: must all be > 0");
}

// A robot of others: DRC Hubo, 40 kg on 51 joints, from Debian's dart-doc. Held by its motors it
// stands: it neither sinks nor tips, and the ground carries its weight.
TEST(Robots, AHumanoidOfOthersStands) {
    const std::string urdf = "/usr/share/doc/dart/data/urdf/drchubo/drchubo.urdf";
    if (!std::filesystem::exists(urdf)) GTEST_SKIP() << urdf << " is missing (package dart-doc)";
    const SceneFiles files;
    for (const std::string coordinates : {"maximal", "reduced"}) {
        SCOPED_TRACE(coordinates);
        const Scene scene =
            files.load(kRobotsHead + "step: {h: 0.002}\ncoordinates: " + coordinates +
                       "\nbodies: [{name: ground, kind: static, shape: {type: plane}}]\n"
                       "robots: [{name: hubo, urdf: " +
                       urdf + ", position: [0, 0, 0.9611], hold: {kp: 3000, kd: 100}}]\n");
        EXPECT_EQ(scene.model.joints.size(), 51U);
        Simulation sim = simulate(scene, scene.contact);
        take_steps(sim, 250);
        EXPECT_LT(energy(scene.model, sim.state).kinetic, 1e-4);
        const std::size_t torso = body_named(scene.model, "hubo/Body_Torso");
        EXPECT_LT((sim.state.pose[torso].p - scene.state.pose[torso].p).norm(), 0.01);
    }
}

}  // namespace
}  // namespace stiction
