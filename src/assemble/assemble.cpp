// assemble.cpp - the contact problem of one step from bodies, joints and contacts.
#include "assemble/assemble.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "dynamics/free_body.h"
#include "dynamics/joint_geometry.h"
#include "dynamics/tree.h"

namespace stiction {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

void assemble_free_body(const Model& model, const State& state, const Forces& forces, double h,
                        const DofBlock& dofs, InertiaBlock& block, ContactProblem& problem) {
    const Body& body = model.bodies[at(dofs.body)];
    block.free_body = true;
    block.isotropic = body.isotropic;
    block.mass = body.mass;
    block.inv_mass = 1.0 / body.mass;
    world_inertia(body, state.pose[at(dofs.body)].q, block.inertia, block.inv_inertia);

    const Twist& twist = state.twist[at(dofs.body)];
    const Wrench& wrench = forces.wrench[at(dofs.body)];
    problem.v.segment<3>(dofs.offset) = twist.v;
    problem.v.segment<3>(dofs.offset + 3) = twist.w;
    problem.f.segment<3>(dofs.offset) = wrench.force;
    problem.f.segment<3>(dofs.offset + 3) = wrench.torque;
    problem.v_free.segment<3>(dofs.offset) = twist.v + (h * block.inv_mass) * wrench.force;
    problem.v_free.segment<3>(dofs.offset + 3) = twist.w + h * (block.inv_inertia * wrench.torque);
}

// A matrix of the pool, column-major.
template <int rows>
auto pool_matrix(LinkSystem& system, int start, int columns) {
    using Matrix = Eigen::Matrix<double, rows, Eigen::Dynamic>;
    const auto count = rows == Eigen::Dynamic ? columns : rows;
    return Eigen::Map<Matrix>(system.pool.data() + start, count, columns);
}

// Room for `count` numbers, set to zero; gives where they start.
int take_from_pool(LinkSystem& system, int count) {
    const auto start = static_cast<int>(system.pool.size());
    system.pool.resize(system.pool.size() + at(count), 0.0);
    return start;
}

void assemble_tree(const Model& model, const State& state, const Forces& forces, double h,
                   const DofBlock& dofs, TreeMotion& motion, InertiaBlock& block,
                   ContactProblem& problem) {
    const Tree& tree = model.trees[at(dofs.tree)];
    LinkSystem& system = problem.system;
    block.free_body = false;
    block.isotropic = false;
    block.pool_M = take_from_pool(system, dofs.size * dofs.size);
    block.pool_inverse = take_from_pool(system, dofs.size * dofs.size);
    auto H = pool_matrix<Eigen::Dynamic>(system, block.pool_M, dofs.size);
    auto inverse = pool_matrix<Eigen::Dynamic>(system, block.pool_inverse, dofs.size);
    find_motion(model, tree, state, motion);
    tree_inertia(model, tree, state, motion, H);
    invert_inertia(H, inverse);
    auto f = problem.f.segment(dofs.offset, dofs.size);
    tree_force(model, tree, state, forces.wrench, motion, f);
    problem.v.segment(dofs.offset, dofs.size) = motion.v;
    problem.v_free.segment(dofs.offset, dofs.size) = motion.v;
    problem.v_free.segment(dofs.offset, dofs.size).noalias() += h * (inverse * f);
}

void assemble_blocks(const Model& model, const State& state, const Forces& forces, double h,
                     std::vector<TreeMotion>& trees, ContactProblem& problem) {
    LinkSystem& system = problem.system;
    system.nv = model.nv;
    system.pool.clear();
    system.blocks.resize(model.blocks.size());
    trees.resize(model.trees.size());
    problem.v.resize(model.nv);
    problem.f.resize(model.nv);
    problem.v_free.resize(model.nv);
    for (std::size_t b = 0; b < model.blocks.size(); ++b) {
        const DofBlock& dofs = model.blocks[b];
        InertiaBlock& block = system.blocks[b];
        block.offset = dofs.offset;
        block.size = dofs.size;
        if (dofs.tree == kNone) {
            assemble_free_body(model, state, forces, h, dofs, block, problem);
        } else {
            assemble_tree(model, state, forces, h, dofs, trees[at(dofs.tree)], block, problem);
        }
    }
}

// Radius of gyration of the lighter-to-turn of the link's unknown bodies: a length natural to the
// pair.
double natural_length(const Model& model, const LinkSystem& system, int body_a, int body_b) {
    double length = std::numeric_limits<double>::infinity();
    for (const int id : {body_a, body_b}) {
        if (id == kNone || model.bodies[at(id)].block == kNone) continue;
        const Body& body = model.bodies[at(id)];
        const InertiaBlock& block = system.blocks[at(body.block)];
        const double gyration = block.free_body ? block.inv_mass / block.inv_inertia.trace()
                                                : 1.0 / (body.mass * body.inv_inertia_B.trace());
        length = std::min(length, std::sqrt(3.0 * gyration));
    }
    return length;
}

// What the bodies of a tree contribute to a link; needs its length. Two bodies of one tree make one
// side.
void add_tree_sides(const Model& model, const std::vector<TreeMotion>& trees, int body_a,
                    int body_b, const Vec3& p, Link& link, LinkSystem& system) {
    const auto add = [&](int body, double sign, int pool_X) {
        const Body& b = model.bodies[at(body)];
        const Tree& tree = model.trees[at(b.tree)];
        auto X = pool_matrix<6>(system, pool_X, tree.dofs);
        add_tree_jacobian(tree, trees[at(b.tree)], b.node, p, link.length, sign, X);
    };
    const auto tree_of = [&](int body) {
        return body == kNone ? kNone : model.bodies[at(body)].tree;
    };
    const int tree_a = tree_of(body_a);
    const int tree_b = tree_of(body_b);
    if (tree_a != kNone) {
        link.pool_X_a = take_from_pool(system, 6 * model.trees[at(tree_a)].dofs);
        add(body_a, 1, link.pool_X_a);
    }
    if (tree_b == kNone) return;
    if (tree_a == tree_b) {
        add(body_b, -1, link.pool_X_a);
        link.b = kNone;
        return;
    }
    link.pool_X_b = take_from_pool(system, 6 * model.trees[at(tree_b)].dofs);
    add(body_b, 1, link.pool_X_b);
}

// Link between two bodies (kNone: the world) with reference point p; u0 collects prescribed motion.
Link make_link(const Model& model, const State& state, int body_a, int body_b, const Vec3& p) {
    Link link;
    link.a = body_a == kNone ? kNone : model.bodies[at(body_a)].block;
    link.b = body_b == kNone ? kNone : model.bodies[at(body_b)].block;
    if (body_a != kNone) link.r_a = p - state.pose[at(body_a)].p;
    if (body_b != kNone) link.r_b = p - state.pose[at(body_b)].p;
    return link;
}

// Needs link.length. Bodies that are no unknowns move as prescribed (static ones not at all).
void add_prescribed_motion(const Model& model, const std::vector<Twist>& twists, int body_a,
                           int body_b, Link& link) {
    if (body_a != kNone && model.bodies[at(body_a)].kind == BodyKind::kKinematic) {
        const Twist& twist = twists[at(body_a)];
        link.u0.head<3>() += twist.v + twist.w.cross(link.r_a);
        link.u0.tail<3>() += link.length * twist.w;
    }
    if (body_b != kNone && model.bodies[at(body_b)].kind == BodyKind::kKinematic) {
        const Twist& twist = twists[at(body_b)];
        link.u0.head<3>() -= twist.v + twist.w.cross(link.r_b);
        link.u0.tail<3>() -= link.length * twist.w;
    }
}

Vec6 point_row(const Vec3& direction, const Vec3& lever, double length) {
    Vec6 g;
    g.head<3>() = direction;
    g.tail<3>() = lever.cross(direction) * (1.0 / length);
    return g;
}

// Where a contact's rows act; p0 is the reference point of its link.
void set_directions(const Contact& contact, const Vec3& s, const Vec3& t, const Link& link,
                    const Vec3& p0, ContactRow& row) {
    const Vec3 lever = contact.p() - p0;
    row.n = point_row(contact.n, lever, link.length);
    row.s = point_row(s, lever, link.length);
    row.t = point_row(t, lever, link.length);
    row.phi = contact.phi;
}

// One contact's rows; its link must be complete.
void add_contact(const Model& model, const Contact& contact, const Vec3& s, const Vec3& t,
                 const Link& link, int link_id, const Vec3& p0, ContactProblem& problem) {
    const SurfacePair& surface = model.surface(model.geoms[at(contact.geom_a)].material,
                                               model.geoms[at(contact.geom_b)].material);
    ContactRow& row = problem.contacts.emplace_back();
    row.link = link_id;
    set_directions(contact, s, t, link, p0, row);
    row.mu_c = surface.mu_c;
    row.mu_v = surface.mu_v;
    row.eps = surface.eps;
    row.key = key(contact);
}

// Gaps that count as touching get no bias: phi/h of a resting contact is noise, which makes the
// rows of redundant contacts contradict each other; impulses then drift for thousands of sweeps. A
// contact that rebounds in this step takes its impulse at once: with bias phi/h only part of the
// approach speed would be stopped now, and restitution would be applied to that part alone.
void set_contact_bias(const StepSettings& settings, double threshold, const Link& link,
                      const ContactProblem& problem, ContactRow& row) {
    row.bias = unilateral_bias(settings, row.phi);
    const bool touches = row.phi > 0 && row.phi <= kTouching * link.length;
    if (touches && settings.stabilisation != Stabilisation::kStewartTrinkle) row.bias = 0;
    if (row.eps <= 0 || row.phi <= 0) return;
    const double approach = -row.n.dot(link_velocity(problem.system, link, problem.v));
    const double closing =
        row.phi + problem.h * row.n.dot(link_velocity(problem.system, link, problem.v_free));
    if (approach > threshold && closing < 0) row.bias = 0;
}

void assemble_contacts(const Model& model, const State& state, const ContactSet& set,
                       const StepSettings& settings, const std::vector<TreeMotion>& trees,
                       ContactProblem& problem) {
    const double threshold = restitution_threshold(settings, problem.gravity);
    const std::vector<Contact>& all = set.contacts;
    for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
        Vec3 p0 = Vec3::Zero();
        for (end = begin; end < all.size() && all[end].body_a == all[begin].body_a &&
                          all[end].body_b == all[begin].body_b;
             ++end) {
            p0 += all[end].p();
        }
        const double count = static_cast<double>(end - begin);
        p0 /= count;
        double spread = 0;
        for (std::size_t i = begin; i < end; ++i) spread += (all[i].p() - p0).squaredNorm();
        spread = std::sqrt(spread / count);

        const int a = all[begin].body_a;
        const int b = all[begin].body_b;
        const auto link_id = static_cast<int>(problem.system.links.size());
        Link link = make_link(model, state, a, b, p0);
        const double natural = natural_length(model, problem.system, a, b);
        link.length = spread > 1e-3 * natural ? spread : natural;
        add_tree_sides(model, trees, a, b, p0, link, problem.system);
        add_prescribed_motion(model, state.twist, a, b, link);
        problem.system.links.push_back(link);

        LinkRows& rows = problem.link_rows.emplace_back();
        rows.contact_begin = static_cast<int>(problem.contacts.size());
        Vec3 s, t;  // contacts of one face share a normal and so their tangents
        for (std::size_t i = begin; i < end; ++i) {
            if (i == begin || all[i].n != all[i - 1].n) tangents(all[i].n, s, t);
            add_contact(model, all[i], s, t, link, link_id, p0, problem);
            set_contact_bias(settings, threshold, link, problem, problem.contacts.back());
        }
        rows.contact_end = static_cast<int>(problem.contacts.size());
    }
}

