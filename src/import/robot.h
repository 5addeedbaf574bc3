// robot.h - a robot as a file describes it: links, and joints that make a tree of them. Plain data;
// scene/robots.cpp turns it into bodies and joints of a Model.
// Frames: a link's frame L is the one its shapes are written in; a joint's frame is the child's
// link frame when the joint's coordinate is zero.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/types.h"
#include "model/model.h"
#include "model/shape.h"

namespace stiction {

struct RobotShape {
    Shape shape;
    Pose pose_LG;  // in the link's frame
};

struct RobotLink {
    std::string name;
    std::string place;              // file:line:column, for messages
    double mass = 0;                // [kg]; 0: the file gives none
    Vec3 com_L = Vec3::Zero();      // [m]
    Mat3 inertia_L = Mat3::Zero();  // about the centre of mass, link axes [kg m^2]
    std::vector<RobotShape> shapes;
    std::vector<RobotShape> visuals;  // what is drawn of it, where that was asked for
    std::vector<std::string> merged;  // links that are part of this one since merge_fixed
};

enum class RobotJointKind { kFixed, kRevolute, kPrismatic, kFloating };

struct RobotJoint {
    std::string name;
    std::string place;
    RobotJointKind kind = RobotJointKind::kFixed;
    int parent = kNone, child = kNone;  // links
    Pose origin;                        // joint frame in the parent's link frame
    Vec3 axis = Vec3::UnitX();          // unit, in the joint frame; revolute and prismatic
    bool limited = false;
    double lower = 0, upper = 0;                                // [rad or m]
    double effort = std::numeric_limits<double>::infinity();    // most a motor can give [N m or N]
    double velocity = std::numeric_limits<double>::infinity();  // [rad/s or m/s]
    double damping = 0;                                         // [N m s/rad or N s/m]
    double friction = 0;                                        // Coulomb [N m or N]
    std::optional<Mimic> mimic;                                 // of a joint of this robot
};

// A tree: links[0] is the root, joints[i] has the child links[i + 1], and every parent comes before
// its children.
struct ImportedRobot {
    std::string name;
    std::string path;
    std::vector<RobotLink> links;
    std::vector<RobotJoint> joints;
    std::vector<std::string> meshes;  // paths of the files that were read for it
};

// The same robot without fixed joints: mass and shapes of a child become its parent's. That is also
// what becomes of the massless links that only name a place (tool0, base_footprint).
[[nodiscard]] ImportedRobot merge_fixed(const ImportedRobot& robot);

// Poses of the link frames in the root's frame for the coordinates of the joints (one per joint;
// those of fixed and floating ones are not read).
[[nodiscard]] std::vector<Pose> link_poses(const ImportedRobot& robot,
                                           const std::vector<double>& coordinates);

}  // namespace stiction
