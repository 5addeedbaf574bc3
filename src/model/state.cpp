// state.cpp - hash, energy, momentum and joint coordinates of a state.
#include "model/state.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/hash.h"

namespace stiction {

std::uint64_t state_hash(const State& state) {
    Hash hash;
    for (const Pose& pose : state.pose) {
        hash.add(pose.p);
        hash.add(pose.q);
    }
    for (const Twist& twist : state.twist) {
        hash.add(twist.v);
        hash.add(twist.w);
    }
    return hash.value();
}

bool is_finite(const State& state) {
    return std::all_of(state.pose.begin(), state.pose.end(),
                       [](const Pose& x) { return x.p.allFinite() && x.q.coeffs().allFinite(); }) &&
           std::all_of(state.twist.begin(), state.twist.end(),
                       [](const Twist& x) { return x.v.allFinite() && x.w.allFinite(); });
}

namespace {

// Orientation of the principal axes; most bodies have theirs along B.
Quat principal_orientation(const Body& body, const Quat& q) {
    return body.q_BP.w() == 1 ? q : q * body.q_BP;
}

}  // namespace

Vec3 principal_spin(const Body& body, const State& state, std::size_t i) {
    const Vec3& w = state.twist[i].w;
    const Quat q_P = principal_orientation(body, state.pose[i].q);
    if (i < state.spin_P.size()) {
        const Vec3& spin = state.spin_P[i];
        if (!spin.isZero(0.0) && q_P * spin == w) return spin;
    }
    return q_P.conjugate() * w;
}

void set_principal_spin(const Body& body, const Vec3& spin, std::size_t i, State& state) {
    state.spin_P[i] = spin;
    state.twist[i].w = principal_orientation(body, state.pose[i].q) * spin;
}

Energy energy(const Model& model, const State& state) {
    Energy sum;
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        const Body& body = model.bodies[i];
        if (body.kind != BodyKind::kDynamic) continue;
        const Vec3 w = principal_spin(body, state, i);
        sum.kinetic += 0.5 * body.mass * state.twist[i].v.squaredNorm() +
                       0.5 * w.dot(body.moments.cwiseProduct(w));
        sum.potential -= body.gravity_scale * body.mass * model.gravity.dot(state.pose[i].p);
    }
    return sum;
}

Momentum momentum(const Model& model, const State& state) {
    Momentum sum;
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        const Body& body = model.bodies[i];
        if (body.kind != BodyKind::kDynamic) continue;
        const Quat q_P = state.pose[i].q * body.q_BP;
        const Vec3 p = body.mass * state.twist[i].v;
        sum.linear += p;
        sum.angular += state.pose[i].p.cross(p) +
                       q_P * Vec3(body.moments.cwiseProduct(principal_spin(body, state, i)));
    }
    return sum;
}

namespace {

// Within pi of 0, or of the middle of the joint's limits: those such as [1, 5] lie around another
// turn's middle.
double wrapped(double angle, const Joint& joint) {
    if (angle > M_PI) angle -= 2.0 * M_PI;
    if (angle <= -M_PI) angle += 2.0 * M_PI;
    if (!joint.limited) return angle;
    const double middle = 0.5 * (joint.lower + joint.upper);
    if (angle > middle + M_PI) angle -= 2.0 * M_PI;
    if (angle <= middle - M_PI) angle += 2.0 * M_PI;
    return angle;
}

}  // namespace

JointCoordinate joint_coordinate(const State& state, const Joint& joint) {
    const Pose at_rest;
    const Twist still;
    const bool world = joint.parent == kNone;
    const auto parent = at(std::max(joint.parent, 0));
    const Pose& pose_P = world ? at_rest : state.pose[parent];
    const Twist& twist_P = world ? still : state.twist[parent];
    const Pose& pose_C = state.pose[at(joint.child)];
    const Twist& twist_C = state.twist[at(joint.child)];

    JointCoordinate result;
    result.axis = pose_P.q * joint.axis_P;
    const Vec3& axis = result.axis;
    if (joint.kind == JointKind::kRevolute) {
        const Quat turn = pose_P.q.conjugate() * pose_C.q;
        const double half_angle = std::atan2(joint.at_half_turn.dot(turn), joint.at_zero.dot(turn));
        result.position = wrapped(2.0 * half_angle, joint);
        result.velocity = axis.dot(twist_C.w - twist_P.w);
    } else if (joint.kind == JointKind::kPrismatic) {
        const Vec3 anchor = pose_C * joint.frame_C.p;
        result.position = axis.dot(anchor - pose_P * joint.frame_P.p);
        const Vec3 v_C = twist_C.v + twist_C.w.cross(anchor - pose_C.p);
        const Vec3 v_P = twist_P.v + twist_P.w.cross(anchor - pose_P.p);
        result.velocity = axis.dot(v_C - v_P);
    }
    return result;
}

double mimic_error(const Model& model, const State& state, const Joint& joint) {
    const Mimic& mimic = *joint.mimic;
    const Joint& other = model.joints[at(mimic.joint)];
    const bool turns_freely = other.kind == JointKind::kRevolute && !other.limited;
    if (turns_freely && mimic.multiplier != std::round(mimic.multiplier)) return 0;
    const double error = joint_coordinate(state, joint).position -
                         mimic.multiplier * joint_coordinate(state, other).position - mimic.offset;
    return joint.kind == JointKind::kRevolute ? std::remainder(error, 2 * std::numbers::pi) : error;
}

}  // namespace stiction
