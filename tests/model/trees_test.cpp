// Trees of a model: which joints make them, the order of their nodes, and their size.
#include <gtest/gtest.h>

#include "core/error.h"
#include "model/model.h"

namespace stiction {
namespace {

// Bodies 0 ... n - 1, where joint i holds child[i] to parent[i].
Model linked(int n, JointKind kind, const std::vector<std::pair<int, int>>& links) {
    Model model;
    for (int i = 0; i < n; ++i) {
        Body body;
        body.name = "b" + std::to_string(i);
        body.mass = 1;
        body.inertia_B = Mat3::Identity();
        model.bodies.push_back(body);
    }
    for (const auto& [parent, child] : links) {
        Joint joint;
        joint.kind = kind;
        joint.parent = parent;
        joint.child = child;
        joint.reduced = true;
        model.joints.push_back(joint);
    }
    finalize(model);
    return model;
}

std::vector<int> bodies_of(const Tree& tree) {
    std::vector<int> ids;
    for (const auto& node : tree.nodes) ids.push_back(node.body);
    return ids;
}

TEST(Trees, NodesComeDepthFirstAndChildrenInOrder) {
    const Model model =
        linked(6, JointKind::kRevolute, {{kNone, 2}, {2, 4}, {2, 1}, {1, 5}, {4, 0}});
    ASSERT_EQ(model.trees.size(), 1U);
    EXPECT_EQ(bodies_of(model.trees[0]), (std::vector<int>{2, 1, 5, 4, 0}));
    EXPECT_EQ(model.trees[0].dofs, 5);
    EXPECT_EQ(model.bodies[3].tree, kNone);
    EXPECT_EQ(model.nv, 5 + 6);
}

TEST(Trees, ALoopIsClosedByRows) {
    const Model model = linked(3, JointKind::kRevolute, {{0, 1}, {1, 2}, {2, 0}});
    EXPECT_TRUE(model.joints[0].reduced);
    EXPECT_TRUE(model.joints[1].reduced);
    EXPECT_FALSE(model.joints[2].reduced);
    ASSERT_EQ(model.trees.size(), 1U);
    EXPECT_EQ(model.trees[0].dofs, 6 + 2);
}

// Joints from the end of the chain to its start: ways to the root are longest there.
TEST(Trees, LongChainsOfFixedJoints) {
    constexpr int kBodies = 50'000;
    std::vector<std::pair<int, int>> links;
    for (int i = kBodies - 1; i > 0; --i) links.emplace_back(i - 1, i);
    const Model model = linked(kBodies, JointKind::kFixed, links);
    ASSERT_EQ(model.trees.size(), 1U);
    EXPECT_EQ(model.trees[0].nodes.size(), static_cast<std::size_t>(kBodies));
    EXPECT_EQ(model.trees[0].dofs, 6);
}

TEST(Trees, TooLargeToBeHeld) {
    std::vector<std::pair<int, int>> links;
    for (int i = 0; i < 7000; ++i) links.emplace_back(i == 0 ? kNone : i - 1, i);
    try {
        (void)linked(7000, JointKind::kRevolute, links);
        FAIL();
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(),
                     "the tree of body 'b0' has 7000 velocities, whose inertia has 24503500 "
                     "entries; expected at most 20000000 ('coordinates: maximal' needs none)");
    }
}

}  // namespace
}  // namespace stiction
