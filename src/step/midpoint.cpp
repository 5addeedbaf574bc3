// midpoint.cpp - which bodies go by halves, their first half, and what the middle asks of joints
// and trees.
#include "step/midpoint.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "assemble/assemble.h"
#include "assemble/tension.h"
#include "dynamics/free_body.h"
#include "dynamics/joint_geometry.h"
#include "dynamics/tree.h"
#include "problem/link_motion.h"
#include "step/simulation.h"

namespace stiction {

namespace {

// The iteration contracts by about h |w|: forty rounds reach rounding up to a turn of 0.4 rad a
// step.
constexpr int kMostRounds = 40;
constexpr double kAccuracy = 1e-13;  // of the velocities

int find_root(std::vector<int>& group, int i) {
    while (group[at(i)] != i) i = group[at(i)] = group[at(group[at(i)])];
    return i;
}

bool is_dynamic(const Model& model, int body) {
    return body != kNone && model.bodies[at(body)].kind == BodyKind::kDynamic;
}

void find_groups(const Model& model, std::vector<int>& group) {
    group.resize(model.bodies.size());
    std::iota(group.begin(), group.end(), 0);
    for (const Joint& joint : model.joints) {
        if (!is_dynamic(model, joint.child) || !is_dynamic(model, joint.parent)) continue;
        const int a = find_root(group, joint.child);
        const int b = find_root(group, joint.parent);
        group[at(std::max(a, b))] = std::min(a, b);
    }
    for (std::size_t i = 0; i < group.size(); ++i) group[i] = find_root(group, static_cast<int>(i));
}

// Groups in contact; a kinematic body is a group of its own.
void find_holding(const ContactSet& contacts, MidpointWorkspace& ws) {
    ws.holds.assign(ws.group.size(), 0);
    for (const Contact& contact : contacts.contacts) {
        ws.holds[at(ws.group[at(contact.body_a)])] = 1;
        ws.holds[at(ws.group[at(contact.body_b)])] = 1;
    }
}

// Half a step of the bodies whose groups go by halves.
void move_half(const Model& model, double h, MidpointWorkspace& ws, State& state) {
    ws.half.assign(model.bodies.size(), 0);
    state.spin_P.resize(model.bodies.size(), Vec3::Zero());
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        const Body& body = model.bodies[i];
        if (body.kind == BodyKind::kStatic || ws.holds[at(ws.group[i])] != 0) continue;
        ws.half[i] = 1;
        if (body.tree == kNone) move_freely(body, 0.5 * h, i, state);
    }
    for (const Tree& tree : model.trees) {
        if (ws.half[at(tree.nodes.front().body)] == 0) continue;
        ws.v.resize(tree.dofs);
        tree_velocities(model, tree, state, ws.v);
        move_tree(model, tree, ws.v, 0.5 * h, ws.v, state);
    }
}

// Rotation without torque is part of the motion of a body that goes by halves, not of its forces.
void take_gyroscopic(const Model& model, const MidpointWorkspace& ws, Forces& forces) {
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        if (ws.half[i] == 0 || forces.gyroscopic[i].isZero(0.0)) continue;
        forces.wrench[i].torque = forces.wrench[i].torque == forces.gyroscopic[i]
                                      ? Vec3(Vec3::Zero())
                                      : Vec3(forces.wrench[i].torque - forces.gyroscopic[i]);
        forces.gyroscopic[i].setZero();
    }
}

// Velocities of a joint's rows at a state.
void joint_velocities(const State& state, const Joint& joint, double length,
                      std::array<double, 6>& values) {
    const JointGeometry geometry = joint_geometry(state, joint, length);
    const Twist still;
    const Twist& child = state.twist[at(joint.child)];
    const Twist& parent = joint.parent == kNone ? still : state.twist[at(joint.parent)];
    const Vec3 x_P = joint.parent == kNone ? Vec3::Zero() : state.pose[at(joint.parent)].p;
    Vec6 u;
    u.head<3>() = child.v + child.w.cross(geometry.point - state.pose[at(joint.child)].p) -
                  parent.v - parent.w.cross(geometry.point - x_P);
    u.tail<3>() = length * (child.w - parent.w);
    for (int k = 0; k < geometry.rows; ++k) values[at(k)] = geometry.g[at(k)].dot(u);
}

// Joints between bodies that go by halves hold in the mean of v and v+.
void mirror_joints(const Model& model, const MidpointWorkspace& ws, ContactProblem& problem) {
    std::array<double, 6> wrong{};
    for (std::size_t l = 0; l < problem.link_rows.size(); ++l) {
        const LinkRows& rows = problem.link_rows[l];
        if (rows.joint_begin == rows.joint_end) continue;
        const Joint& joint = model.joints[at(problem.joints[at(rows.joint_begin)].joint)];
        if (joint.reduced || ws.half[at(joint.child)] == 0) continue;
        const Link& link = problem.system.links[l];
        const Vec6 u = link_velocity(problem.system, link, problem.v);
        joint_velocities(ws.start, joint, link.length, wrong);
        for (int i = rows.joint_begin; i < rows.joint_end; ++i) {
            JointRow& row = problem.joints[at(i)];
            row.bias -= row.g.dot(u) - wrong[at(i - rows.joint_begin)];
        }
    }
}

