// joint_geometry.cpp - constraint rows and errors of the maximal-coordinate joints.
#include "dynamics/joint_geometry.h"

#include <cmath>

namespace stiction {

namespace {

void add_row(JointGeometry& joint, const Vec3& linear, const Vec3& angular, double error) {
    const auto i = at(joint.rows++);
    joint.g[i].head<3>() = linear;
    joint.g[i].tail<3>() = angular;
    joint.error[i] = error;
}

// Rotation vector that takes the parent's frame to the child's, in the parent's axes.
Vec3 rotation_vector(const Quat& q_P, const Quat& q_C) {
    Quat turn = q_P.conjugate() * q_C;
    if (turn.w() < 0) turn.coeffs() *= -1.0;
    const double sine = turn.vec().norm();
    if (sine < 1e-12) return 2.0 * turn.vec();
    return (2.0 * std::atan2(sine, turn.w()) / sine) * turn.vec();
}

}  // namespace

JointGeometry joint_geometry(const State& state, const Joint& joint, double length) {
    const Pose frame_C = state.pose[at(joint.child)] * joint.frame_C;
    const Pose frame_P =
        joint.parent == kNone ? joint.frame_P : state.pose[at(joint.parent)] * joint.frame_P;
    const Mat3 R_P = frame_P.R();
    const Vec3 apart = frame_C.p - frame_P.p;
    const Vec3 zero = Vec3::Zero();

    JointGeometry result;
    result.point = frame_C.p;
    const int translations =
        joint.kind == JointKind::kPrismatic ? 2 : 3;  // prismatic: x and y only
    for (int k = 0; k < translations; ++k) add_row(result, R_P.col(k), zero, R_P.col(k).dot(apart));

    switch (joint.kind) {
        case JointKind::kFixed:
        case JointKind::kPrismatic: {
            const Vec3 turn = rotation_vector(frame_P.q, frame_C.q);
            for (int k = 0; k < 3; ++k) add_row(result, zero, R_P.col(k), length * turn[k]);
            break;
        }
        case JointKind::kRevolute: {
            const Vec3 misaligned = R_P.col(2).cross(frame_C.q * Vec3::UnitZ());
            for (int k = 0; k < 2; ++k)
                add_row(result, zero, R_P.col(k), length * R_P.col(k).dot(misaligned));
            break;
        }
        case JointKind::kUniversal: {
            const Vec3 x_C = frame_C.q * Vec3::UnitX();
            add_row(result, zero, x_C.cross(R_P.col(2)), length * R_P.col(2).dot(x_C));
            break;
        }
        case JointKind::kSpherical:
            break;
    }
    if (joint.kind == JointKind::kRevolute) {
        result.has_coordinate = true;
        result.g_coordinate.tail<3>() = R_P.col(2);
        result.unit = length;
    } else if (joint.kind == JointKind::kPrismatic) {
        result.has_coordinate = true;
        result.g_coordinate.head<3>() = R_P.col(2);
    }
    return result;
}

}  // namespace stiction
