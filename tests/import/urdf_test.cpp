// Robots from URDF files: numbers worked out by hand.
#include "import/urdf.h"

#include <cmath>

#include "import/temporary_folder.h"

namespace stiction {
namespace {

const std::string kArm = "tests/import/data/robot_description/urdf/arm.urdf";

const RobotLink& link_named(const ImportedRobot& robot, const std::string& name) {
    for (const RobotLink& link : robot.links) {
        if (link.name == name) return link;
    }
    ADD_FAILURE() << "no link " << name;
    return robot.links[0];
}

const RobotJoint& joint_named(const ImportedRobot& robot, const std::string& name) {
    for (const RobotJoint& joint : robot.joints) {
        if (joint.name == name) return joint;
    }
    ADD_FAILURE() << "no joint " << name;
    return robot.joints[0];
}

Mat3 symmetric(double xx, double yy, double zz, double xy, double xz, double yz) {
    Mat3 I;
    I << xx, xy, xz, xy, yy, yz, xz, yz, zz;
    return I;
}

void expect_equal(const Mat3& a, const Mat3& b) {
    EXPECT_NEAR((a - b).norm(), 0, 1e-14) << a << "\nexpected\n" << b;
}
void expect_equal(const Vec3& a, const Vec3& b) {
    EXPECT_NEAR((a - b).norm(), 0, 1e-14) << a.transpose() << ", expected " << b.transpose();
}

TEST(Urdf, LinksComeInTheOrderOfTheTree) {
    const ImportedRobot robot = import_urdf(kArm);
    EXPECT_EQ(robot.name, "arm");
    ASSERT_EQ(robot.links.size(), 8U);
    ASSERT_EQ(robot.joints.size(), 7U);
    EXPECT_EQ(robot.links[0].name, "base_link");
    for (std::size_t j = 0; j < robot.joints.size(); ++j) {
        EXPECT_EQ(robot.joints[j].child, static_cast<int>(j) + 1);
        EXPECT_LT(robot.joints[j].parent, robot.joints[j].child) << robot.joints[j].name;
    }
    EXPECT_EQ(robot.links[at(joint_named(robot, "finger_right").parent)].name, "forearm");
    EXPECT_EQ(link_named(robot, "upper").place, kArm + ":42:3");
}

// The inertial frame is turned by 90 degrees about z: its x is the link's y, its y the link's -x.
TEST(Urdf, InertiaIsTurnedIntoTheLinksFrame) {
    const RobotLink forearm = link_named(import_urdf(kArm), "forearm");
    EXPECT_EQ(forearm.mass, 1);
    expect_equal(forearm.com_L, Vec3(0, 0, 0.15));
    expect_equal(forearm.inertia_L, symmetric(0.012, 0.010, 0.003, -0.001, -0.0002, 0.0005));
}

// rpy turns about the fixed x, then y, then z: with [pi/2, 0, pi/2] x becomes y, y becomes z and z
// becomes x.
TEST(Urdf, RollComesBeforeYaw) {
    const TemporaryFolder folder;
    const ImportedRobot robot = import_urdf(folder.write(
        "r.urdf",
        "<robot name='r'><link name='a'><inertial>"
        "<origin xyz='1 2 3' rpy='1.5707963267948966 0 1.5707963267948966'/><mass value='1'/>"
        "<inertia ixx='1' iyy='2' izz='2.5' ixy='0' ixz='0' iyz='0'/></inertial></link></robot>"));
    expect_equal(robot.links[0].com_L, Vec3(1, 2, 3));
    expect_equal(robot.links[0].inertia_L, symmetric(2.5, 1, 2, 0, 0, 0));
}

TEST(Urdf, JointsHaveAxesLimitsAndDynamics) {
    const ImportedRobot robot = import_urdf(kArm);
    const RobotJoint& shoulder = joint_named(robot, "shoulder");
    EXPECT_EQ(shoulder.kind, RobotJointKind::kRevolute);
    expect_equal(shoulder.axis, Vec3(0, 0.6, 0.8));
    expect_equal(shoulder.origin.p, Vec3(0, 0, 0.1));
    expect_equal(shoulder.origin.q * Vec3::UnitX(), Vec3::UnitY());
    EXPECT_TRUE(shoulder.limited);
    EXPECT_EQ(shoulder.lower, -1);
    EXPECT_EQ(shoulder.upper, 2);
    EXPECT_EQ(shoulder.effort, 50);
    EXPECT_EQ(shoulder.velocity, 3);
    EXPECT_EQ(shoulder.damping, 0.5);
    EXPECT_EQ(shoulder.friction, 0.25);

    const RobotJoint& elbow = joint_named(robot, "elbow");
    EXPECT_EQ(elbow.kind, RobotJointKind::kRevolute);
    EXPECT_FALSE(elbow.limited);
    EXPECT_TRUE(std::isinf(elbow.effort));
    EXPECT_EQ(elbow.damping, 0);

    const RobotJoint& right = joint_named(robot, "finger_right");
    EXPECT_EQ(right.kind, RobotJointKind::kPrismatic);
    ASSERT_TRUE(right.mimic.has_value());
    EXPECT_EQ(robot.joints[at(right.mimic->joint)].name, "finger_left");
    EXPECT_EQ(right.mimic->multiplier, 0.5);
    EXPECT_EQ(right.mimic->offset, 0.01);
    EXPECT_FALSE(joint_named(robot, "finger_left").mimic.has_value());
    EXPECT_EQ(joint_named(robot, "tool").kind, RobotJointKind::kFixed);
    EXPECT_EQ(joint_named(robot, "dropped").kind, RobotJointKind::kFloating);
}

TEST(Urdf, ShapesAreThoseOfCollision) {
    const ImportedRobot robot = import_urdf(kArm);
    const auto& cylinder = std::get<Cylinder>(link_named(robot, "base").shapes.at(0).shape);
    EXPECT_EQ(cylinder.radius, 0.1);
    EXPECT_EQ(cylinder.half_length, 0.1);
    EXPECT_EQ(std::get<Sphere>(link_named(robot, "forearm").shapes.at(0).shape).radius, 0.05);
    const RobotLink& upper = link_named(robot, "upper");
    ASSERT_EQ(upper.shapes.size(), 2U);
    expect_equal(std::get<Box>(upper.shapes[0].shape).half, Vec3(0.03, 0.04, 0.2));
    expect_equal(upper.shapes[0].pose_LG.p, Vec3(0, 0, 0.2));
    const Hull& hull = std::get<Hull>(upper.shapes[1].shape);  // the wedge, scaled
    EXPECT_EQ(hull.vertices.size(), 6U);
    EXPECT_NEAR(solid_properties(hull).volume, 0.5 * 0.1 * 0.1 * 0.2, 1e-10);
    expect_equal(upper.shapes[1].pose_LG.q * Vec3::UnitZ(), Vec3::UnitX());
}

// Two links of 2 kg in one: centre of mass between them, each inertia moved by Steiner's rule.
TEST(Urdf, FixedJointsMergeMassAndShapes) {
    const TemporaryFolder folder;
    const std::string inertial_a =
        "<inertial><mass value='2'/><inertia ixx='0.1' iyy='0.2' izz='0.3' ixy='0' ixz='0' "
        "iyz='0'/></inertial>";
    const std::string inertial_b =
        "<inertial><origin xyz='0.5 0 0'/><mass value='2'/><inertia ixx='0.01' iyy='0.02' "
        "izz='0.03' ixy='0' ixz='0' iyz='0'/></inertial>";
    const ImportedRobot robot = merge_fixed(import_urdf(folder.write(
        "r.urdf",
        "<robot name='r'><link name='a'>" + inertial_a + "</link><link name='b'>" + inertial_b +
            "<collision><origin xyz='1 0 0'/><geometry><sphere radius='1'/></geometry></collision>"
            "</link><link name='c'/><link name='d'>" +
            inertial_a +
            "</link>"
            "<joint name='ab' type='fixed'><parent link='a'/><child link='b'/>"
            "<origin xyz='1 0 0' rpy='0 0 1.5707963267948966'/></joint>"
            "<joint name='bc' type='fixed'><parent link='b'/><child link='c'/>"
            "<origin xyz='0 0 1'/></joint>"
            "<joint name='cd' type='continuous'><parent link='c'/><child link='d'/>"
            "<origin xyz='2 0 0'/><axis xyz='0 0 1'/></joint></robot>")));
    ASSERT_EQ(robot.links.size(), 2U);
    const RobotLink& a = robot.links[0];
    EXPECT_EQ(a.merged, (std::vector<std::string>{"b", "c"}));
    EXPECT_EQ(a.mass, 4);
    expect_equal(a.com_L, Vec3(0.5, 0.25, 0));
    // b's own moments: x and y trade places. Offsets are +-(0.5, 0.25, 0): 2 (|d|^2 1 - d d')
    // twice.
    expect_equal(a.inertia_L,
                 symmetric(0.1 + 0.02 + 0.25, 0.2 + 0.01 + 1, 0.3 + 0.03 + 1.25, -0.5, 0, 0));
    ASSERT_EQ(a.shapes.size(), 1U);
    expect_equal(a.shapes[0].pose_LG.p, Vec3(1, 1, 0));
    ASSERT_EQ(robot.joints.size(), 1U);
    EXPECT_EQ(robot.joints[0].parent, 0);
    EXPECT_EQ(robot.joints[0].child, 1);
    expect_equal(robot.joints[0].origin.p, Vec3(1, 2, 1));
    expect_equal(robot.joints[0].origin.q * Vec3::UnitX(), Vec3::UnitY());
}

TEST(Urdf, MergingKeepsWhatAJointMimics) {
    const ImportedRobot robot = merge_fixed(import_urdf(kArm));
    ASSERT_EQ(robot.links.size(), 6U);
    EXPECT_EQ(robot.links[0].mass, 5);
    expect_equal(robot.links[0].com_L, Vec3(0, 0, 0.1));
    const RobotJoint& right = joint_named(robot, "finger_right");
    EXPECT_EQ(robot.joints[at(right.mimic->joint)].name, "finger_left");
    EXPECT_EQ(robot.links[at(joint_named(robot, "dropped").parent)].name, "forearm");
    expect_equal(joint_named(robot, "dropped").origin.p, Vec3(0, 0, 0.45));
}

// Planar arm of two links of length 2 and 1, then a slide along the second.
TEST(Urdf, ForwardKinematicsOfAPlanarArm) {
    const TemporaryFolder folder;
    const ImportedRobot robot = import_urdf(folder.write(
        "r.urdf",
        "<robot name='r'><link name='a'/><link name='b'/><link name='c'/><link name='d'/>"
        "<joint name='1' type='continuous'><parent link='a'/><child link='b'/>"
        "<axis xyz='0 0 1'/></joint>"
        "<joint name='2' type='continuous'><parent link='b'/><child link='c'/>"
        "<origin xyz='2 0 0'/><axis xyz='0 0 -1'/></joint>"
        "<joint name='3' type='prismatic'><parent link='c'/><child link='d'/>"
        "<origin xyz='1 0 0'/><limit lower='0' upper='9' effort='1' velocity='1'/></joint>"
        "</robot>"));
    const double q1 = 0.7, q2 = 0.4, q3 = 0.25;
    const std::vector<Pose> poses = link_poses(robot, {q1, q2, q3});
    const auto along = [](double angle) -> Vec3 { return {std::cos(angle), std::sin(angle), 0}; };
    expect_equal(poses[2].p, 2 * along(q1));
    expect_equal(poses[3].p, 2 * along(q1) + (1 + q3) * along(q1 - q2));
    expect_equal(poses[3].q * Vec3::UnitX(), along(q1 - q2));
}

TEST(Urdf, PackagesAreLookedForInTheFoldersGiven) {
    const TemporaryFolder folder;
    const std::string robot = folder.write(
        "urdf/r.urdf",
        "<robot name='r'><link name='a'><collision><geometry>"
        "<mesh filename='package://things/w.stl'/></geometry></collision></link></robot>");
    std::filesystem::create_directories(folder.path("far/things"));
    std::filesystem::copy("tests/import/data/robot_description/meshes/wedge.stl",
                          folder.path("far/things/w.stl"));
    const auto shapes = [&](const std::string& package) {
        return import_urdf(robot, {.packages = {folder.path(package)}}).links[0].shapes.size();
    };
    EXPECT_EQ(shapes("far"), 1U);         // the folder that holds it
    EXPECT_EQ(shapes("far/things"), 1U);  // the package itself
    EXPECT_EQ(shapes("far/things/"), 1U);
    EXPECT_THROW((void)import_urdf(robot), InputError);
    EXPECT_TRUE(import_urdf(robot, {.ignore_meshes = true}).links[0].shapes.empty());
    std::filesystem::rename(folder.path("far/things"), folder.path("things"));
    EXPECT_EQ(import_urdf(robot).links[0].shapes.size(), 1U);  // beside a folder above the file
}

}  // namespace
}  // namespace stiction