void add_limits(const Joint& joint, int joint_id, const JointGeometry& geometry,
                const JointCoordinate& coordinate, const StepSettings& settings, int link_id,
                ContactProblem& problem) {
    if (!joint.limited) return;
    // Rows for limits that ten steps at the present rate (or at one unit per second, if faster)
    // would reach.
    const double reach = 10.0 * settings.h * (std::abs(coordinate.velocity) + 1.0);
    for (const bool upper : {false, true}) {
        const double distance =
            upper ? joint.upper - coordinate.position : coordinate.position - joint.lower;
        if (distance > reach) continue;
        LimitRow& row = problem.limits.emplace_back();
        row.link = link_id;
        row.g = (upper ? -1.0 : 1.0) * geometry.g_coordinate;
        row.phi = geometry.unit * distance;
        row.bias = unilateral_bias(settings, row.phi);
        row.joint = joint_id;
        row.upper = upper;
    }
}

// A velocity motor is a row with the wanted velocity. A position motor with force kp (target - q+)
// - kd q'+ at the end of the step is the soft row q'+ + c / (h (h kp + kd)) = kp (target - q) / (h
// kp + kd).
void add_motor(const Joint& joint, int joint_id, double target, const JointGeometry& geometry,
               const JointCoordinate& coordinate, double h, int link_id, ContactProblem& problem) {
    if (joint.motor.kind == Motor::Kind::kOff) return;
    BoundedRow& row = problem.bounded.emplace_back();
    row.link = link_id;
    row.joint = joint_id;
    row.g = geometry.g_coordinate;
    if (joint.motor.kind == Motor::Kind::kVelocity) {
        row.target = geometry.unit * target;
    } else {
        const double gain = h * joint.motor.kp + joint.motor.kd;
        row.target = geometry.unit * joint.motor.kp * (target - coordinate.position) / gain;
        row.compliance = geometry.unit * geometry.unit / (h * gain);
    }
    row.hi = h * joint.motor.max_force / geometry.unit;
    row.lo = -row.hi;
}