// What the rows of joints, motors and joint friction gave in the last step changes the velocities
// by.
void expect_impulses(const Guess& guess, const ContactProblem& problem, VecX& momentum,
                     VecX& change) {
    change.setZero(problem.v.size());
    if (guess.joint_impulses.size() != problem.joints.size() ||
        guess.bounded_impulses.size() != problem.bounded.size())
        return;
    momentum.setZero(problem.v.size());
    for (std::size_t i = 0; i < problem.joints.size(); ++i) {
        const JointRow& row = problem.joints[i];
        add_link_impulse(problem.system, problem.system.links[at(row.link)],
                         guess.joint_impulses[i] * row.g, momentum);
    }
    for (std::size_t i = 0; i < problem.bounded.size(); ++i) {
        const BoundedRow& row = problem.bounded[i];
        add_link_impulse(problem.system, problem.system.links[at(row.link)],
                         guess.bounded_impulses[i] * row.g, momentum);
    }
    for (const InertiaBlock& block : problem.system.blocks)
        if (!block.free_body) apply_inverse_inertia(problem.system, block, momentum, change);
}

// v_free of a tree, by iteration; false: it does not end, or the tree is stiff.
bool find_tree_velocity(const Model& model, const Tree& tree, const Forces& forces, double h,
                        TreeMotion& motion, MidpointWorkspace& ws, State& state,
                        ContactProblem& problem) {
    const InertiaBlock& block = problem.system.blocks[at(tree.block)];
    auto f = problem.f.segment(block.offset, block.size);
    auto v_free = problem.v_free.segment(block.offset, block.size);
    const auto v = problem.v.segment(block.offset, block.size);
    const auto impulses = ws.impulses.segment(block.offset, block.size);
    if (motion.stiff) return false;
    ws.v = v;
    double change = 0, size = 0;
    for (int round = 0; round < kMostRounds; ++round) {
        ws.mean = 0.5 * (v + ws.v + impulses);
        set_tree_twists(tree, motion, ws.mean, state);
        find_motion(model, tree, state, motion);
        tree_force(tree, state, forces.wrench, motion, f);
        apply_inverse_inertia(problem.system, block, problem.f, problem.v_free);
        v_free = v + h * v_free;
        change = (v_free - ws.v).lpNorm<Eigen::Infinity>();
        size = v_free.lpNorm<Eigen::Infinity>() + v.lpNorm<Eigen::Infinity>();
        ws.v = v_free;
        if (!(change < 1e3 * size)) return false;
        if (change <= kAccuracy * size) return true;
    }
    return false;
}

// Trees that go by halves; those that cannot let their groups hold. True: all could.
bool find_tree_velocities(Simulation& sim, double h) {
    MidpointWorkspace& ws = sim.midpoint;
    bool all = true;
    if (sim.model.trees.empty()) return all;
    expect_impulses(sim.guess, sim.frame.problem, ws.mean, ws.impulses);
    for (std::size_t t = 0; t < sim.model.trees.size(); ++t) {
        const Tree& tree = sim.model.trees[t];
        const int body = tree.nodes.front().body;
        if (ws.half[at(body)] == 0) continue;
        if (find_tree_velocity(sim.model, tree, sim.frame.forces, h,
                               sim.assemble_workspace.trees[t], ws, sim.state, sim.frame.problem))
            continue;
        ws.holds[at(ws.group[at(body)])] = 1;
        ++ws.fallbacks;
        all = false;
    }
    return all;
}

// Groups of free bodies that joints pull at too hard hold. True: there are none.
bool check_tension(Simulation& sim) {
    MidpointWorkspace& ws = sim.midpoint;
    bool all = true;
    for (std::size_t b = 0; b < sim.model.blocks.size(); ++b) {
        const int body = sim.model.blocks[b].body;
        if (body == kNone || ws.half[at(body)] == 0) continue;
        if (b >= sim.assemble_workspace.stiff.size() || sim.assemble_workspace.stiff[b] == 0)
            continue;
        char& holds = ws.holds[at(ws.group[at(body)])];
        ws.fallbacks += holds == 0 ? 1 : 0;
        holds = 1;
        all = false;
    }
    return all;
}

}  // namespace

void assemble_at_midpoint(Simulation& sim, const StepSettings& settings) {
    MidpointWorkspace& ws = sim.midpoint;
    Frame& frame = sim.frame;
    ws.fallbacks = 0;
    if (ws.group.size() != sim.model.bodies.size()) find_groups(sim.model, ws.group);
    find_holding(frame.contacts, ws);
    ws.start =
        sim.state;  // with the prescribed twists that apply_forces() has set for its beginning
    // Once, and again while a group turns out to need a whole step.
    for (bool done = false; !done;) {
        sim.state = ws.start;
        sim.state.time += 0.5 * settings.h;
        set_kinematic_twists(sim.model, sim.controls, sim.state);
        move_half(sim.model, settings.h, ws, sim.state);
        apply_forces(sim.model, sim.controls, settings.h, sim.state, frame.forces);
        find_motors(sim.model, sim.controls, ws.start.time + settings.h, frame.forces.motor_targets,
                    frame.forces.motors);
        take_gyroscopic(sim.model, ws, frame.forces);
        assemble(sim.model, sim.state, frame.forces, frame.contacts, settings,
                 sim.assemble_workspace, frame.problem);
        add_joint_tension(sim.guess.joint_impulses, sim.assemble_workspace.tension,
                          sim.assemble_workspace.stiff, frame.problem);
        const bool loose = check_tension(sim);
        done = find_tree_velocities(sim, settings.h) && loose;
    }
    mirror_joints(sim.model, ws, frame.problem);
    sim.state.time = ws.start.time;
}

}  // namespace stiction
