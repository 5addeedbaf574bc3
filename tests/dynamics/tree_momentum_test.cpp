// What a tree's inertia does to its velocities: Coriolis forces to first order, and never more
// energy, whatever the step.
#include "dynamics/tree_momentum.h"

#include <gtest/gtest.h>

#include "dynamics/random_trees.h"

namespace stiction {
namespace {

struct Carried {
    State state;
    VecX v;
};

// One step h without forces from velocities `speed` times those of the state.
Carried carried(const Model& model, const Tree& tree, State state, double speed, double h) {
    TreeMotion motion;
    TreeMomenta momenta;
    for (Twist& twist : state.twist) twist = {speed * twist.v, speed * twist.w};
    find_motion(model, tree, state, motion);
    const VecX v = motion.v;
    remember_momenta(model, tree, state, motion, v, h, momenta);
    move_tree(model, tree, v, h, v, state);
    carry_momenta(model, tree, h, true, momenta, state);
    Carried result{state, VecX(tree.dofs)};
    tree_velocities(model, tree, state, result.v);
    return result;
}

class MomentumOfTree : public testing::TestWithParam<int> {
  protected:
    MomentumOfTree() : maker_(static_cast<std::uint64_t>(GetParam())) {
        maker_.make(9, GetParam() % 2 == 0);
        maker_.model.gravity.setZero();
    }
    TreeMaker maker_;
};

TEST_P(MomentumOfTree, NeverGainsEnergy) {
    for (Joint& joint : maker_.model.joints) joint.armature = 0;
    const double start = energy(maker_.model, maker_.state).kinetic;
    for (const double h : {1e-3, 1e-2, 0.1, 1.0}) {
        const Carried end = carried(maker_.model, maker_.tree(), maker_.state, 3, h);
        EXPECT_LE(energy(maker_.model, end.state).kinetic, 9 * start * (1 + 1e-10)) << h;
    }
}

TEST_P(MomentumOfTree, KeepsTheMomentumOfAFloatingTree) {
    if (maker_.tree().nodes.front().joint != kNone) return;  // the world holds it
    const Vec3 before = momentum(maker_.model, maker_.state).linear;
    for (const double h : {1e-3, 0.1}) {
        const Carried end = carried(maker_.model, maker_.tree(), maker_.state, 1, h);
        EXPECT_LT((momentum(maker_.model, end.state).linear - before).norm(),
                  1e-11 * (1 + before.norm()));
    }
}

// Against v - h H^-1 C, which is right to first order: apart in the second.
TEST_P(MomentumOfTree, TakesCoriolisForcesToFirstOrder) {
    const Tree& tree = maker_.tree();
    TreeMotion motion;
    find_motion(maker_.model, tree, maker_.state, motion);
    VecX entries(tree.ways().entries()), f(tree.dofs);
    tree_inertia(maker_.model, tree, motion, entries.data());
    tree_force(tree, maker_.state, std::vector<Wrench>(maker_.model.bodies.size()), motion, f);
    const VecX rate = to_dense(tree.ways(), entries.data()).llt().solve(f);
    const auto apart = [&](double h) {
        const Carried end = carried(maker_.model, tree, maker_.state, 1, h);
        return (end.v - motion.v - h * rate).norm();
    };
    EXPECT_LT(apart(5e-6), 0.3 * apart(1e-5) + 1e-11) << apart(1e-5);
}

INSTANTIATE_TEST_SUITE_P(Seeds, MomentumOfTree, testing::Range(1, 41));

}  // namespace
}  // namespace stiction
