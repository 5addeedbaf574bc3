// robot.cpp - merging of links that cannot move against each other, and forward kinematics.
#include "import/robot.h"

namespace stiction {
namespace {

// Inertia about a point at distance d from the centre of mass, less that about the centre
// (Steiner).
Mat3 steiner(double mass, const Vec3& d) {
    return mass * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
}

// Adds `part`, whose frame has the pose T in the frame of `whole`.
void merge(const RobotLink& part, const Pose& T, RobotLink& whole) {
    for (const RobotShape& visual : part.visuals)
        whole.visuals.push_back({visual.shape, T * visual.pose_LG});
    for (const RobotShape& shape : part.shapes) {
        whole.shapes.push_back({shape.shape, T * shape.pose_LG});
    }
    whole.merged.push_back(part.name);
    if (part.mass == 0) return;
    const Vec3 com_part = T * part.com_L;
    const Mat3 R = T.R();
    const double mass = whole.mass + part.mass;
    const Vec3 com = (whole.mass * whole.com_L + part.mass * com_part) / mass;
    whole.inertia_L = whole.inertia_L + steiner(whole.mass, whole.com_L - com) +
                      R * part.inertia_L * R.transpose() + steiner(part.mass, com_part - com);
    whole.mass = mass;
    whole.com_L = com;
}

Pose moved(const RobotJoint& joint, double coordinate) {
    Pose motion;
    if (joint.kind == RobotJointKind::kPrismatic) motion.p = coordinate * joint.axis;
    if (joint.kind == RobotJointKind::kRevolute) {
        motion.q = Quat(Eigen::AngleAxisd(coordinate, joint.axis));
    }
    return joint.origin * motion;
}

}  // namespace

ImportedRobot merge_fixed(const ImportedRobot& robot) {
    ImportedRobot result{robot.name, robot.path, {robot.links[0]}, {}, robot.meshes};
    std::vector<int> whole(robot.links.size(), 0);  // per link: the link it is part of in result
    std::vector<Pose> pose(robot.links.size());     // and its frame in that one's
    std::vector<int> joint_in_result(robot.joints.size(), kNone);
    for (std::size_t j = 0; j < robot.joints.size(); ++j) {
        RobotJoint joint = robot.joints[j];
        const auto parent = at(joint.parent);
        const auto child = at(joint.child);
        joint.parent = whole[parent];
        joint.origin = pose[parent] * joint.origin;
        if (joint.kind == RobotJointKind::kFixed) {
            whole[child] = whole[parent];
            pose[child] = joint.origin;
            merge(robot.links[child], joint.origin, result.links[at(joint.parent)]);
            continue;
        }
        whole[child] = joint.child = static_cast<int>(result.links.size());
        result.links.push_back(robot.links[child]);
        joint_in_result[j] = static_cast<int>(result.joints.size());
        result.joints.push_back(std::move(joint));
    }
    for (RobotJoint& joint : result.joints) {
        if (joint.mimic) {
            joint.mimic->joint = joint_in_result[at(joint.mimic->joint)];
        }
    }
    return result;
}

std::vector<Pose> link_poses(const ImportedRobot& robot, const std::vector<double>& coordinates) {
    std::vector<Pose> poses(robot.links.size());
    for (std::size_t j = 0; j < robot.joints.size(); ++j) {
        const RobotJoint& joint = robot.joints[j];
        poses[at(joint.child)] = poses[at(joint.parent)] * moved(joint, coordinates[j]);
    }
    return poses;
}

}  // namespace stiction
