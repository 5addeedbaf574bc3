// tree.cpp - kinematics and dynamics of trees about one common point.
#include "dynamics/tree.h"

#include <algorithm>
#include <cmath>

#include "dynamics/free_body.h"

namespace stiction {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

inline Vec6 spatial(const Vec3& linear, const Vec3& angular) {
    Vec6 s;
    s << linear, angular;
    return s;
}

// Velocity at O, and at zero rates of change of v the acceleration there, of unit motions of a
// joint: S v and S' v for the velocities of one node.
struct JointMotion {
    Vec3 p;       // anchor about O
    Vec3 axis;    // world
    Vec3 p_rate;  // velocity of the anchor with the parent
    Vec3 axis_rate;
};

Vec6 column_rate(JointKind kind, const JointMotion& m, const Vec3& relative) {
    switch (kind) {
        case JointKind::kRevolute:
            return spatial(m.p_rate.cross(m.axis) + m.p.cross(m.axis_rate), m.axis_rate) *
                   relative[0];
        case JointKind::kPrismatic:
            return spatial(m.axis_rate, Vec3::Zero()) * relative[0];
        case JointKind::kSpherical:
            return spatial(m.p_rate.cross(relative), Vec3::Zero());
        default:
            return Vec6::Zero();
    }
}

// The columns of S that belong to one node.
void set_columns(JointKind kind, const JointMotion& m, int first, TreeMotion& motion) {
    switch (kind) {
        case JointKind::kRevolute:
            motion.S.col(first) = spatial(m.p.cross(m.axis), m.axis);
            break;
        case JointKind::kPrismatic:
            motion.S.col(first) = spatial(m.axis, Vec3::Zero());
            break;
        case JointKind::kSpherical:
            for (int k = 0; k < 3; ++k)
                motion.S.col(first + k) = spatial(m.p.cross(Vec3::Unit(k)), Vec3::Unit(k));
            break;
        default:
            break;
    }
}

bool is_floating(const Tree& tree) { return tree.nodes.front().joint == kNone; }

// O is its centre, so its columns of S are the identity.
void find_base(const Tree::Node& node, const State& state, TreeMotion& motion) {
    const Twist& twist = state.twist[at(node.body)];
    motion.S.leftCols<6>().setIdentity();
    motion.velocity[0] = spatial(twist.v, twist.w);
    motion.v.head<6>() = motion.velocity[0];
    motion.acceleration[0] = spatial(twist.v.cross(twist.w), Vec3::Zero());
}

// Rates of a joint whose anchor and axis are known, from the twists of its two bodies.
Vec3 joint_rates(const Joint& joint, const State& state, const Vec3& anchor, const Vec3& axis) {
    const Twist still;
    const Twist& child = state.twist[at(joint.child)];
    const Twist& parent = joint.parent == kNone ? still : state.twist[at(joint.parent)];
    const Vec3 spin = child.w - parent.w;
    switch (joint.kind) {
        case JointKind::kRevolute:
            return {axis.dot(spin), 0, 0};
        case JointKind::kSpherical:
            return spin;
        case JointKind::kPrismatic: {
            const Vec3 p_P = joint.parent == kNone ? Vec3::Zero() : state.pose[at(joint.parent)].p;
            const Vec3 v_C = child.v + child.w.cross(anchor - state.pose[at(joint.child)].p);
            const Vec3 v_P = parent.v + parent.w.cross(anchor - p_P);
            return {axis.dot(v_C - v_P), 0, 0};
        }
        default:
            return Vec3::Zero();
    }
}

// A joint's axis in the world, from the rotation of its parent.
Vec3 joint_axis(const Joint& joint, const Tree::Node& node, const State& state,
                const TreeMotion& motion) {
    if (node.parent != kNone) return motion.R[at(node.parent)] * joint.axis_P;
    return joint.parent == kNone ? joint.axis_P : state.pose[at(joint.parent)].q * joint.axis_P;
}

void find_joint(const Joint& joint, const Tree::Node& node, std::size_t i, const State& state,
                TreeMotion& motion) {
    const bool root = node.parent == kNone;
    const Vec6 v_parent = root ? Vec6::Zero() : motion.velocity[at(node.parent)];
    const Vec6 a_parent = root ? Vec6::Zero() : motion.acceleration[at(node.parent)];
    const Vec3 w_parent = v_parent.tail<3>();
    const Vec3 anchor = motion.R[i] * joint.frame_C.p + state.pose[at(joint.child)].p;
    JointMotion m;
    m.axis = joint_axis(joint, node, state, motion);
    m.p = anchor - motion.O;
    m.p_rate = v_parent.head<3>() + w_parent.cross(m.p);
    m.axis_rate = w_parent.cross(m.axis);
    // The anchor of a prismatic joint slides along, which its columns do not depend on.
    const Vec3 rates = joint_rates(joint, state, anchor, m.axis);
    set_columns(joint.kind, m, node.first, motion);
    Vec6 own = Vec6::Zero();
    for (int k = 0; k < node.dofs; ++k) {
        motion.v[node.first + k] = rates[k];
        own += motion.S.col(node.first + k) * rates[k];
    }
    motion.velocity[i] = v_parent + own;
    motion.acceleration[i] = a_parent + column_rate(joint.kind, m, rates);
}

// f_O, tau_O of a momentum-like pair from an inertia about O and (v_O, w).
inline Vec6 times(const TreeMotion::Inertia& x, const Vec6& v) {
    const Vec3 linear = v.head<3>();
    const Vec3 w = v.tail<3>();
    return spatial(x.mass * linear + w.cross(x.moment), x.moment.cross(linear) + x.inertia * w);
}

TreeMotion::Inertia body_about(const Body& body, const Vec3& c, const Mat3& R) {
    TreeMotion::Inertia x;
    x.mass = body.mass;
    x.moment = body.mass * c;
    x.inertia.noalias() = R * (body.inertia_B * R.transpose());
    x.inertia.noalias() -= x.moment * c.transpose();
    x.inertia.diagonal().array() += x.moment.dot(c);
    return x;
}

}  // namespace

