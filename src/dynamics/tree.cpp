// tree.cpp - kinematics and dynamics of trees about one common point.
#include "dynamics/tree.h"

#include <algorithm>
#include <cmath>

#include "dynamics/free_body.h"

namespace stiction {

namespace {

using Spatial = TreeMotion::Spatial;

void set_column(int velocity, const Vec3& linear, const Vec3& angular, TreeMotion& motion) {
    motion.S.col(velocity).head<3>() = linear;
    motion.S.col(velocity).tail<3>() = angular;
}

bool is_floating(const Tree& tree) { return tree.nodes.front().joint == kNone; }

// O is its centre, so its columns of S are the identity.
void find_base(const Tree::Node& node, const State& state, TreeMotion& motion) {
    const Twist& twist = state.twist[at(node.body)];
    motion.S.leftCols<6>().setIdentity();
    motion.v.head<3>() = twist.v;
    motion.v.segment<3>(3) = twist.w;
    motion.velocity[0] = {twist.v, twist.w};
    motion.acceleration[0] = {twist.v.cross(twist.w), Vec3::Zero()};
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

// A joint's columns of S; its body moves with its parent, whose velocity also turns these columns:
// (v x a, w x a) of a column a, but for the columns of a spherical joint, whose axes are the
// world's.
void find_joint(const Joint& joint, const Tree::Node& node, std::size_t i, const State& state,
                TreeMotion& motion) {
    Spatial v, a;
    if (node.parent != kNone) {
        v = motion.velocity[at(node.parent)];
        a = motion.acceleration[at(node.parent)];
    }
    const Vec3 w_P = v.angular;
    const Vec3 anchor = motion.R[i] * joint.frame_C.p + state.pose[at(joint.child)].p;
    const Vec3 axis = joint_axis(joint, node, state, motion);
    const Vec3 p = anchor - motion.O;
    const Vec3 rates = joint_rates(joint, state, anchor, axis);
    switch (joint.kind) {
        case JointKind::kRevolute: {
            const Vec3 linear = p.cross(axis);
            set_column(node.first, linear, axis, motion);
            a.linear += rates[0] * (v.linear.cross(axis) + w_P.cross(linear));
            a.angular += rates[0] * w_P.cross(axis);
            v.linear += rates[0] * linear;
            v.angular += rates[0] * axis;
            break;
        }
        case JointKind::kPrismatic:
            set_column(node.first, axis, Vec3::Zero(), motion);
            a.linear += rates[0] * w_P.cross(axis);
            v.linear += rates[0] * axis;
            break;
        case JointKind::kSpherical:
            for (int k = 0; k < 3; ++k)
                set_column(node.first + k, p.cross(Vec3::Unit(k)), Vec3::Unit(k), motion);
            a.linear += (v.linear + w_P.cross(p)).cross(rates);
            v.linear += p.cross(rates);
            v.angular += rates;
            break;
        default:
            break;
    }
    for (int k = 0; k < node.dofs; ++k) motion.v[node.first + k] = rates[k];
    motion.velocity[i] = v;
    motion.acceleration[i] = a;
}

// f_O, tau_O of a momentum-like pair from an inertia about O and (v_O, w).
inline Spatial times(const TreeMotion::Inertia& x, const Vec3& v, const Vec3& w) {
    return {x.mass * v + w.cross(x.moment), x.moment.cross(v) + x.inertia * w};
}

// A column of S times a force.
inline double product(const Eigen::Matrix<double, 6, Eigen::Dynamic>& S, int k, const Spatial& F) {
    return S.col(k).head<3>().dot(F.linear) + S.col(k).tail<3>().dot(F.angular);
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
    for (std::size_t i = 0; i < count; ++i) motion.R[i] = state.pose[at(tree.nodes[i].body)].R();
    for (std::size_t i = 0; i < count; ++i) {
        const Tree::Node& node = tree.nodes[i];
        const Pose& pose = state.pose[at(node.body)];
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
            const auto S_k = motion.S.col(k);
            const Spatial F = times(c, S_k.head<3>(), S_k.tail<3>());
            const int* way = ways.way(k);
            const int length = ways.count(k);
            double* column = H + ways.start(k);
            for (int d = 0; d < std::min(base, length); ++d)
                column[d] = d < 3 ? F.linear[d] : F.angular[d - 3];
            for (int d = base; d < length; ++d) column[d] = product(motion.S, way[d], F);
            if (node.joint != kNone) column[length - 1] += model.joints[at(node.joint)].armature;
        }
        if (node.parent == kNone) continue;
        TreeMotion::Inertia& parent = motion.composite[at(node.parent)];
        parent.mass += c.mass;
        parent.moment += c.moment;
        parent.inertia += c.inertia;
    }
}

namespace {

// d/dt of a body's momentum about the fixed O with constant velocities: I a + v x* (I v).
Spatial momentum_rate(const TreeMotion& motion, std::size_t i, const Spatial& momentum) {
    const Spatial& v = motion.velocity[i];
    const Spatial& a = motion.acceleration[i];
    const Spatial inertial = times(motion.body[i], a.linear, a.angular);
    return {inertial.linear + v.angular.cross(momentum.linear),
            inertial.angular + v.angular.cross(momentum.angular) + v.linear.cross(momentum.linear)};
}

// f = -S' of the forces per node in motion.force, which become those of the subtrees.
void gather_forces(const Tree& tree, TreeMotion& motion, Eigen::Ref<VecX> f) {
    for (std::size_t i = tree.nodes.size(); i-- > 0;) {
        const Tree::Node& node = tree.nodes[i];
        const Spatial& force = motion.force[i];
        for (int k = node.first; k < node.first + node.dofs; ++k)
            f[k] = -product(motion.S, k, force);
        if (node.parent == kNone) continue;
        motion.force[at(node.parent)].linear += force.linear;
        motion.force[at(node.parent)].angular += force.angular;
    }
}

}  // namespace

TreeMotion::Spatial momentum_after(const TreeMotion& motion, std::size_t node, double h) {
    const Spatial& v = motion.velocity[node];
    const Spatial momentum = times(motion.body[node], v.linear, v.angular);
    const Spatial rate = momentum_rate(motion, node, momentum);
    return {momentum.linear - h * rate.linear, momentum.angular - h * rate.angular};
}

void applied_force(const Tree& tree, const State& state, const std::vector<Wrench>& wrench,
                   TreeMotion& motion, Eigen::Ref<VecX> f) {
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        const int id = tree.nodes[i].body;
        const Wrench& applied = wrench[at(id)];
        const Vec3 c = state.pose[at(id)].p - motion.O;
        motion.force[i] = {-applied.force, -applied.torque - c.cross(applied.force)};
    }
    gather_forces(tree, motion, f);
}

void tree_force(const Tree& tree, const State& state, const std::vector<Wrench>& wrench,
                TreeMotion& motion, Eigen::Ref<VecX> f) {
    const std::size_t count = tree.nodes.size();
    for (std::size_t i = 0; i < count; ++i) {
        const int id = tree.nodes[i].body;
        const Spatial& v = motion.velocity[i];
        const Spatial rate = momentum_rate(motion, i, times(motion.body[i], v.linear, v.angular));
        const Wrench& applied = wrench[at(id)];
        const Vec3 c = state.pose[at(id)].p - motion.O;
        motion.force[i].linear = rate.linear - applied.force;
        motion.force[i].angular = rate.angular - applied.torque - c.cross(applied.force);
    }
    gather_forces(tree, motion, f);
}

void jacobian_column(const TreeMotion& motion, int velocity, const Vec3& p, double length,
                     double sign, double* column) {
    const Vec3 angular = sign * motion.S.col(velocity).tail<3>();
    Eigen::Map<Vec3>{column} =
        sign * motion.S.col(velocity).head<3>() + angular.cross(p - motion.O);
    Eigen::Map<Vec3>{column + 3} = length * angular;
}

namespace {

const Pose kWorldPose;
const Twist kWorldTwist;

// What a joint's parent does; the world stays where it is.
const Pose& parent_pose(const Joint& joint, const State& state) {
    return joint.parent == kNone ? kWorldPose : state.pose[at(joint.parent)];
}

const Twist& parent_twist(const Joint& joint, const State& state) {
    return joint.parent == kNone ? kWorldTwist : state.twist[at(joint.parent)];
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
    const Pose& from = parent_pose(joint, state);
    const Twist& with = parent_twist(joint, state);
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

void set_tree_twists(const Tree& tree, TreeMotion& motion, Eigen::Ref<const VecX> v, State& state) {
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        const Tree::Node& node = tree.nodes[i];
        Spatial& u = motion.velocity[i];
        u = node.parent == kNone ? Spatial{} : motion.velocity[at(node.parent)];
        for (int k = node.first; k < node.first + node.dofs; ++k) {
            u.linear += v[k] * motion.S.col(k).head<3>();
            u.angular += v[k] * motion.S.col(k).tail<3>();
        }
        const Vec3 c = state.pose[at(node.body)].p - motion.O;
        state.twist[at(node.body)] = {u.linear + u.angular.cross(c), u.angular};
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
