// tension.cpp - where tension is stiff, and what it adds to the inertia.
#include "assemble/tension.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <tuple>

namespace stiction {

namespace {

// Of h^2 K against the inertia: h omega = 1, half of where an explicit step gains energy.
constexpr double kStiff = 1;

void add_lever(const Vec3& r, const Vec3& F, Mat3& K) {
    K.diagonal().array() += F.dot(r);
    K -= 0.5 * (r * F.transpose() + F * r.transpose());
}

// Takes away what is negative of K; false where the rest is not stiff.
bool keep_stiff(const Mat3& inv_inertia, double h, Mat3& K) {
    Eigen::SelfAdjointEigenSolver<Mat3> axes;
    axes.computeDirect(K);
    const Vec3 k = axes.eigenvalues().cwiseMax(0.0);
    K = axes.eigenvectors() * k.asDiagonal() * axes.eigenvectors().transpose();
    // Slender bodies have two axes across: half of the trace is the mean of h^2 omega^2.
    return 0.5 * h * h * (inv_inertia * K).trace() > kStiff;
}

Vec3 centre_acceleration(const TreeMotion& motion, std::size_t i, const TreeMotion::Spatial& a,
                         const Vec3& c) {
    const TreeMotion::Spatial& v = motion.velocity[i];
    return a.linear + a.angular.cross(c) + v.angular.cross(v.linear + v.angular.cross(c));
}

// The mean of the two larger moments: about the axes across a slender body.
double inertia_across(const Body& body) {
    return 0.5 * (body.moments.sum() - body.moments.minCoeff());
}

}  // namespace

bool may_be_stiff(const Model& model, const Tree& tree, const State& state, double h,
                  const TreeMotion& motion) {
    // A body's share of the pull: gravity, what falls freely at its end, and its own acceleration.
    double fastest = 2 * model.gravity.norm();
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        const Vec3 c = state.pose[at(tree.nodes[i].body)].p - motion.O;
        const double a = centre_acceleration(motion, i, motion.acceleration[i], c).norm();
        fastest = std::max(fastest, a + 2 * model.gravity.norm());
    }
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        const Tree::Node& node = tree.nodes[i];
        if (node.joint == kNone) continue;
        const double pull = motion.composite[i].mass * fastest;
        const double lever = model.joints[at(node.joint)].frame_C.p.norm();
        const Body& body = model.bodies[at(node.body)];
        if (2 * h * h * pull * lever > kStiff * inertia_across(body)) return true;
    }
    return false;
}

bool add_tension(const Model& model, const Tree& tree, const State& state, const Forces& forces,
                 double h, const double* acceleration, TreeMotion& motion) {
    const std::size_t count = tree.nodes.size();
    motion.total_acceleration.resize(count);
    motion.pull.assign(count, Vec3::Zero());
    motion.stiffness.assign(count, Mat3::Zero());
    for (std::size_t i = 0; i < count; ++i) {
        const Tree::Node& node = tree.nodes[i];
        TreeMotion::Spatial a = motion.acceleration[i];
        if (node.parent != kNone) {
            const auto parent = at(node.parent);
            a.linear +=
                motion.total_acceleration[parent].linear - motion.acceleration[parent].linear;
            a.angular +=
                motion.total_acceleration[parent].angular - motion.acceleration[parent].angular;
        }
        for (int k = node.first; k < node.first + node.dofs; ++k) {
            a.linear += acceleration[k] * motion.S.col(k).head<3>();
            a.angular += acceleration[k] * motion.S.col(k).tail<3>();
        }
        motion.total_acceleration[i] = a;
        const Vec3 c = state.pose[at(node.body)].p - motion.O;
        motion.pull[i] = model.bodies[at(node.body)].mass * centre_acceleration(motion, i, a, c) -
                         forces.wrench[at(node.body)].force;
    }
    for (std::size_t i = count; i-- > 0;) {  // pull: what its joint gives the subtree
        const Tree::Node& node = tree.nodes[i];
        if (node.joint == kNone) continue;
        const Joint& joint = model.joints[at(node.joint)];
        add_lever(motion.R[i] * joint.frame_C.p, motion.pull[i], motion.stiffness[i]);
        if (node.parent == kNone) continue;
        const auto parent = at(node.parent);
        add_lever(motion.R[parent] * joint.frame_P.p, -motion.pull[i], motion.stiffness[parent]);
        motion.pull[parent] += motion.pull[i];
    }
    bool any = false;
    for (std::size_t i = 0; i < count; ++i) {
        const Body& body = model.bodies[at(tree.nodes[i].body)];
        const Mat3 inverse = motion.R[i] * body.inv_inertia_B * motion.R[i].transpose();
        if (!keep_stiff(inverse, h, motion.stiffness[i])) continue;
        motion.body[i].inertia += h * h * motion.stiffness[i];
        any = true;
    }
    return any;
}