void find_motion(const Model& model, const Tree& tree, const State& state, TreeMotion& motion) {
    const std::size_t count = tree.nodes.size();
    motion.S.resize(6, tree.dofs);
    motion.v.resize(tree.dofs);
    motion.velocity.resize(count);
    motion.acceleration.resize(count);
    motion.force.resize(count);
    motion.R.resize(count);
    motion.body.resize(count);
    motion.composite.resize(count);
    motion.O = state.pose[at(tree.nodes.front().body)].p;
    for (std::size_t i = 0; i < count; ++i) {
        const Tree::Node& node = tree.nodes[i];
        const Pose& pose = state.pose[at(node.body)];
        motion.R[i] = pose.R();
        motion.body[i] = body_about(model.bodies[at(node.body)], pose.p - motion.O, motion.R[i]);
        if (node.joint == kNone) {
            find_base(node, state, motion);
        } else {
            find_joint(model.joints[at(node.joint)], node, i, state, motion);
        }
    }
}

void tree_inertia(const Model& model, const Tree& tree, TreeMotion& motion, double* H) {
    const Ways ways = tree.ways();
    const std::size_t count = tree.nodes.size();
    const int base = is_floating(tree) ? 6 : 0;  // velocities whose S is the identity
    for (std::size_t i = 0; i < count; ++i) motion.composite[i] = motion.body[i];
    for (std::size_t i = count; i-- > 0;) {
        const Tree::Node& node = tree.nodes[i];
        const TreeMotion::Inertia& c = motion.composite[i];
        for (int k = node.first; k < node.first + node.dofs; ++k) {
            const Vec6 F = times(c, motion.S.col(k));
            const int* way = ways.way(k);
            const int length = ways.count(k);
            double* column = H + ways.start(k);
            for (int d = 0; d < std::min(base, length); ++d) column[d] = F[d];
            for (int d = base; d < length; ++d) column[d] = motion.S.col(way[d]).dot(F);
            if (node.joint != kNone) column[length - 1] += model.joints[at(node.joint)].armature;
        }
        if (node.parent == kNone) continue;
        TreeMotion::Inertia& parent = motion.composite[at(node.parent)];
        parent.mass += c.mass;
        parent.moment += c.moment;
        parent.inertia += c.inertia;
    }
}

void tree_force(const Tree& tree, const State& state, const std::vector<Wrench>& wrench,
                TreeMotion& motion, Eigen::Ref<VecX> f) {
    const std::size_t count = tree.nodes.size();
    for (std::size_t i = 0; i < count; ++i) {
        const int id = tree.nodes[i].body;
        const Vec6& v = motion.velocity[i];
        const Vec6 momentum = times(motion.body[i], v);
        const Vec3 w = v.tail<3>();
        // d/dt of the momentum about the fixed O: I a + v x* (I v).
        const Vec6 needed =
            times(motion.body[i], motion.acceleration[i]) +
            spatial(w.cross(momentum.head<3>()),
                    w.cross(momentum.tail<3>()) + v.head<3>().cross(momentum.head<3>()));
        const Wrench& applied = wrench[at(id)];
        const Vec3 c = state.pose[at(id)].p - motion.O;
        motion.force[i] = needed - spatial(applied.force, applied.torque + c.cross(applied.force));
    }
    for (std::size_t i = count; i-- > 0;) {
        const Tree::Node& node = tree.nodes[i];
        for (int k = node.first; k < node.first + node.dofs; ++k)
            f[k] = -motion.S.col(k).dot(motion.force[i]);
        if (node.parent != kNone) motion.force[at(node.parent)] += motion.force[i];
    }
}

Vec6 jacobian_column(const TreeMotion& motion, int velocity, const Vec3& p, double length) {
    const Vec3 linear = motion.S.col(velocity).head<3>();
    const Vec3 angular = motion.S.col(velocity).tail<3>();
    return spatial(linear + angular.cross(p - motion.O), length * angular);
}