// Joint friction [DS10, QP 4]: the row wants no motion, with |impulse| <= h (mu_c + mu_v |q'|).
double joint_friction(const Joint& joint, const JointCoordinate& coordinate) {
    return joint.friction + joint.damping * std::abs(coordinate.velocity);
}

void add_joint_friction(const Joint& joint, int joint_id, const JointGeometry& geometry,
                        const JointCoordinate& coordinate, double h, int link_id,
                        ContactProblem& problem) {
    const double force = joint_friction(joint, coordinate);
    if (force <= 0) return;
    BoundedRow& row = problem.bounded.emplace_back();
    row.link = link_id;
    row.joint = joint_id;
    row.g = geometry.g_coordinate;
    row.hi = h * force / geometry.unit;
    row.lo = -row.hi;
    row.friction = true;
}

// Friction beside a position motor has a link of its own: as rows of one link, the rigid one would
// take the soft one's place, and its impulse would be the small difference of two large numbers.
bool parts_friction(const Joint& joint) {
    return joint.motor.kind == Motor::Kind::kPosition && (joint.friction > 0 || joint.damping > 0);
}

// Limits, motor and friction of a joint, on its coordinate; they belong to link `link_id`.
void add_coordinate_rows(const Joint& joint, int j, const JointGeometry& geometry,
                         const State& state, const Forces& forces, const StepSettings& settings,
                         int link_id, ContactProblem& problem) {
    const JointCoordinate coordinate = joint_coordinate(state, joint);
    add_limits(joint, j, geometry, coordinate, settings, link_id, problem);
    add_motor(joint, j, forces.motor_targets[at(j)], geometry, coordinate, settings.h, link_id,
              problem);
    if (!parts_friction(joint))
        add_joint_friction(joint, j, geometry, coordinate, settings.h, link_id, problem);
}

