// robot_entry.cpp - reads and checks an entry of `robots`.
#include "scene/robot_entry.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <sstream>

#include "core/nearest.h"
#include "import/urdf.h"
#include "scene/mass.h"

namespace stiction {
namespace {

constexpr double kLimitSlack = 1e-9;  // [rad or m]: a start on a limit may miss it by rounding

std::string relative_to_scene(const Node& node) {
    const std::filesystem::path folder = std::filesystem::path(node.document().path).parent_path();
    return (folder / node.text()).lexically_normal().string();
}

UrdfOptions read_options(const Node& node) {
    const Ignored ignored = read_ignored(node);
    UrdfOptions options;
    options.ignore_inertia = ignored.inertia;
    options.ignore_meshes = ignored.meshes;
    if (const auto visuals = node.find("visuals")) options.visuals = visuals->boolean();
    const auto packages = node.find("packages");
    if (!packages) return options;
    packages->expect_list("folders");
    for (std::size_t i = 0; i < packages->size(); ++i) {
        const Node entry = (*packages)[i];
        const std::string folder = relative_to_scene(entry);
        std::error_code error;
        if (!std::filesystem::is_directory(folder, error)) {
            entry.fail("'" + entry.text() + "' is not a folder (looked for " + folder +
                       "); expected one that holds packages, relative to this file");
        }
        options.packages.push_back(folder);
    }
    return options;
}

// Limits that a joint's own and those of one that mimics it leave; the mimic then needs none.
void narrow_limits(const Node& node, RobotJoint& mimic, RobotJoint& other) {
    if (!mimic.limited) return;
    const double m = mimic.mimic->multiplier;
    if (m == 0) return;
    double lower = (mimic.lower - mimic.mimic->offset) / m;
    double upper = (mimic.upper - mimic.mimic->offset) / m;
    if (m < 0) std::swap(lower, upper);
    other.lower = other.limited ? std::max(lower, other.lower) : lower;
    other.upper = other.limited ? std::min(upper, other.upper) : upper;
    other.limited = true;
    mimic.limited = false;
    if (other.lower <= other.upper) return;
    node.fail("joint '" + mimic.name + "' (" + mimic.place + ") mimics '" + other.name +
              "', and the limits of both leave no position");
}

// A joint that mimics another starts where it should.
void check_mimic_position(const RobotJoint& joint, double expected, const JointWish& wish) {
    if (!joint.mimic || !wish.position) return;
    if (std::abs(*wish.position - expected) <= kLimitSlack) return;
    std::ostringstream text;
    text << "the joint mimics another and starts at " << expected << ", got " << *wish.position;
    wish.node.at("position").fail(text.str());
}

void check_position(const RobotJoint& joint, const JointWish& wish) {
    if (!joint.limited || !wish.position) return;
    const double q = *wish.position;
    if (q >= joint.lower - kLimitSlack && q <= joint.upper + kLimitSlack) return;
    std::ostringstream text;
    text << "must lie within the limits of the URDF, " << joint.lower << " to " << joint.upper
         << ", got " << q;
    wish.node.at("position").fail(text.str());
}

}  // namespace

Ignored read_ignored(const Node& node) {
    Ignored ignored;
    constexpr std::array<std::string_view, 3> kNames = {"mimic", "inertia", "meshes"};
    for (const Node& entry : node.entries("ignore", "what to ignore")) {
        const std::size_t which = entry.choice(kNames, "thing to ignore");
        (which == 0 ? ignored.mimic : which == 1 ? ignored.inertia : ignored.meshes) = true;
    }
    return ignored;
}

ImportedRobot read_urdf(const Node& node) {
    const Node urdf = node.at("urdf");
    const std::string path = relative_to_scene(urdf);
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) {
        urdf.fail("'" + urdf.text() + "' is not a file (looked for " + path +
                  "); expected a URDF file, relative to this file");
    }
    return import_urdf(path, read_options(node));
}

