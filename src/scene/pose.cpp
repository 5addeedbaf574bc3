// pose.cpp - positions and orientations in the forms a scene may write.
#include "scene/pose.h"

#include <cmath>
#include <numbers>
#include <sstream>

namespace stiction {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;

Quat read_quaternion(const Node& node) {
    if (node.size() != 4) {
        node.fail("found a list of " + std::to_string(node.size()) +
                  "; expected a quaternion [w, x, y, z]");
    }
    const Quat q(node[0].number(), node[1].number(), node[2].number(), node[3].number());
    if (!(std::abs(q.norm() - 1) <= kUnitTolerance)) {
        std::ostringstream text;
        text << "quaternion of length " << q.norm() << "; expected 1 (within " << kUnitTolerance
             << " it is normalised)";
        node.fail(text.str());
    }
    return q.normalized();
}

Quat from_rpy(const Vec3& rpy) {
    return Quat(Eigen::AngleAxisd(rpy.z(), Vec3::UnitZ()) *
                Eigen::AngleAxisd(rpy.y(), Vec3::UnitY()) *
                Eigen::AngleAxisd(rpy.x(), Vec3::UnitX()));
}

}  // namespace

Quat read_orientation(const Node& node) {
    if (node.is_list()) return read_quaternion(node);
    if (!node.is_map()) {
        node.fail("expected a quaternion [w, x, y, z], {axis, angle}, or {rpy}");
    }
    node.only({"axis", "angle", "angle_deg", "rpy", "rpy_deg"});
    const int ways =
        node.has("angle") + node.has("angle_deg") + node.has("rpy") + node.has("rpy_deg");
    if (ways != 1) node.fail("expected exactly one of angle, angle_deg, rpy, rpy_deg");
    if (const auto rpy = node.find("rpy")) return from_rpy(rpy->vector());
    if (const auto rpy = node.find("rpy_deg")) return from_rpy(kDegree * rpy->vector());
    const Vec3 axis = node.at("axis").direction();
    const double angle =
        node.has("angle") ? node.at("angle").number() : kDegree * node.at("angle_deg").number();
    return Quat(Eigen::AngleAxisd(angle, axis));
}

Pose read_pose(const Node& node) {
    Pose pose;
    pose.p = node.vector("position", Vec3::Zero());
    if (const auto orientation = node.find("orientation")) pose.q = read_orientation(*orientation);
    return pose;
}

Quat z_to(const Vec3& axis) {
    if (axis.z() < -1 + 1e-12) return Quat(0, 1, 0, 0);
    return Quat(1 + axis.z(), -axis.y(), axis.x(), 0).normalized();
}

}  // namespace stiction