LinkRows no_rows_yet(const ContactProblem& problem) {
    LinkRows rows;
    rows.contact_begin = rows.contact_end = static_cast<int>(problem.contacts.size());
    rows.joint_begin = rows.joint_end = static_cast<int>(problem.joints.size());
    rows.limit_begin = rows.limit_end = static_cast<int>(problem.limits.size());
    rows.bounded_begin = rows.bounded_end = static_cast<int>(problem.bounded.size());
    return rows;
}

// A coordinate of a tree that has rows of its own.
bool is_driven(const Joint& joint) {
    return joint.kind != JointKind::kFixed && joint.kind != JointKind::kSpherical &&
           (joint.limited || joint.motor.kind != Motor::Kind::kOff || joint.friction > 0 ||
            joint.damping > 0);
}

// The coordinates of a tree are velocities already: six of them make one link, u_r = unit times the
// rate of the r-th. The solvers' cost follows the number of links. `wanted` chooses the joints,
// `add_rows` gives them their rows.
template <class Wanted, class AddRows>
void assemble_coordinates(const Model& model, const Tree& tree, const Wanted& wanted,
                          const AddRows& add_rows, ContactProblem& problem) {
    int taken = 6;
    for (const Tree::Node& node : tree.nodes) {
        if (node.joint == kNone || !wanted(model.joints[at(node.joint)])) continue;
        const Joint& joint = model.joints[at(node.joint)];
        if (taken == 6) {
            taken = 0;
            Link link;
            link.a = tree.block;
            link.length = natural_length(model, problem.system, joint.child, joint.parent);
            link.pool_X_a = take_from_pool(problem.system, 6 * tree.dofs);
            problem.system.links.push_back(link);
            problem.link_rows.push_back(no_rows_yet(problem));
        }
        const Link& link = problem.system.links.back();
        JointGeometry geometry;
        geometry.has_coordinate = true;
        geometry.unit = joint.kind == JointKind::kRevolute ? link.length : 1.0;
        geometry.g_coordinate = Vec6::Unit(taken);
        pool_matrix<6>(problem.system, link.pool_X_a, tree.dofs)(taken, node.first) = geometry.unit;
        add_rows(joint, node.joint, geometry, static_cast<int>(problem.system.links.size()) - 1);
        problem.link_rows.back().limit_end = static_cast<int>(problem.limits.size());
        problem.link_rows.back().bounded_end = static_cast<int>(problem.bounded.size());
        ++taken;
    }
}

