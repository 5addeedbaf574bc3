// tree.cpp - kinematics and dynamics of trees about one common point.
#include "dynamics/tree.h"

#include <cmath>

#include "dynamics/free_body.h"

namespace stiction {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Joint frame seen from the parent, in the world.
Pose parent_frame(const Joint& joint, const State& state) {
    return joint.parent == kNone ? joint.frame_P : state.pose[at(joint.parent)] * joint.frame_P;
}

Vec6 spatial(const Vec3& linear, const Vec3& angular) {
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

void find_base(const Tree::Node& node, const State& state, TreeMotion& motion) {
    const Vec3 c = state.pose[at(node.body)].p - motion.O;
    const Twist& twist = state.twist[at(node.body)];
    for (int k = 0; k < 3; ++k) {
        motion.S.col(node.first + k) = spatial(Vec3::Unit(k), Vec3::Zero());
        motion.S.col(node.first + 3 + k) = spatial(c.cross(Vec3::Unit(k)), Vec3::Unit(k));
    }
    motion.v.segment<3>(node.first) = twist.v;
    motion.v.segment<3>(node.first + 3) = twist.w;
    motion.velocity[0] = spatial(twist.v + c.cross(twist.w), twist.w);
    motion.acceleration[0] = spatial(twist.v.cross(twist.w), Vec3::Zero());
}

// Rates of a joint from the twists of its two bodies.
Vec3 joint_rates(const Joint& joint, const State& state) {
    if (joint.kind != JointKind::kSpherical) {
        const JointCoordinate q = joint_coordinate(state, joint);
        return {q.velocity, 0, 0};
    }
    const Vec3 parent =
        joint.parent == kNone ? Vec3::Zero() : Vec3(state.twist[at(joint.parent)].w);
    return state.twist[at(joint.child)].w - parent;
}

void find_joint(const Joint& joint, const Tree::Node& node, std::size_t i, const State& state,
                TreeMotion& motion) {
    const bool root = node.parent == kNone;
    const Vec6 v_parent = root ? Vec6::Zero() : motion.velocity[at(node.parent)];
    const Vec6 a_parent = root ? Vec6::Zero() : motion.acceleration[at(node.parent)];
    const Vec3 w_parent = v_parent.tail<3>();
    JointMotion m;
    m.axis = parent_frame(joint, state).q * Vec3::UnitZ();
    m.p = state.pose[at(joint.child)] * joint.frame_C.p - motion.O;
    m.p_rate = v_parent.head<3>() + w_parent.cross(m.p);
    m.axis_rate = w_parent.cross(m.axis);
    // The anchor of a prismatic joint slides along, which its columns do not depend on.
    const Vec3 rates = joint_rates(joint, state);
    set_columns(joint.kind, m, node.first, motion);
    Vec6 own = Vec6::Zero();
    for (int k = 0; k < node.dofs; ++k) {
        motion.v[node.first + k] = rates[k];
        own += motion.S.col(node.first + k) * rates[k];
    }
    motion.velocity[i] = v_parent + own;
    motion.acceleration[i] = a_parent + column_rate(joint.kind, m, rates);
}

// f_O, tau_O of a momentum-like pair from (m, m c, I_O) and (v_O, w).
Vec6 times(double mass, const Vec3& moment, const Mat3& inertia, const Vec6& v) {
    const Vec3 linear = v.head<3>();
    const Vec3 w = v.tail<3>();
    return spatial(mass * linear + w.cross(moment), moment.cross(linear) + inertia * w);
}

TreeMotion::Composite body_about(const Body& body, const Pose& pose, const Vec3& O) {
    const Vec3 c = pose.p - O;
    const Mat3 R = pose.R();
    TreeMotion::Composite x;
    x.mass = body.mass;
    x.moment = body.mass * c;
    x.inertia = R * body.inertia_B * R.transpose() +
                body.mass * (c.squaredNorm() * Mat3::Identity() - c * c.transpose());
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
    motion.composite.resize(count);
    motion.O = state.pose[at(tree.nodes.front().body)].p;
    for (std::size_t i = 0; i < count; ++i) {
        const Tree::Node& node = tree.nodes[i];
        if (node.joint == kNone) {
            find_base(node, state, motion);
        } else {
            find_joint(model.joints[at(node.joint)], node, i, state, motion);
        }
    }
}

void tree_inertia(const Model& model, const Tree& tree, const State& state, TreeMotion& motion,
                  Eigen::Ref<MatX> H) {
    const std::size_t count = tree.nodes.size();
    for (std::size_t i = 0; i < count; ++i) {
        const int body = tree.nodes[i].body;
        motion.composite[i] = body_about(model.bodies[at(body)], state.pose[at(body)], motion.O);
    }
    H.setZero();
    for (std::size_t i = count; i-- > 0;) {
        const Tree::Node& node = tree.nodes[i];
        const TreeMotion::Composite& c = motion.composite[i];
        for (int k = node.first; k < node.first + node.dofs; ++k) {
            const Vec6 F = times(c.mass, c.moment, c.inertia, motion.S.col(k));
            // This node's own velocities up to k, then those of all nodes before it on the way to
            // the root.
            for (int j = node.first; j <= k; ++j) H(k, j) = H(j, k) = motion.S.col(j).dot(F);
            for (int up = node.parent; up != kNone; up = tree.nodes[at(up)].parent) {
                const Tree::Node& above = tree.nodes[at(up)];
                for (int j = above.first; j < above.first + above.dofs; ++j)
                    H(k, j) = H(j, k) = motion.S.col(j).dot(F);
            }
        }
        if (node.joint != kNone) {
            const double armature = model.joints[at(node.joint)].armature;
            for (int k = node.first; k < node.first + node.dofs; ++k) H(k, k) += armature;
        }
        if (node.parent == kNone) continue;
        TreeMotion::Composite& parent = motion.composite[at(node.parent)];
        parent.mass += c.mass;
        parent.moment += c.moment;
        parent.inertia += c.inertia;
    }
}

// By Cholesky's H = L L' in place: inverse = L^-T L^-1.
void invert_inertia(Eigen::Ref<const MatX> H, Eigen::Ref<MatX> inverse) {
    const Eigen::Index n = H.rows();
    inverse = H;
    for (Eigen::Index j = 0; j < n; ++j) {  // lower triangle becomes L
        for (Eigen::Index k = 0; k < j; ++k)
            inverse.col(j).tail(n - j) -= inverse(j, k) * inverse.col(k).tail(n - j);
        inverse.col(j).tail(n - j) /= std::sqrt(inverse(j, j));
    }
    for (Eigen::Index j = 0; j < n; ++j) {  // and then L^-1
        inverse(j, j) = 1 / inverse(j, j);
        for (Eigen::Index i = j + 1; i < n; ++i) {
            const double sum =
                inverse.row(i).segment(j, i - j).dot(inverse.col(j).segment(j, i - j));
            inverse(i, j) = -sum / inverse(i, i);
        }
    }
    for (Eigen::Index j = 0; j < n; ++j) {  // L^-T L^-1, upper triangle first
        for (Eigen::Index i = 0; i <= j; ++i)
            inverse(i, j) = inverse.col(i).tail(n - j).dot(inverse.col(j).tail(n - j));
    }
    for (Eigen::Index j = 0; j < n; ++j) {
        for (Eigen::Index i = j + 1; i < n; ++i) inverse(i, j) = inverse(j, i);
    }
}

void tree_force(const Model& model, const Tree& tree, const State& state,
                const std::vector<Wrench>& wrench, TreeMotion& motion, Eigen::Ref<VecX> f) {
    const std::size_t count = tree.nodes.size();
    for (std::size_t i = 0; i < count; ++i) {
        const int id = tree.nodes[i].body;
        const Pose& pose = state.pose[at(id)];
        const TreeMotion::Composite x = body_about(model.bodies[at(id)], pose, motion.O);
        const Vec6& v = motion.velocity[i];
        const Vec6 momentum = times(x.mass, x.moment, x.inertia, v);
        const Vec3 w = v.tail<3>();
        // d/dt of the momentum about the fixed O: I a + v x* (I v).
        const Vec6 needed =
            times(x.mass, x.moment, x.inertia, motion.acceleration[i]) +
            spatial(w.cross(momentum.head<3>()),
                    w.cross(momentum.tail<3>()) + v.head<3>().cross(momentum.head<3>()));
        const Wrench& applied = wrench[at(id)];
        const Vec3 c = pose.p - motion.O;
        motion.force[i] = needed - spatial(applied.force, applied.torque + c.cross(applied.force));
    }
    for (std::size_t i = count; i-- > 0;) {
        const Tree::Node& node = tree.nodes[i];
        for (int k = node.first; k < node.first + node.dofs; ++k)
            f[k] = -motion.S.col(k).dot(motion.force[i]);
        if (node.parent != kNone) motion.force[at(node.parent)] += motion.force[i];
    }
}

void add_tree_jacobian(const Tree& tree, const TreeMotion& motion, int node, const Vec3& p,
                       double length, double sign,
                       Eigen::Ref<Eigen::Matrix<double, 6, Eigen::Dynamic>> X) {
    const Vec3 r = p - motion.O;
    for (int up = node; up != kNone; up = tree.nodes[at(up)].parent) {
        const Tree::Node& above = tree.nodes[at(up)];
        for (int k = above.first; k < above.first + above.dofs; ++k) {
            const Vec3 linear = motion.S.col(k).head<3>();
            const Vec3 angular = motion.S.col(k).tail<3>();
            X.col(k).head<3>() += sign * (linear + angular.cross(r));
            X.col(k).tail<3>() += (sign * length) * angular;
        }
    }
}

namespace {

// Pose of a joint's child once its parent is in place and its coordinate has changed by d.
Pose child_pose(const Joint& joint, const Pose& turn_and_shift, const State& state) {
    return parent_frame(joint, state) * turn_and_shift * joint.frame_C.inverse();
}

// The child's joint frame in the parent's, before the step.
Pose relative_frame(const Joint& joint, const State& state) {
    switch (joint.kind) {
        case JointKind::kRevolute: {
            const double angle = joint_coordinate(state, joint).position;
            return {Vec3::Zero(), Quat(Eigen::AngleAxisd(angle, Vec3::UnitZ()))};
        }
        case JointKind::kPrismatic:
            return {Vec3(0, 0, joint_coordinate(state, joint).position), Quat::Identity()};
        case JointKind::kSpherical: {
            const Quat child = state.pose[at(joint.child)].q * joint.frame_C.q;
            return {Vec3::Zero(), (parent_frame(joint, state).q.conjugate() * child).normalized()};
        }
        default:
            return {};
    }
}

// The same after the displacement d of the joint's velocities.
Pose moved_frame(const Joint& joint, const State& state, const Vec3& d) {
    Pose frame = relative_frame(joint, state);
    switch (joint.kind) {
        case JointKind::kRevolute:
            frame.q = Quat(
                Eigen::AngleAxisd(joint_coordinate(state, joint).position + d[0], Vec3::UnitZ()));
            break;
        case JointKind::kPrismatic:
            frame.p.z() += d[0];
            break;
        case JointKind::kSpherical:
            frame.q = rotated(frame.q, parent_frame(joint, state).q.conjugate() * d);
            break;
        default:
            break;
    }
    return frame;
}

Vec3 stretch(const Tree::Node& node, Eigen::Ref<const VecX> x) {
    Vec3 part = Vec3::Zero();
    for (int k = 0; k < node.dofs; ++k) part[k] = x[node.first + k];
    return part;
}

// Twist of a joint's child from that of its parent and its own velocities.
Twist child_twist(const Joint& joint, const Vec3& rates, const State& state) {
    Twist parent;
    Vec3 parent_p = Vec3::Zero();
    if (joint.parent != kNone) {
        parent = state.twist[at(joint.parent)];
        parent_p = state.pose[at(joint.parent)].p;
    }
    const Pose& child = state.pose[at(joint.child)];
    const Vec3 anchor = child * joint.frame_C.p;
    const Vec3 axis = parent_frame(joint, state).q * Vec3::UnitZ();
    Twist twist;
    twist.w = parent.w;
    Vec3 v_anchor = parent.v + parent.w.cross(anchor - parent_p);
    if (joint.kind == JointKind::kRevolute) twist.w += rates[0] * axis;
    if (joint.kind == JointKind::kSpherical) twist.w += rates;
    if (joint.kind == JointKind::kPrismatic) v_anchor += rates[0] * axis;
    twist.v = v_anchor + twist.w.cross(child.p - anchor);
    return twist;
}

}  // namespace

void move_tree(const Model& model, const Tree& tree, Eigen::Ref<const VecX> d,
               Eigen::Ref<const VecX> v, State& state) {
    // From the leaves, so that every joint still sees its bodies where they were; the new relative
    // frames wait in the poses of the children.
    for (std::size_t i = tree.nodes.size(); i-- > 0;) {
        const Tree::Node& node = tree.nodes[i];
        if (node.joint == kNone) continue;
        const Joint& joint = model.joints[at(node.joint)];
        state.pose[at(node.body)] = moved_frame(joint, state, stretch(node, d));
    }
    for (const Tree::Node& node : tree.nodes) {
        Pose& pose = state.pose[at(node.body)];
        if (node.joint == kNone) {
            pose.p += d.segment<3>(node.first);
            pose.q = rotated(pose.q, d.segment<3>(node.first + 3));
            state.twist[at(node.body)] = {v.segment<3>(node.first), v.segment<3>(node.first + 3)};
            continue;
        }
        const Joint& joint = model.joints[at(node.joint)];
        pose = child_pose(joint, pose, state);
        state.twist[at(node.body)] = child_twist(joint, stretch(node, v), state);
    }
}

void tree_velocities(const Model& model, const Tree& tree, const State& state, Eigen::Ref<VecX> v) {
    for (const Tree::Node& node : tree.nodes) {
        if (node.joint == kNone) {
            v.segment<3>(node.first) = state.twist[at(node.body)].v;
            v.segment<3>(node.first + 3) = state.twist[at(node.body)].w;
            continue;
        }
        const Vec3 rates = joint_rates(model.joints[at(node.joint)], state);
        for (int k = 0; k < node.dofs; ++k) v[node.first + k] = rates[k];
    }
}

}  // namespace stiction
