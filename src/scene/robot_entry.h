// robot_entry.h - what one of a scene's `robots` says: its URDF file, what of that is let pass, and
// what its joints have instead of what the file gives them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "import/robot.h"
#include "scene/node.h"

namespace stiction {

// What the entry lets pass.
struct Ignored {
    bool mimic = false, inertia = false, meshes = false;
};

[[nodiscard]] Ignored read_ignored(const Node& node);

[[nodiscard]] ImportedRobot read_urdf(const Node& node);

// Links with shapes and no mass get that of their shapes.
void fill_masses(double density, ImportedRobot& robot);  // [kg/m^3]

// What mimics another joint is held by a row of its own; with 'ignore: [mimic]' it is free.
void read_mimics(const Node& node, ImportedRobot& robot);

// A link that moves has mass and moments of inertia > 0; throws otherwise.
void check_mass(const Node& node, const RobotLink& link);

[[nodiscard]] inline bool has_coordinate(const RobotJoint& joint) {
    return joint.kind == RobotJointKind::kRevolute || joint.kind == RobotJointKind::kPrismatic;
}

// What an entry says about one joint, over what the URDF says.
struct JointWish {
    std::optional<double> position;  // start [rad or m]
    std::optional<Node> motor;
    std::optional<double> friction, damping, armature;
    Node node;
};
using JointWishes = std::map<std::string, JointWish>;

[[nodiscard]] JointWishes read_wishes(const Node& node, const ImportedRobot& robot);

// As the entry says; otherwise what the joint mimics, or zero, or the limit next to zero.
[[nodiscard]] std::vector<double> start_coordinates(const ImportedRobot& robot,
                                                    const JointWishes& wishes, bool ignore_mimics);

}  // namespace stiction
