// model.cpp - trees, numbering of the velocity blocks and the table of surface pairs.
#include "model/model.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"

namespace stiction {

namespace {

// Products of inertia below this part of the largest moment are what turning a shape rounds.
constexpr double kDiagonal = 1e-15;
// Of one tree's inertia, 160 MB: a chain of 6300 hinges. Longer ones belong in maximal coordinates.
constexpr std::size_t kMaxTreeEntries = 20'000'000;

// DESIGN's combination rules: friction by the geometric mean, restitution by the maximum.
SurfacePair combine(const SurfacePair& a, const SurfacePair& b) {
    return {std::sqrt(a.mu_c * b.mu_c), std::sqrt(a.mu_v * b.mu_v), std::max(a.eps, b.eps)};
}

int dofs_of(JointKind kind) {
    switch (kind) {
        case JointKind::kRevolute:
        case JointKind::kPrismatic:
            return 1;
        case JointKind::kSpherical:
            return 3;
        default:
            return 0;
    }
}

// The uppermost body of the tree that a body is in so far. `above`: per body one that is nearer to
// it; the ways found are shortened, so that long chains take no longer than short ones.
int root_of(std::vector<int>& above, int body) {
    int root = body;
    while (above[at(root)] != root) root = above[at(root)];
    while (above[at(body)] != root) body = std::exchange(above[at(body)], root);
    return root;
}

// Which joint holds each body in its tree. A joint keeps its rows where the child is held already,
// where it closes a loop, and where the parent moves as prescribed.
std::vector<int> choose_holders(Model& model) {
    std::vector<int> holder(model.bodies.size(), kNone);
    std::vector<int> above(model.bodies.size());
    std::iota(above.begin(), above.end(), 0);
    for (std::size_t j = 0; j < model.joints.size(); ++j) {
        Joint& joint = model.joints[j];
        if (!joint.reduced) continue;
        const bool dynamic = model.bodies[at(joint.child)].kind == BodyKind::kDynamic;
        const bool prescribed =
            joint.parent != kNone && model.bodies[at(joint.parent)].kind == BodyKind::kKinematic;
        const bool held = holder[at(joint.child)] != kNone;
        const bool loop = joint.parent != kNone && root_of(above, joint.parent) == joint.child;
        joint.reduced =
            dynamic && !prescribed && !loop && !held && joint.kind != JointKind::kUniversal;
        if (!joint.reduced) continue;
        holder[at(joint.child)] = static_cast<int>(j);
        if (joint.parent != kNone) above[at(joint.child)] = root_of(above, joint.parent);
    }
    return holder;
}

// Per body those that it holds, in ascending order.
std::vector<std::vector<int>> held_bodies(const Model& model, const std::vector<int>& holder) {
    std::vector<std::vector<int>> held(model.bodies.size());
    for (std::size_t child = 0; child < model.bodies.size(); ++child) {
        const int joint = holder[child];
        if (joint == kNone || model.joints[at(joint)].parent == kNone) continue;
        held[at(model.joints[at(joint)].parent)].push_back(static_cast<int>(child));
    }
    return held;
}

// Adds body `id` to the tree; `before`: per velocity the one before it on its way, or kNone.
void add_node(Model& model, int joint, int id, int parent, Tree& tree, std::vector<int>& before) {
    Body& body = model.bodies[at(id)];
    body.tree = static_cast<int>(model.trees.size());
    body.node = static_cast<int>(tree.nodes.size());
    const int dofs = joint == kNone ? 6 : dofs_of(model.joints[at(joint)].kind);
    int last = parent == kNone ? kNone : tree.nodes[at(parent)].last;
    for (int k = tree.dofs; k < tree.dofs + dofs; ++k) {
        before.push_back(last);
        last = k;
    }
    tree.nodes.push_back({id, joint, parent, tree.dofs, dofs, last});
    tree.dofs += dofs;
}

// A tree's matrix has an entry per velocity and each before it on its way.
void check_size(const Model& model, const Tree& tree, const std::vector<int>& before) {
    std::vector<std::size_t> length(before.size());
    std::size_t entries = 0;
    for (std::size_t k = 0; k < before.size(); ++k) {
        length[k] = 1 + (before[k] == kNone ? 0 : length[at(before[k])]);
        entries += length[k];
    }
    if (entries <= kMaxTreeEntries) return;
    throw InputError("the tree of body '" + model.bodies[at(tree.nodes.front().body)].name +
                     "' has " + std::to_string(before.size()) + " velocities, whose inertia has " +
                     std::to_string(entries) + " entries; expected at most " +
                     std::to_string(kMaxTreeEntries) + " ('coordinates: maximal' needs none)");
}

// The body and then everything that hangs on it, depth first.
Tree tree_from(Model& model, const std::vector<int>& holder,
               const std::vector<std::vector<int>>& held, int root) {
    Tree tree;
    std::vector<int> before;
    std::vector<std::pair<int, int>> open = {{root, kNone}};  // body and its parent's node
    while (!open.empty()) {
        const auto [id, parent] = open.back();
        open.pop_back();
        add_node(model, holder[at(id)], id, parent, tree, before);
        const std::vector<int>& children = held[at(id)];
        for (auto child = children.rbegin(); child != children.rend(); ++child)
            open.emplace_back(*child, model.bodies[at(id)].node);
    }
    check_size(model, tree, before);
    tree.way_list = make_ways(before);
    return tree;
}

// A body is the root of a tree when a joint holds it to the world or a static body, or when it
// floats and holds others.
void make_trees(Model& model) {
    model.trees.clear();
    for (Body& body : model.bodies) body.tree = body.node = kNone;
    const std::vector<int> holder = choose_holders(model);
    const std::vector<std::vector<int>> held = held_bodies(model, holder);
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        if (model.bodies[i].kind != BodyKind::kDynamic) continue;
        const int joint = holder[i];
        const int parent = joint == kNone ? kNone : model.joints[at(joint)].parent;
        const bool grounded = joint != kNone && (parent == kNone || model.bodies[at(parent)].kind !=
                                                                        BodyKind::kDynamic);
        if (!grounded && !(joint == kNone && !held[i].empty())) continue;
        model.trees.push_back(tree_from(model, holder, held, static_cast<int>(i)));
    }
}

}  // namespace