namespace {

// What a joint's parent does; the world stays where it is.
Pose parent_pose(const Joint& joint, const State& state) {
    return joint.parent == kNone ? Pose{} : state.pose[at(joint.parent)];
}

Twist parent_twist(const Joint& joint, const State& state) {
    return joint.parent == kNone ? Twist{} : state.twist[at(joint.parent)];
}

// The child's orientation in the parent, turned on by an angle. Only the turn about the axis is
// read off the poses, so that nothing accumulates.
Quat turned_on(const Joint& joint, const Quat& relative, double angle) {
    const double w = joint.at_zero.dot(relative);
    const double z = joint.at_half_turn.dot(relative);
    const double scale = 1 / std::sqrt(w * w + z * z);
    const double c = scale * std::cos(0.5 * angle);
    const double s = scale * std::sin(0.5 * angle);
    return Quat((c * w - s * z) * joint.at_zero.coeffs() +
                (s * w + c * z) * joint.at_half_turn.coeffs());
}

// A joint after the displacement d of its velocities.
struct JointPlace {
    Quat q;            // orientation of the child in the parent
    double shift = 0;  // along the axis [m]
};

JointPlace moved_joint(const Joint& joint, const State& state, const double* d, double time) {
    const Quat& child = state.pose[at(joint.child)].q;
    switch (joint.kind) {
        case JointKind::kRevolute: {
            const Quat relative = parent_pose(joint, state).q.conjugate() * child;
            return {turned_on(joint, relative, time * d[0])};
        }
        case JointKind::kPrismatic:
            return {joint.at_zero, joint_coordinate(state, joint).position + time * d[0]};
        case JointKind::kSpherical: {
            const Quat to_parent = parent_pose(joint, state).q.conjugate();
            const Vec3 turn = time * Eigen::Map<const Vec3>(d);
            return {rotated((to_parent * child).normalized(), to_parent * turn)};
        }
        default:
            return {joint.at_zero};
    }
}

// Puts a joint's child in its place, its parent is there; `rates` are the joint's velocities.
void place_child(const Joint& joint, const JointPlace& place, const double* rates, State& state) {
    const Pose from = parent_pose(joint, state);
    const Twist with = parent_twist(joint, state);
    const Vec3 axis = from.q * joint.axis_P;
    const Vec3 anchor_P = from.q * joint.frame_P.p + place.shift * axis;
    Pose& pose = state.pose[at(joint.child)];
    pose.q = from.q * place.q;
    const Vec3 arm = pose.q * joint.frame_C.p;
    pose.p = from.p + anchor_P - arm;

    Twist& twist = state.twist[at(joint.child)];
    twist = with;
    twist.v += with.w.cross(anchor_P);
    if (joint.kind == JointKind::kRevolute) twist.w += rates[0] * axis;
    if (joint.kind == JointKind::kSpherical) twist.w += Eigen::Map<const Vec3>(rates);
    if (joint.kind == JointKind::kPrismatic) twist.v += rates[0] * axis;
    twist.v -= twist.w.cross(arm);
}

}  // namespace

void move_tree(const Model& model, const Tree& tree, Eigen::Ref<const VecX> u, double time,
               Eigen::Ref<const VecX> v, State& state) {
    // From the leaves, so that every joint still sees its bodies where they were; their new
    // places wait in the poses of the children.
    for (std::size_t i = tree.nodes.size(); i-- > 0;) {
        const Tree::Node& node = tree.nodes[i];
        if (node.joint == kNone) continue;
        const Joint& joint = model.joints[at(node.joint)];
        const JointPlace place = moved_joint(joint, state, u.data() + node.first, time);
        state.pose[at(node.body)] = {Vec3(0, 0, place.shift), place.q};
    }
    for (const Tree::Node& node : tree.nodes) {
        Pose& pose = state.pose[at(node.body)];
        if (node.joint == kNone) {
            pose.p += time * u.segment<3>(node.first);
            pose.q = rotated(pose.q, time * u.segment<3>(node.first + 3));
            state.twist[at(node.body)] = {v.segment<3>(node.first), v.segment<3>(node.first + 3)};
            continue;
        }
        const JointPlace place{pose.q, pose.p.z()};
        place_child(model.joints[at(node.joint)], place, v.data() + node.first, state);
    }
}

void tree_velocities(const Model& model, const Tree& tree, const State& state, Eigen::Ref<VecX> v) {
    for (const Tree::Node& node : tree.nodes) {
        if (node.joint == kNone) {
            v.segment<3>(node.first) = state.twist[at(node.body)].v;
            v.segment<3>(node.first + 3) = state.twist[at(node.body)].w;
            continue;
        }
        const Joint& joint = model.joints[at(node.joint)];
        const Vec3 anchor = state.pose[at(node.body)] * joint.frame_C.p;
        const Vec3 axis = parent_pose(joint, state).q * joint.axis_P;
        const Vec3 rates = joint_rates(joint, state, anchor, axis);
        for (int k = 0; k < node.dofs; ++k) v[node.first + k] = rates[k];
    }
}

}  // namespace stiction