void assemble_tree_rows(const Model& model, const State& state, const Forces& forces,
                        const StepSettings& settings, const Tree& tree, ContactProblem& problem) {
    assemble_coordinates(
        model, tree, is_driven,
        [&](const Joint& joint, int j, const JointGeometry& geometry, int link_id) {
            add_coordinate_rows(joint, j, geometry, state, forces, settings, link_id, problem);
        },
        problem);
    assemble_coordinates(
        model, tree, parts_friction,
        [&](const Joint& joint, int j, const JointGeometry& geometry, int link_id) {
            add_joint_friction(joint, j, geometry, joint_coordinate(state, joint), settings.h,
                               link_id, problem);
        },
        problem);
}

void assemble_joints(const Model& model, const State& state, const Forces& forces,
                     const StepSettings& settings, const std::vector<TreeMotion>& trees,
                     ContactProblem& problem) {
    const bool baumgarte = settings.stabilisation == Stabilisation::kBaumgarte;
    for (int j = 0; j < static_cast<int>(model.joints.size()); ++j) {
        const Joint& joint = model.joints[at(j)];
        if (joint.reduced) continue;
        const auto link_id = static_cast<int>(problem.system.links.size());
        const Vec3 anchor = state.pose[at(joint.child)] * joint.frame_C.p;
        Link link = make_link(model, state, joint.child, joint.parent, anchor);
        if (link.a == kNone && link.b == kNone) continue;  // nothing to solve for
        link.length = natural_length(model, problem.system, joint.child, joint.parent);
        add_tree_sides(model, trees, joint.child, joint.parent, anchor, link, problem.system);
        add_prescribed_motion(model, state.twist, joint.child, joint.parent, link);
        const JointGeometry geometry = joint_geometry(state, joint, link.length);
        problem.system.links.push_back(link);

        LinkRows& rows = problem.link_rows.emplace_back();
        rows.joint_begin = static_cast<int>(problem.joints.size());
        for (int k = 0; k < geometry.rows; ++k) {
            JointRow& row = problem.joints.emplace_back();
            row.link = link_id;
            row.g = geometry.g[at(k)];
            row.error = geometry.error[at(k)];
            row.joint = j;
            if (baumgarte) row.bias = -settings.baumgarte * row.error / settings.h;
        }
        rows.joint_end = static_cast<int>(problem.joints.size());
        rows.limit_begin = rows.limit_end = static_cast<int>(problem.limits.size());
        rows.bounded_begin = rows.bounded_end = static_cast<int>(problem.bounded.size());
        if (!geometry.has_coordinate) continue;
        add_coordinate_rows(joint, j, geometry, state, forces, settings, link_id, problem);
        rows.limit_end = static_cast<int>(problem.limits.size());
        rows.bounded_end = static_cast<int>(problem.bounded.size());
        if (!parts_friction(joint)) continue;
        problem.system.links.push_back(link);
        LinkRows parted = no_rows_yet(problem);
        add_joint_friction(joint, j, geometry, joint_coordinate(state, joint), settings.h,
                           link_id + 1, problem);
        parted.bounded_end = static_cast<int>(problem.bounded.size());
        problem.link_rows.push_back(parted);
    }
}

