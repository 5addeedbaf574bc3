// Trees against what their bodies do one by one: energy, velocities, momentum, finite differences.
#include "dynamics/tree.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "dynamics/random_trees.h"

namespace stiction {
namespace {

constexpr int kBodies = 9;

class RandomTree : public testing::TestWithParam<int> {
  protected:
    RandomTree() : maker_(static_cast<std::uint64_t>(GetParam())) {
        maker_.make(kBodies, GetParam() % 2 == 0);
        find_motion(model(), tree(), state(), motion_);
    }

    [[nodiscard]] const Model& model() const { return maker_.model; }
    [[nodiscard]] const State& state() const { return maker_.state; }
    [[nodiscard]] const Tree& tree() const { return maker_.tree(); }

    [[nodiscard]] MatX jacobian(int node, const Vec3& p, double length) const {
        MatX X = MatX::Zero(6, tree().dofs);
        const int last = tree().nodes[static_cast<std::size_t>(node)].last;
        if (last == kNone) return X;
        for (int d = 0; d < tree().ways().count(last); ++d) {
            const int k = tree().ways().way(last)[d];
            jacobian_column(motion_, k, p, length, 1, &X(0, k));
        }
        return X;
    }

    TreeMaker maker_;
    TreeMotion motion_;
};

TEST_P(RandomTree, VelocitiesComeBack) {
    VecX v(tree().dofs);
    tree_velocities(model(), tree(), state(), v);
    EXPECT_LT((v - motion_.v).norm(), 1e-12);
    State moved = state();
    move_tree(model(), tree(), VecX::Zero(tree().dofs), 1, v, moved);
    for (std::size_t i = 0; i < model().bodies.size(); ++i) {
        EXPECT_LT((moved.pose[i].p - state().pose[i].p).norm(), 1e-13);
        EXPECT_LT(moved.pose[i].q.angularDistance(state().pose[i].q), 1e-7);
        EXPECT_LT((moved.twist[i].v - state().twist[i].v).norm(), 1e-12);
        EXPECT_LT((moved.twist[i].w - state().twist[i].w).norm(), 1e-12);
    }
}

TEST_P(RandomTree, InertiaGivesTheKineticEnergy) {
    const Ways ways = tree().ways();
    VecX entries(ways.entries());
    tree_inertia(model(), tree(), motion_, entries.data());
    const MatX H = to_dense(ways, entries.data());
    const double kinetic = energy(model(), state()).kinetic;
    EXPECT_NEAR(0.5 * motion_.v.dot(H * motion_.v), kinetic, 1e-12 * kinetic);
    VecX root(ways.entries());
    factor(ways, entries.data(), root.data());
    MatX R = to_dense(ways, root.data()).triangularView<Eigen::Upper>();
    R.diagonal() = R.diagonal().cwiseInverse().eval();
    EXPECT_LT((R * R.transpose() - H).norm(), 1e-13 * H.norm());
}

TEST_P(RandomTree, JacobiansGiveTheMotionOfPoints) {
    constexpr double kLength = 0.7;
    for (std::size_t i = 0; i < model().bodies.size(); ++i) {
        const Vec3 p = maker_.vector(1);
        const MatX X = jacobian(model().bodies[i].node, p, kLength);
        const Twist& twist = state().twist[i];
        Vec6 expected;
        expected << twist.v + twist.w.cross(p - state().pose[i].p), kLength * twist.w;
        EXPECT_LT((X * motion_.v - expected).norm(), 1e-12);
    }
}

TEST_P(RandomTree, PosesFollowTheVelocities) {
    constexpr double dt = 1e-6;
    State ahead = state(), behind = state();
    move_tree(model(), tree(), motion_.v, dt, motion_.v, ahead);
    move_tree(model(), tree(), motion_.v, -dt, motion_.v, behind);
    for (std::size_t i = 0; i < model().bodies.size(); ++i) {
        const Vec3 v = (ahead.pose[i].p - behind.pose[i].p) / (2 * dt);
        EXPECT_LT((v - state().twist[i].v).norm(), 1e-8);
        const Quat turn = ahead.pose[i].q * behind.pose[i].q.conjugate();
        const Vec3 w = (turn.w() < 0 ? -1 : 1) * turn.vec() / dt;
        EXPECT_LT((w - state().twist[i].w).norm(), 1e-8);
    }
}

// Linear and angular momentum of one body about a fixed point.
Vec6 momentum_about(const Body& body, const Pose& pose, const Twist& twist, const Vec3& O) {
    const Vec3 p = body.mass * twist.v;
    Vec6 m;
    m << p, (pose.p - O).cross(p) + pose.q * Vec3(body.inertia_B * (pose.q.conjugate() * twist.w));
    return m;
}

// With constant velocities, the forces that the bodies need are the rates of their momenta.
TEST_P(RandomTree, BiasForcesAreTheRatesOfMomenta) {
    constexpr double dt = 1e-5;
    State ahead = state(), behind = state();
    move_tree(model(), tree(), motion_.v, dt, motion_.v, ahead);
    move_tree(model(), tree(), motion_.v, -dt, motion_.v, behind);
    VecX expected = VecX::Zero(tree().dofs);
    for (std::size_t i = 0; i < model().bodies.size(); ++i) {
        const Body& body = model().bodies[i];
        const Vec6 rate = (momentum_about(body, ahead.pose[i], ahead.twist[i], motion_.O) -
                           momentum_about(body, behind.pose[i], behind.twist[i], motion_.O)) /
                          (2 * dt);
        const MatX X = jacobian(body.node, motion_.O, 1);
        expected += X.transpose() * rate;
    }
    const std::vector<Wrench> none(model().bodies.size());
    VecX f(tree().dofs);
    tree_force(tree(), state(), none, motion_, f);
    EXPECT_LT((f + expected).norm(), 1e-6 * (1 + expected.norm()));
}

TEST_P(RandomTree, AppliedForcesDoTheirWork) {
    std::vector<Wrench> none(model().bodies.size()), some = none;
    double power = 0;
    for (std::size_t i = 0; i < some.size(); ++i) {
        some[i] = {maker_.vector(5), maker_.vector(5)};
        power += some[i].force.dot(state().twist[i].v) + some[i].torque.dot(state().twist[i].w);
    }
    VecX with(tree().dofs), without(tree().dofs);
    tree_force(tree(), state(), some, motion_, with);
    tree_force(tree(), state(), none, motion_, without);
    EXPECT_NEAR((with - without).dot(motion_.v), power, 1e-11 * (1 + std::abs(power)));
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomTree, testing::Range(1, 41));

// A uniform chain of two links against the textbook matrix of the double pendulum.
TEST(Tree, DoublePendulumMatrix) {
    constexpr double m = 1.3, l = 0.8, I = 0.11, angle = 0.6;
    Model model;
    State state;
    model.materials.push_back({"default", {}});
    for (int i = 0; i < 2; ++i) {
        Body body;
        body.mass = m;
        body.inertia_B = I * Mat3::Identity();
        model.bodies.push_back(body);
        Joint joint;
        joint.kind = JointKind::kRevolute;
        joint.child = i;
        joint.parent = i - 1;
        joint.reduced = true;
        joint.frame_C.p = Vec3(-l / 2, 0, 0);
        if (i == 1) joint.frame_P.p = Vec3(l / 2, 0, 0);
        model.joints.push_back(joint);
    }
    finalize(model);
    ASSERT_EQ(model.trees.size(), 1U);
    const Quat turn(Eigen::AngleAxisd(angle, Vec3::UnitZ()));
    state.pose = {{Vec3(l / 2, 0, 0), Quat::Identity()},
                  {Vec3(l, 0, 0) + turn * Vec3(l / 2, 0, 0), turn}};
    state.twist.resize(2);
    TreeMotion motion;
    find_motion(model, model.trees[0], state, motion);
    VecX entries(model.trees[0].ways().entries());
    tree_inertia(model, model.trees[0], motion, entries.data());
    const MatX H = to_dense(model.trees[0].ways(), entries.data());
    const double c = m * l * l * std::cos(angle) / 2;
    const double h22 = I + m * l * l / 4;
    EXPECT_NEAR(H(1, 1), h22, 1e-14);
    EXPECT_NEAR(H(0, 1), h22 + c, 1e-14);
    EXPECT_NEAR(H(0, 0), 2 * I + m * l * l * (0.25 + 1 + 0.25) + 2 * c, 1e-14);
}

// A joint that closes a loop keeps its rows; one to a kinematic body too.
TEST(Tree, LoopsStayOpenInTheTree) {
    Model model;
    model.materials.push_back({"default", {}});
    for (int i = 0; i < 3; ++i) {
        Body body;
        body.mass = 1;
        body.inertia_B = Mat3::Identity();
        model.bodies.push_back(body);
    }
    const auto link = [&](int child, int parent) {
        Joint joint;
        joint.kind = JointKind::kRevolute;
        joint.child = child;
        joint.parent = parent;
        joint.reduced = true;
        model.joints.push_back(joint);
    };
    link(1, 0);
    link(2, 1);
    link(0, 2);  // closes the loop
    finalize(model);
    EXPECT_TRUE(model.joints[0].reduced);
    EXPECT_TRUE(model.joints[1].reduced);
    EXPECT_FALSE(model.joints[2].reduced);
    ASSERT_EQ(model.trees.size(), 1U);
    EXPECT_EQ(model.trees[0].dofs, 8);
    EXPECT_EQ(model.nv, 8);
}

}  // namespace
}  // namespace stiction