void fill_masses(double density, ImportedRobot& robot) {
    for (RobotLink& link : robot.links) {
        if (link.mass > 0 || link.shapes.empty()) continue;
        for (const RobotShape& shape : link.shapes) {
            const SolidProperties solid = solid_properties(shape.shape);
            link.mass += density * solid.volume;
            link.com_L += density * solid.volume * (shape.pose_LG * solid.centroid);
        }
        link.com_L /= link.mass;
        for (const RobotShape& shape : link.shapes) {
            const SolidProperties solid = solid_properties(shape.shape);
            const Mat3 R = shape.pose_LG.R();
            const Vec3 d = shape.pose_LG * solid.centroid - link.com_L;
            link.inertia_L +=
                density * (R * solid.inertia * R.transpose() +
                           solid.volume * (d.squaredNorm() * Mat3::Identity() - d * d.transpose()));
        }
    }
}

void read_mimics(const Node& node, ImportedRobot& robot) {
    const bool ignored = read_ignored(node).mimic;
    for (RobotJoint& joint : robot.joints) {
        if (!joint.mimic || ignored) continue;
        narrow_limits(node, joint, robot.joints[at(joint.mimic->joint)]);
    }
}

void check_mass(const Node& node, const RobotLink& link) {
    const std::string which = "link '" + link.name + "' (" + link.place + ") ";
    if (link.mass == 0) {
        node.fail(which + (link.shapes.empty()
                               ? "has no mass and no shape, but moves; expected an inertial in the "
                                 "URDF"
                               : "has no mass, but moves; expected an inertial in the URDF, or "
                                 "'density_for_massless' here"));
    }
    const Vec3 moments =
        Eigen::SelfAdjointEigenSolver<Mat3>(link.inertia_L, Eigen::EigenvaluesOnly).eigenvalues();
    if (moments[0] > 0) {
        const std::string what = beyond_range(link.mass, link.inertia_L);
        if (what.empty()) return;
        node.fail(which + what);
    }
    std::ostringstream text;
    text << "has the principal moments " << moments.transpose() << " kg m^2: must all be > 0";
    node.fail(which + text.str());
}

JointWishes read_wishes(const Node& node, const ImportedRobot& robot) {
    JointWishes wishes;
    const auto joints = node.find("joints");
    if (!joints) return wishes;
    joints->expect_map();
    std::vector<std::string_view> valid;
    for (const RobotJoint& joint : robot.joints) {
        if (has_coordinate(joint)) valid.push_back(joint.name);
    }
    for (std::size_t i = 0; i < joints->size(); ++i) {
        const std::string& name = joints->key(i);
        if (std::find(valid.begin(), valid.end(), name) == valid.end()) {
            joints->fail_at_key(i, "the robot has no revolute or prismatic joint '" + name + "'" +
                                       suggestion(name, valid));
        }
        const Node entry = (*joints)[i];
        entry.only({"position", "motor", "friction", "damping", "armature"});
        JointWish wish{.position = {},
                       .motor = entry.find("motor"),
                       .friction = {},
                       .damping = {},
                       .armature = {},
                       .node = entry};
        if (const auto x = entry.find("position")) wish.position = x->number();
        if (const auto x = entry.find("friction")) {
            wish.friction = x->number(at_least_zero("N or N m"));
        }
        if (const auto x = entry.find("damping")) {
            wish.damping = x->number(at_least_zero("N s/m or N m s/rad"));
        }
        if (const auto x = entry.find("armature")) {
            wish.armature = x->number(at_least_zero("kg or kg m^2"));
        }
        wishes.emplace(name, wish);
    }
    return wishes;
}

std::vector<double> start_coordinates(const ImportedRobot& robot, const JointWishes& wishes,
                                      bool ignore_mimics) {
    std::vector<double> q(robot.joints.size(), 0);
    const auto inside = [](const RobotJoint& joint, double x) {
        return joint.limited ? std::clamp(x, joint.lower, joint.upper) : x;
    };
    for (const bool mimics : {false, true}) {
        for (std::size_t j = 0; j < robot.joints.size(); ++j) {
            const RobotJoint& joint = robot.joints[j];
            if (!has_coordinate(joint) || joint.mimic.has_value() != mimics) continue;
            double otherwise = 0;
            if (joint.mimic) {
                otherwise =
                    joint.mimic->multiplier * q[at(joint.mimic->joint)] + joint.mimic->offset;
            }
            q[j] = inside(joint, otherwise);
            const auto wish = wishes.find(joint.name);
            if (wish == wishes.end()) continue;
            check_position(joint, wish->second);
            if (!ignore_mimics) check_mimic_position(joint, q[j], wish->second);
            q[j] = wish->second.position.value_or(q[j]);
        }
    }
    return q;
}

}  // namespace stiction