namespace {

// The force of a link's joint rows on its body a.
Vec3 joint_force(const ContactProblem& problem, const LinkRows& rows,
                 std::span<const double> impulses) {
    Vec3 F = Vec3::Zero();
    for (int i = rows.joint_begin; i < rows.joint_end; ++i)
        F += (impulses[at(i)] / problem.h) * problem.joints[at(i)].g.head<3>();
    return F;
}

// Calls act(block, lever, force) for both free bodies of every link with joint rows.
template <class Act>
void for_each_lever(const ContactProblem& problem, std::span<const double> impulses,
                    const Act& act) {
    for (std::size_t l = 0; l < problem.link_rows.size(); ++l) {
        const LinkRows& rows = problem.link_rows[l];
        if (rows.joint_begin == rows.joint_end) continue;
        const Vec3 F = joint_force(problem, rows, impulses);
        const Link& link = problem.system.links[l];
        for (const auto& [block, r, sign] :
             {std::tuple(link.a, link.r_a, 1.0), std::tuple(link.b, link.r_b, -1.0)}) {
            if (block == kNone || !problem.system.blocks[at(block)].free_body) continue;
            act(block, r, Vec3(sign * F));
        }
    }
}

}  // namespace

void add_joint_tension(std::span<const double> joint_impulses, std::vector<Mat3>& scratch,
                       std::vector<char>& stiff, ContactProblem& problem) {
    stiff.clear();
    if (joint_impulses.empty() || joint_impulses.size() != problem.joints.size()) return;
    const double h = problem.h;
    bool any = false;
    for_each_lever(problem, joint_impulses, [&](int block, const Vec3& r, const Vec3& F) {
        const double inverse = problem.system.blocks[at(block)].inv_inertia.trace();
        any = any || h * h * F.norm() * r.norm() * inverse > 0.5 * kStiff;
    });
    if (!any) return;
    stiff.assign(problem.system.blocks.size(), 0);
    scratch.assign(problem.system.blocks.size(), Mat3::Zero());
    for_each_lever(problem, joint_impulses, [&](int block, const Vec3& r, const Vec3& F) {
        add_lever(r, F, scratch[at(block)]);
    });
    for (std::size_t b = 0; b < scratch.size(); ++b) {
        InertiaBlock& block = problem.system.blocks[b];
        if (!block.free_body || scratch[b].isZero(0.0)) continue;
        if (!keep_stiff(block.inv_inertia, h, scratch[b])) continue;
        stiff[b] = 1;
        auto v_free = problem.v_free.segment<3>(block.offset + 3);
        const Vec3 L = block.inertia * v_free;
        block.inertia += h * h * scratch[b];
        block.inv_inertia = block.inertia.inverse();
        block.isotropic = false;
        v_free = block.inv_inertia * L;
        problem.f.segment<3>(block.offset + 3) =
            block.inertia * Vec3(v_free - problem.v.segment<3>(block.offset + 3)) / h;
    }
}

}  // namespace stiction