void set_axis(Joint& joint) {
    const Quat half_turn(0, 0, 0, 1);
    joint.axis_P = joint.frame_P.q * Vec3::UnitZ();
    joint.at_zero = joint.frame_P.q * joint.frame_C.q.conjugate();
    joint.at_half_turn = joint.frame_P.q * half_turn * joint.frame_C.q.conjugate();
}

void set_principal_axes(Body& body) {
    const Mat3& I = body.inertia_B;
    body.inv_inertia_B = I.inverse();
    body.isotropic = I.isApprox(I(0, 0) * Mat3::Identity(), 1e-15);
    body.q_BP = Quat::Identity();
    body.moments = I.diagonal();
    const Mat3 rest = I - Mat3(I.diagonal().asDiagonal());
    if (rest.lpNorm<Eigen::Infinity>() > kDiagonal * I.diagonal().maxCoeff()) {
        const Eigen::SelfAdjointEigenSolver<Mat3> axes(I);
        Mat3 R = axes.eigenvectors();
        if (R.determinant() < 0) R.col(0) *= -1;
        body.q_BP = Quat(R).normalized();
        body.moments = axes.eigenvalues();
    }
    const Vec3& m = body.moments;
    body.coupling = {(m[2] - m[1]) / m[0], (m[0] - m[2]) / m[1], (m[1] - m[0]) / m[2]};
}

void finalize(Model& model) {
    for (Joint& joint : model.joints) set_axis(joint);
    make_trees(model);
    model.blocks.clear();
    model.nv = 0;
    for (Tree& tree : model.trees) tree.block = kNone;
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        Body& body = model.bodies[i];
        body.block = kNone;
        if (body.kind != BodyKind::kDynamic) continue;
        set_principal_axes(body);
        if (body.tree != kNone) {
            Tree& tree = model.trees[at(body.tree)];
            if (tree.block == kNone) {
                tree.block = static_cast<int>(model.blocks.size());
                model.blocks.push_back({model.nv, tree.dofs, kNone, body.tree});
                model.nv += tree.dofs;
            }
            body.block = tree.block;
            continue;
        }
        body.block = static_cast<int>(model.blocks.size());
        model.blocks.push_back({model.nv, 6, static_cast<int>(i), kNone});
        model.nv += 6;
    }

    model.surface_pairs.clear();
    for (const Material& a : model.materials) {
        for (const Material& b : model.materials) {
            // A material with itself keeps its own numbers to the last bit.
            model.surface_pairs.push_back(&a == &b ? a.surface : combine(a.surface, b.surface));
        }
    }
}

}  // namespace stiction
