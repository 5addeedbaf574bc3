// body_tree_test.cpp - every body has one row, below what it hangs on; the search keeps the way up.
#include "view/body_tree.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "scene_runs.h"

namespace stiction {
namespace {

std::string names(const std::vector<TreeRow>& rows, const Model& model) {
    std::string text;
    for (const TreeRow& row : rows) {
        text += std::string(static_cast<std::size_t>(row.depth), '>');
        text += (row.body == kNone ? "loop" : model.bodies[at(row.body)].name) + " ";
    }
    return text;
}

Model two_legs() {
    Model model;
    for (const char* name : {"ground", "trunk", "thigh_l", "shank_l", "thigh_r", "box"}) {
        Body body;
        body.name = name;
        model.bodies.push_back(body);
    }
    const auto joint = [&](const char* name, int parent, int child) {
        Joint j;
        j.name = name;
        j.parent = parent;
        j.child = child;
        model.joints.push_back(j);
    };
    joint("hip_l", 1, 2);
    joint("knee_l", 2, 3);
    joint("hip_r", 1, 4);
    return model;
}

TEST(BodyTree, RowsHangOnTheirParents) {
    const Model model = two_legs();
    const std::vector<TreeRow> tree = make_body_tree(model);
    EXPECT_EQ(names(tree, model), "ground trunk >thigh_l >>shank_l >thigh_r box ");
    EXPECT_TRUE(tree[1].children);
    EXPECT_FALSE(tree[3].children);
    EXPECT_EQ(model.joints[at(tree[3].joint)].name, "knee_l");
    EXPECT_EQ(names(visible_rows(tree, model, {2}, ""), model),
              "ground trunk >thigh_l >thigh_r box ");
    EXPECT_EQ(names(visible_rows(tree, model, {1}, ""), model), "ground trunk box ");
    EXPECT_EQ(names(visible_rows(tree, model, {1}, "knee"), model), "trunk >thigh_l >>shank_l ");
    EXPECT_EQ(names(visible_rows(tree, model, {}, "BOX"), model), "box ");
    EXPECT_TRUE(visible_rows(tree, model, {}, "nothing").empty());
}

TEST(BodyTree, LoopsAndRingsEnd) {
    Model model = two_legs();
    Joint loop;
    loop.name = "bar";
    loop.parent = 3;
    loop.child = 4;
    model.joints.push_back(loop);
    const std::vector<TreeRow> tree = make_body_tree(model);
    EXPECT_EQ(
        std::count_if(tree.begin(), tree.end(), [](const TreeRow& r) { return r.body == kNone; }),
        1);
    Joint ring;
    ring.name = "ring";
    ring.parent = 3;
    ring.child = 1;
    model.joints.push_back(ring);
    EXPECT_EQ(make_body_tree(model).size(), 6U + 2);
}

TEST(BodyTree, ShippedRobotsHaveEveryBodyOnce) {
    for (const char* name : {"quadruped_flat", "hand5", "chain", "granular"}) {
        const Scene scene = shipped_scene(name);
        std::vector<int> seen(scene.model.bodies.size());
        for (const TreeRow& row : make_body_tree(scene.model)) {
            if (row.body != kNone) ++seen[at(row.body)];
        }
        EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](int n) { return n == 1; })) << name;
    }
}

}  // namespace
}  // namespace stiction
