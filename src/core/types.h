// types.h - the few vector types every folder uses, and a rigid pose.
// Naming of frames follows docs/notation.md: R_WB turns components in B into components in W.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cstddef>

namespace stiction {

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
using Vec6 = Eigen::Matrix<double, 6, 1>;
using Mat6 = Eigen::Matrix<double, 6, 6>;
using Quat = Eigen::Quaterniond;
using VecX = Eigen::VectorXd;
using MatX = Eigen::MatrixXd;

inline constexpr int kNone = -1;  // "no such body, block, joint": ids are indices from 0

// An id or an index of Eigen as an index of a std::vector.
[[nodiscard]] constexpr std::size_t at(Eigen::Index i) { return static_cast<std::size_t>(i); }

// Pose of a frame B in a frame W: x_W = R_WB x_B + p.
struct Pose {
    Vec3 p = Vec3::Zero();
    Quat q = Quat::Identity();

    [[nodiscard]] Mat3 R() const { return q.toRotationMatrix(); }
    [[nodiscard]] Vec3 operator*(const Vec3& x_B) const { return q * x_B + p; }
    [[nodiscard]] Pose operator*(const Pose& other) const;
    [[nodiscard]] Pose inverse() const;
};

// Velocity of a rigid body: of its centre of mass and about it, both in world components.
struct Twist {
    Vec3 v = Vec3::Zero();  // [m/s]
    Vec3 w = Vec3::Zero();  // [rad/s]
};

inline Mat3 skew(const Vec3& a) {
    Mat3 m;
    m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
    return m;
}

}  // namespace stiction