// The joint that a link without contacts belongs to.
int joint_of(const ContactProblem& problem, const LinkRows& rows) {
    if (rows.joint_begin < rows.joint_end) return problem.joints[at(rows.joint_begin)].joint;
    return problem.bounded[at(rows.bounded_begin)].joint;
}

// The two bodies of a link of the problem (kNone: the world).
std::pair<int, int> bodies_of(const Model& model, const ContactSet& set,
                              const ContactProblem& problem, const LinkRows& rows) {
    if (rows.contact_begin < rows.contact_end) {
        const Contact& contact = set.contacts[at(rows.contact_begin)];
        return {contact.body_a, contact.body_b};
    }
    const Joint& joint = model.joints[at(joint_of(problem, rows))];
    return {joint.child, joint.parent};
}

void move_contact_rows(const State& state, const ContactSet& set, const LinkRows& rows, Link& link,
                       ContactProblem& problem) {
    const Contact& first = set.contacts[at(rows.contact_begin)];
    Vec3 p0 = Vec3::Zero();
    for (int i = rows.contact_begin; i < rows.contact_end; ++i) p0 += set.contacts[at(i)].p();
    p0 /= static_cast<double>(rows.contact_end - rows.contact_begin);
    link.r_a = p0 - state.pose[at(first.body_a)].p;
    link.r_b = p0 - state.pose[at(first.body_b)].p;
    Vec3 s, t;  // contacts of one face share a normal and so their tangents
    for (int i = rows.contact_begin; i < rows.contact_end; ++i) {
        const Contact& contact = set.contacts[at(i)];
        if (i == rows.contact_begin || contact.n != set.contacts[at(i - 1)].n)
            tangents(contact.n, s, t);
        set_directions(contact, s, t, link, p0, problem.contacts[at(i)]);
    }
}

