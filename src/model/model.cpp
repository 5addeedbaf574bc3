// model.cpp - trees, numbering of the velocity blocks and the table of surface pairs.
#include "model/model.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace stiction {

namespace {

// Products of inertia below this part of the largest moment are what turning a shape rounds.
constexpr double kDiagonal = 1e-15;

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

// Which joint holds each body in its tree. A joint keeps its rows where the child is held already,
// where it closes a loop, and where the parent moves as prescribed.
std::vector<int> choose_holders(Model& model) {
    std::vector<int> holder(model.bodies.size(), kNone);
    for (std::size_t j = 0; j < model.joints.size(); ++j) {
        Joint& joint = model.joints[j];
        if (!joint.reduced) continue;
        const bool dynamic = model.bodies[at(joint.child)].kind == BodyKind::kDynamic;
        const bool prescribed =
            joint.parent != kNone && model.bodies[at(joint.parent)].kind == BodyKind::kKinematic;
        int root = joint.parent;
        while (root != kNone && holder[at(root)] != kNone)
            root = model.joints[at(holder[at(root)])].parent;
        const bool loop = root == joint.child;
        joint.reduced = dynamic && !prescribed && !loop && holder[at(joint.child)] == kNone &&
                        joint.kind != JointKind::kUniversal;
        if (joint.reduced) holder[at(joint.child)] = static_cast<int>(j);
    }
    return holder;
}

// Adds body `id` and then everything that hangs on it; `before`: per velocity the one before it on
// its way, or kNone.
void add_nodes(Model& model, const std::vector<int>& holder, int id, int parent, Tree& tree,
               std::vector<int>& before) {
    Body& body = model.bodies[at(id)];
    body.tree = static_cast<int>(model.trees.size());
    body.node = static_cast<int>(tree.nodes.size());
    const int joint = holder[at(id)];
    const int dofs = joint == kNone ? 6 : dofs_of(model.joints[at(joint)].kind);
    int last = parent == kNone ? kNone : tree.nodes[at(parent)].last;
    for (int k = tree.dofs; k < tree.dofs + dofs; ++k) {
        before.push_back(last);
        last = k;
    }
    tree.nodes.push_back({id, joint, parent, tree.dofs, dofs, last});
    tree.dofs += dofs;
    const int node = body.node;
    for (std::size_t child = 0; child < model.bodies.size(); ++child) {
        if (holder[child] != kNone && model.joints[at(holder[child])].parent == id)
            add_nodes(model, holder, static_cast<int>(child), node, tree, before);
    }
}

// A body is the root of a tree when a joint holds it to the world or a static body, or when it
// floats and holds others.
void make_trees(Model& model) {
    model.trees.clear();
    for (Body& body : model.bodies) body.tree = body.node = kNone;
    const std::vector<int> holder = choose_holders(model);
    std::vector<bool> holds(model.bodies.size(), false);
    for (const int joint : holder) {
        if (joint == kNone) continue;
        const int parent = model.joints[at(joint)].parent;
        if (parent != kNone) holds[at(parent)] = true;
    }
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        if (model.bodies[i].kind != BodyKind::kDynamic) continue;
        const int joint = holder[i];
        const int parent = joint == kNone ? kNone : model.joints[at(joint)].parent;
        const bool grounded = joint != kNone && (parent == kNone || model.bodies[at(parent)].kind !=
                                                                        BodyKind::kDynamic);
        if (!grounded && !(joint == kNone && holds[i])) continue;
        Tree tree;
        std::vector<int> before;
        add_nodes(model, holder, static_cast<int>(i), kNone, tree, before);
        tree.way_list = make_ways(before);
        model.trees.push_back(std::move(tree));
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
