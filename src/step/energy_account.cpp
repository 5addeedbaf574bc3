// energy_account.cpp - work of forces and rows over one step.
#include "step/energy_account.h"

#include <algorithm>
#include <cmath>

#include "contact/island/safety.h"
#include "dynamics/tree.h"
#include "problem/link_motion.h"
#include "step/simulation.h"

namespace stiction {

namespace {

double half_square(const LinkSystem& system, const InertiaBlock& block, const VecX& v, VecX& Mv) {
    apply_inertia(system, block, v, Mv);
    return 0.5 * v.segment(block.offset, block.size).dot(Mv.segment(block.offset, block.size));
}

// Twist of a body at the velocities v of the problem, where it was at the start of the step.
Twist twist_at(const Simulation& sim, std::size_t i, const VecX& v) {
    const Body& body = sim.model.bodies[i];
    Twist twist;
    const DofBlock& dofs = sim.model.blocks[at(body.block)];
    if (body.tree == kNone) {
        twist.v = v.segment<3>(dofs.offset);
        twist.w = v.segment<3>(dofs.offset + 3);
        return twist;
    }
    const Tree& tree = sim.model.trees[at(body.tree)];
    const TreeMotion& motion = sim.assemble_workspace.trees[at(body.tree)];
    const int last = tree.nodes[at(body.node)].last;
    if (last == kNone) return twist;
    const int* way = tree.ways().way(last);
    for (int k = 0; k < tree.ways().count(last); ++k) {
        const double rate = v[dofs.offset + way[k]];
        twist.v += rate * motion.S.col(way[k]).head<3>();
        twist.w += rate * motion.S.col(way[k]).tail<3>();
    }
    twist.v += twist.w.cross(sim.before.pose[i].p - motion.O);
    return twist;
}

double work(const Wrench& wrench, const Twist& twist) {
    return wrench.force.dot(twist.v) + wrench.torque.dot(twist.w);
}

// What exp(-damping t) takes in a step (control/forces.cpp), as a rate [1/s].
double mean_rate(double damping, double h) {
    return damping == 0 ? 0.0 : -std::expm1(-h * damping) / h;
}

Wrench drag(const Body& body, const Pose& pose, const Twist& twist, double h) {
    Wrench wrench;
    wrench.force = -(mean_rate(body.linear_damping, h) * body.mass) * twist.v;
    wrench.torque = -mean_rate(body.angular_damping, h) *
                    (pose.q * Vec3(body.inertia_B * (pose.q.conjugate() * twist.w)));
    return wrench;
}

void add_forces(const Simulation& sim, AccountWorkspace& ws, EnergyAccount& account) {
    const double h = sim.frame.problem.h;
    ws.start = sim.before;
    set_kinematic_twists(sim.model, sim.controls, ws.start);
    ws.wrench.assign(sim.model.bodies.size(), Wrench{});
    add_control_forces(sim.model, sim.controls, ws.start, ws.wrench);
    for (std::size_t i = 0; i < sim.model.bodies.size(); ++i) {
        const Body& body = sim.model.bodies[i];
        if (body.kind != BodyKind::kDynamic) continue;
        const Twist mean = twist_at(sim, i, ws.mean);
        account.scripts += h * work(ws.wrench[i], mean);
        account.damping += h * work(drag(body, ws.start.pose[i], ws.start.twist[i], h), mean);
    }
}

// Impacts that were taken one by one are part of v_free (contact/impacts.h), and their impulses of the
// rows' ones: what forces did is the rest.
void take_out_impacts(const Simulation& sim, VecX& momentum) {
    const ContactProblem& problem = sim.frame.problem;
    for (std::size_t l = 0; l < problem.system.links.size(); ++l) {
        const LinkRows& range = problem.link_rows[l];
        Vec6 all = Vec6::Zero();
        for (int i = range.contact_begin; i < range.contact_end; ++i)
            all -= sim.impacts.c_n[at(i)] * problem.contacts[at(i)].n;
        for (int i = range.joint_begin; i < range.joint_end; ++i)
            all -= sim.impacts.c_j[at(i)] * problem.joints[at(i)].g;
        add_link_impulse(problem.system, problem.system.links[l], all, momentum);
    }
}

// Work of the rows of link l, and their impulse into ws.rows.
void add_rows(const ContactProblem& problem, const ContactSolution& x, std::size_t l,
              AccountWorkspace& ws, EnergyAccount& account) {
    const Link& link = problem.system.links[l];
    const LinkRows& range = problem.link_rows[l];
    const Vec6 u = link_velocity(problem.system, link, ws.mean);
    Vec6 all = Vec6::Zero();
    const auto add = [&](const Vec6& F, double& term) {
        term += F.dot(u);
        all += F;
    };
    for (int i = range.contact_begin; i < range.contact_end; ++i) {
        const ContactRow& row = problem.contacts[at(i)];
        add(x.c_n[at(i)] * row.n + x.c_s[at(i)] * row.s + x.c_t[at(i)] * row.t, account.contact);
    }
    for (int i = range.joint_begin; i < range.joint_end; ++i)
        add(x.c_j[at(i)] * problem.joints[at(i)].g, account.joints);
    for (int i = range.limit_begin; i < range.limit_end; ++i)
        add(x.c_l[at(i)] * problem.limits[at(i)].g, account.joints);
    for (int i = range.bounded_begin; i < range.bounded_end; ++i) {
        const BoundedRow& row = problem.bounded[at(i)];
        add(x.c_b[at(i)] * row.g, row.friction ? account.joint_friction : account.motors);
    }
    account.prescribed -= all.dot(link.u0);
    add_link_impulse(problem.system, link, all, ws.rows);
}

int body_of(const Model& model, const DofBlock& block) {
    return block.tree == kNone ? block.body : model.trees[at(block.tree)].nodes.front().body;
}

// What island i has gained beyond its law, and the block that gained most.
double created(const ContactProblem& problem, const ContactSolution& solution, const Island& island,
               VecX& momentum, int& block, double& most) {
    double gain = 0, largest = 0;
    int fastest = kNone;
    for (const int b : blocks_of(problem, island)) {
        const InertiaBlock& inertia = problem.system.blocks[at(b)];
        const double own = half_square(problem.system, inertia, solution.v, momentum) -
                           half_square(problem.system, inertia, problem.v_free, momentum);
        gain += own;
        if (own <= largest) continue;
        largest = own;
        fastest = b;
    }
    if (gain <= 0) return 0;
    const double asked = asked_energy(problem, links_of(problem, island), solution);
    const double excess = std::max(0.0, gain - std::max(0.0, asked));
    if (excess > most) {
        most = excess;
        block = fastest;
    }
    return excess;
}

// The body with the most of the impulses that do not fit, or of what its island has gained beyond
// the law, which is no work of contact.
void blame_unexplained(const Simulation& sim, AccountWorkspace& ws, EnergyAccount& account) {
    const ContactProblem& problem = sim.frame.problem;
    double most = 0;
    int block = kNone;
    for (std::size_t b = 0; b < problem.system.blocks.size(); ++b) {
        const InertiaBlock& inertia = problem.system.blocks[b];
        const double own = ws.mean.segment(inertia.offset, inertia.size)
                               .dot((ws.fit - ws.rows).segment(inertia.offset, inertia.size));
        if (!(std::abs(own) > most)) continue;
        most = std::abs(own);
        block = static_cast<int>(b);
    }
    for (const Island& island : problem.islands) {
        const double excess = created(problem, sim.frame.solution, island, ws.forces, block, most);
        if (excess <= 0) continue;
        account.unexplained += excess;
        bool contacts = false;
        for (const int l : links_of(problem, island))
            contacts = contacts || problem.link_rows[at(l)].contact_begin <
                                       problem.link_rows[at(l)].contact_end;
        (contacts ? account.contact : account.joints) -= excess;
    }
    if (block != kNone) account.body = body_of(sim.model, sim.model.blocks[at(block)]);
}

// Of a fall of all bodies by a micrometre [J].
double least_energy(const Model& model) {
    double weight = 0;
    for (const Body& body : model.bodies) {
        if (body.kind == BodyKind::kDynamic) weight += body.mass * std::abs(body.gravity_scale);
    }
    return 1e-6 * model.gravity.norm() * weight;
}

// What symplectic Euler gives by its formula [J]; the midpoint rule gives nothing, but for bodies
// that it left to the other.
double expected_of_integrator(const Simulation& sim, const AccountWorkspace& ws) {
    if (sim.settings.integrator != Integrator::kSymplecticEuler) return 0;
    double sum = 0;
    for (std::size_t b = 0; b < sim.model.bodies.size(); ++b) {
        const Body& body = sim.model.bodies[b];
        if (body.kind != BodyKind::kDynamic) continue;
        const Vec3 change = sim.state.twist[b].v - ws.start.twist[b].v;
        sum -=
            0.5 * sim.settings.h * body.gravity_scale * body.mass * sim.model.gravity.dot(change);
    }
    return sum;
}

// Of the most kinetic energy.
int fastest_body(const Simulation& sim) {
    double most = 0;
    int fastest = kNone;
    for (std::size_t b = 0; b < sim.model.bodies.size(); ++b) {
        const Body& body = sim.model.bodies[b];
        if (body.kind != BodyKind::kDynamic) continue;
        const Twist& twist = sim.state.twist[b];
        const Vec3 w = sim.state.pose[b].q.conjugate() * twist.w;
        const double T = body.mass * twist.v.squaredNorm() + w.dot(body.inertia_B * w);
        if (!(T > most)) continue;
        most = T;
        fastest = static_cast<int>(b);
    }
    return fastest;
}

}  // namespace

Energy energy_with_drives(const Model& model, const State& state) {
    Energy sum = energy(model, state);
    for (const Joint& joint : model.joints) {
        if (!joint.reduced || joint.armature <= 0) continue;
        const double rate = joint_coordinate(state, joint).velocity;
        sum.kinetic += 0.5 * joint.armature * rate * rate;
    }
    return sum;
}

EnergyAccount account_energy(const Simulation& sim, AccountWorkspace& ws) {
    const ContactProblem& problem = sim.frame.problem;
    const ContactSolution& solution = sim.frame.solution;
    const LinkSystem& system = problem.system;
    const Energy before = energy_with_drives(sim.model, sim.before);
    const Energy after = energy_with_drives(sim.model, sim.state);
    EnergyAccount account;
    account.least = least_energy(sim.model);
    account.gravity = before.potential - ws.moved.potential;
    account.projection = after.total() - ws.moved.total();
    const double change = ws.moved.total() - before.total();
    if (at_acceleration_level(sim.contact_model)) {
        account.integrator = change;
        return account;
    }
    ws.mean = 0.5 * (problem.v + solution.v);
    for (VecX* x : {&ws.forces, &ws.rows, &ws.fit}) x->resize(problem.v.size());
    double start = 0, end = 0;  // 1/2 v'M v and 1/2 v+'M v+
    for (const InertiaBlock& block : system.blocks) {
        start += half_square(system, block, problem.v, ws.forces);
        end += half_square(system, block, solution.v, ws.fit);
        apply_inertia(system, block, problem.v_free, ws.rows);
    }
    if (sim.settings.impacts == Impacts::kSequential) take_out_impacts(sim, ws.rows);
    ws.forces = ws.rows - ws.forces;
    ws.fit -= ws.rows;
    ws.rows.setZero();
    add_forces(sim, ws, account);
    for (std::size_t l = 0; l < system.links.size(); ++l)
        add_rows(problem, solution, l, ws, account);
    account.integrator = (ws.moved.kinetic - end) + (start - before.kinetic) +
                         (ws.mean.dot(ws.forces) - account.scripts - account.damping) -
                         account.gravity;
    account.unexplained =
        change - account.integrator - account.scripts - account.damping - ws.mean.dot(ws.rows);
    blame_unexplained(sim, ws, account);
    account.integrator_excess = account.integrator - expected_of_integrator(sim, ws);
    account.mover = fastest_body(sim);
    return account;
}

}  // namespace stiction
