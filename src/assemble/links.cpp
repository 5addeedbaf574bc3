// links.cpp - blocks of free bodies and of trees, and links between their bodies.
#include "assemble/links.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "assemble/tension.h"
#include "dynamics/free_body.h"
#include "dynamics/tree_momentum.h"
#include "problem/link_motion.h"

namespace stiction {

namespace {

// f = M (v_free - v) / h.
void set_force(const LinkSystem& system, const InertiaBlock& block, double h,
               ContactProblem& problem) {
    const auto stretch = [&](VecX& x) { return x.segment(block.offset, block.size); };
    stretch(problem.v_free) -= stretch(problem.v);
    apply_inertia(system, block, problem.v_free, problem.f);
    stretch(problem.f) /= h;
    stretch(problem.v_free) += stretch(problem.v);
}

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

// Where tension makes a tree stiff: v_free, f and M with it taken at the end of the step.
void stiffen(const Model& model, const Tree& tree, const State& state, const Forces& forces,
             double h, TreeMotion& motion, const InertiaBlock& block, ContactProblem& problem) {
    LinkSystem& system = problem.system;
    const int entries = tree.ways().entries();
    double* H = system.pool.data() + block.pool_M;
    auto f = problem.f.segment(block.offset, block.size);
    auto v_free = problem.v_free.segment(block.offset, block.size);
    tree_force(tree, state, forces.wrench, motion, f);
    apply_inverse_inertia(system, block, problem.f, problem.v_free);
    motion.stiff = add_tension(model, tree, state, forces, h, v_free.data(), motion);
    applied_force(tree, state, forces.wrench, motion, f);
    apply_inertia(system, block, problem.v, problem.v_free);  // M v
    f = v_free + h * f;
    if (motion.stiff) {
        tree_inertia(model, tree, motion, H);
        factor(tree.ways(), H, H + entries);
    }
    apply_inverse_inertia(system, block, problem.f, problem.v_free);
    set_force(system, block, h, problem);
}

void assemble_tree(const Model& model, const State& state, const Forces& forces, double h,
                   const DofBlock& dofs, TreeMotion& motion, InertiaBlock& block,
                   ContactProblem& problem) {
    const Tree& tree = model.trees[at(dofs.tree)];
    LinkSystem& system = problem.system;
    block.free_body = false;
    block.isotropic = false;
    const int entries = tree.ways().entries();
    block.ways = static_cast<int>(system.columns.size());
    system.columns.insert(system.columns.end(), tree.way_list.begin(), tree.way_list.end());
    block.pool_M = take_from_pool(system, 2 * entries);
    block.pool_root = block.pool_M + entries;
    double* H = system.pool.data() + block.pool_M;
    find_motion(model, tree, state, motion);
    tree_inertia(model, tree, motion, H);
    factor(tree.ways(), H, H + entries);
    auto f = problem.f.segment(dofs.offset, dofs.size);
    motion.stiff = false;
    motion.takes_coriolis = motion.touches && is_slow(motion, h);
    if (motion.takes_coriolis) {
        tree_force(tree, state, forces.wrench, motion, f);
    } else {
        applied_force(tree, state, forces.wrench, motion, f);
    }
    problem.v.segment(dofs.offset, dofs.size) = motion.v;
    apply_inverse_inertia(system, block, problem.f, problem.v_free);
    auto v_free = problem.v_free.segment(dofs.offset, dofs.size);
    v_free *= h;
    v_free += motion.v;
    if (!motion.takes_coriolis && may_be_stiff(model, tree, state, h, motion))
        stiffen(model, tree, state, forces, h, motion, block, problem);
}

// The velocities that move a body of a tree (kNone: none).
std::span<const int> way_of(const Model& model, const Tree& tree, int body) {
    const int last = body == kNone ? kNone : tree.nodes[at(model.bodies[at(body)].node)].last;
    if (last == kNone) return {};
    return {tree.ways().way(last), at(tree.ways().count(last))};
}

// The velocities that move one of two bodies, and the sign of its Jacobian's column in the motion
// of the first against the second: act(velocity, sign). What moves both moves neither against the
// other.
template <class Act>
void merge(std::span<const int> way_a, std::span<const int> way_b, const Act& act) {
    std::size_t i = 0, j = 0;
    while (i < way_a.size() || j < way_b.size()) {
        const bool a = j == way_b.size() || (i < way_a.size() && way_a[i] <= way_b[j]);
        const bool b = i == way_a.size() || (j < way_b.size() && way_b[j] <= way_a[i]);
        act(a ? way_a[i] : way_b[j], (a ? 1.0 : 0.0) - (b ? 1.0 : 0.0));
        if (a) ++i;
        if (b) ++j;
    }
}

// Those columns of a side that has its place.
void set_side(const Model& model, const TreeMotion& motion, int body_a, int body_b, const Vec3& p,
              double length, const GeneralSide& side, LinkSystem& system) {
    const Tree& tree = model.trees[at(model.bodies[at(body_a)].tree)];
    double* X = system.pool.data() + side.X;
    merge(way_of(model, tree, body_a), way_of(model, tree, body_b), [&](int velocity, double sign) {
        jacobian_column(motion, velocity, p, length, sign, X);
        X += 6;
    });
}

// Columns of body_a's motion minus body_b's (kNone: none) at p, for the velocities that move one
// of them.
void add_side(const Model& model, const TreeMotion& motion, int body_a, int body_b, const Vec3& p,
              double length, GeneralSide& side, LinkSystem& system) {
    const Tree& tree = model.trees[at(model.bodies[at(body_a)].tree)];
    const std::span<const int> way_a = way_of(model, tree, body_a);
    const std::span<const int> way_b = way_of(model, tree, body_b);
    side.columns = static_cast<int>(system.columns.size());
    merge(way_a, way_b, [&](int velocity, double) { system.columns.push_back(velocity); });
    side.count = static_cast<int>(system.columns.size()) - side.columns;
    side.X = take_from_pool(system, 12 * side.count);
    side.Z = side.X + 6 * side.count;
    set_side(model, motion, body_a, body_b, p, length, side, system);
    set_root_response(system, system.blocks[at(tree.block)], side);
}

int tree_of(const Model& model, int body) {
    return body == kNone ? kNone : model.bodies[at(body)].tree;
}

// What the bodies of a tree contribute to a link; needs its length. Two bodies of one tree make one
// side.
void add_tree_sides(const Model& model, const std::vector<TreeMotion>& trees, int body_a,
                    int body_b, const Vec3& p, Link& link, LinkSystem& system) {
    const int tree_a = tree_of(model, body_a);
    const int tree_b = tree_of(model, body_b);
    const bool same = tree_a == tree_b;
    if (tree_a != kNone) {
        add_side(model, trees[at(tree_a)], body_a, same ? body_b : kNone, p, link.length,
                 link.general_a, system);
    }
    if (tree_b == kNone) return;
    if (same) {
        link.b = kNone;
        return;
    }
    add_side(model, trees[at(tree_b)], body_b, kNone, p, link.length, link.general_b, system);
}

}  // namespace

int take_from_pool(LinkSystem& system, int count) {
    const auto start = static_cast<int>(system.pool.size());
    system.pool.resize(system.pool.size() + at(count), 0.0);
    return start;
}

void assemble_blocks(const Model& model, const State& state, const Forces& forces, double h,
                     std::vector<TreeMotion>& trees, ContactProblem& problem) {
    LinkSystem& system = problem.system;
    system.nv = model.nv;
    system.pool.clear();
    system.columns.clear();
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

void update_blocks(const Model& model, const State& state, const Forces& forces, double h,
                   std::vector<TreeMotion>& trees, ContactProblem& problem) {
    LinkSystem& system = problem.system;
    for (std::size_t b = 0; b < model.blocks.size(); ++b) {
        const DofBlock& dofs = model.blocks[b];
        InertiaBlock& block = system.blocks[b];
        if (dofs.tree == kNone) {
            assemble_free_body(model, state, forces, h, dofs, block, problem);
            continue;
        }
        const Tree& tree = model.trees[at(dofs.tree)];
        TreeMotion& motion = trees[at(dofs.tree)];
        double* H = system.pool.data() + block.pool_M;
        find_motion(model, tree, state, motion);
        tree_inertia(model, tree, motion, H);
        factor(tree.ways(), H, system.pool.data() + block.pool_root);
        auto f = problem.f.segment(dofs.offset, dofs.size);
        tree_force(tree, state, forces.wrench, motion, f);
        problem.v.segment(dofs.offset, dofs.size) = motion.v;
        apply_inverse_inertia(system, block, problem.f, problem.v_free);
        auto v_free = problem.v_free.segment(dofs.offset, dofs.size);
        v_free *= h;
        v_free += motion.v;
    }
}

void update_sides(const Model& model, const std::vector<TreeMotion>& trees, int body_a, int body_b,
                  const Vec3& p, const Link& link, LinkSystem& system) {
    const int tree_a = tree_of(model, body_a);
    const int tree_b = tree_of(model, body_b);
    const bool same = tree_a == tree_b;
    if (tree_a != kNone) {
        set_side(model, trees[at(tree_a)], body_a, same ? body_b : kNone, p, link.length,
                 link.general_a, system);
    }
    if (tree_b == kNone || same) return;
    set_side(model, trees[at(tree_b)], body_b, kNone, p, link.length, link.general_b, system);
}

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

Link make_link(const Model& model, const State& state, int body_a, int body_b, const Vec3& p) {
    Link link;
    link.a = body_a == kNone ? kNone : model.bodies[at(body_a)].block;
    link.b = body_b == kNone ? kNone : model.bodies[at(body_b)].block;
    if (body_a != kNone) link.r_a = p - state.pose[at(body_a)].p;
    if (body_b != kNone) link.r_b = p - state.pose[at(body_b)].p;
    return link;
}

void complete_link(const Model& model, const State& state, const std::vector<TreeMotion>& trees,
                   int body_a, int body_b, const Vec3& p, Link& link, LinkSystem& system) {
    add_tree_sides(model, trees, body_a, body_b, p, link, system);
    add_prescribed_motion(model, state.twist, body_a, body_b, link);
}

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

}  // namespace stiction