void move_joint_rows(const Model& model, const State& state, const LinkRows& rows, Link& link,
                     ContactProblem& problem) {
    const Joint& joint = model.joints[at(joint_of(problem, rows))];
    const JointGeometry geometry = joint_geometry(state, joint, link.length);
    link.r_a = geometry.point - state.pose[at(joint.child)].p;
    if (joint.parent != kNone) link.r_b = geometry.point - state.pose[at(joint.parent)].p;
    for (int i = rows.joint_begin; i < rows.joint_end; ++i) {
        problem.joints[at(i)].g = geometry.g[at(i - rows.joint_begin)];
        problem.joints[at(i)].error = geometry.error[at(i - rows.joint_begin)];
    }
    if (!geometry.has_coordinate) return;
    const JointCoordinate coordinate = joint_coordinate(state, joint);
    for (int i = rows.limit_begin; i < rows.limit_end; ++i) {
        LimitRow& row = problem.limits[at(i)];
        row.g = (row.upper ? -1.0 : 1.0) * geometry.g_coordinate;
        row.phi = geometry.unit * (row.upper ? joint.upper - coordinate.position
                                             : coordinate.position - joint.lower);
    }
    for (int i = rows.bounded_begin; i < rows.bounded_end; ++i) {
        BoundedRow& row = problem.bounded[at(i)];
        row.g = geometry.g_coordinate;
        if (!row.friction) continue;
        row.hi = problem.h * joint_friction(joint, coordinate) / geometry.unit;
        row.lo = -row.hi;
    }
}

}  // namespace

double unilateral_bias(const StepSettings& settings, double phi) {
    if (phi > 0 || settings.stabilisation == Stabilisation::kStewartTrinkle)
        return phi / settings.h;
    if (settings.stabilisation != Stabilisation::kBaumgarte) return 0;
    return std::max(settings.baumgarte * phi / settings.h, -settings.baumgarte_max_speed);
}

double restitution_threshold(const StepSettings& settings, double gravity) {
    return settings.restitution_threshold >= 0 ? settings.restitution_threshold
                                               : 2.0 * gravity * settings.h;
}

void assemble(const Model& model, const State& state, const Forces& forces,
              const ContactSet& contacts, const StepSettings& settings,
              AssembleWorkspace& workspace, ContactProblem& problem) {
    problem.h = settings.h;
    problem.gravity = model.gravity.norm();
    problem.system.links.clear();
    problem.contacts.clear();
    problem.joints.clear();
    problem.limits.clear();
    problem.bounded.clear();
    problem.link_rows.clear();
    assemble_blocks(model, state, forces, settings.h, workspace.trees, problem);
    assemble_joints(model, state, forces, settings, workspace.trees, problem);
    for (const Tree& tree : model.trees)
        assemble_tree_rows(model, state, forces, settings, tree, problem);
    assemble_contacts(model, state, contacts, settings, workspace.trees, problem);
    find_islands(problem, workspace.islands);
}

void move_blocks(const Model& model, const State& state, const Forces& forces,
                 ContactProblem& problem) {
    std::vector<TreeMotion> none;
    assemble_blocks(model, state, forces, problem.h, none, problem);
}

void move_rows(const Model& model, const State& state, const ContactSet& contacts,
               ContactProblem& problem) {
    for (std::size_t l = 0; l < problem.system.links.size(); ++l) {
        const LinkRows& rows = problem.link_rows[l];
        Link& link = problem.system.links[l];
        if (rows.contact_begin < rows.contact_end) {
            move_contact_rows(state, contacts, rows, link, problem);
        } else {
            move_joint_rows(model, state, rows, link, problem);
        }
    }
    set_prescribed_motion(model, state.twist, contacts, problem);
}

void set_prescribed_motion(const Model& model, const std::vector<Twist>& twists,
                           const ContactSet& contacts, ContactProblem& problem) {
    for (std::size_t l = 0; l < problem.system.links.size(); ++l) {
        const auto [a, b] = bodies_of(model, contacts, problem, problem.link_rows[l]);
        problem.system.links[l].u0.setZero();
        add_prescribed_motion(model, twists, a, b, problem.system.links[l]);
    }
}

}  // namespace stiction
