// The shrinker, on failures made up for it: what is left is what the failure needs.
#include "random/shrink.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.h"
#include "random/check_run.h"
#include "random/random_scene.h"

namespace stiction {
namespace {

bool has_motor(const JointSketch& joint) { return joint.motor.kind != Motor::Kind::kOff; }
bool is_heavy_capsule(const BodySketch& body) {
    return body.kind == BodyKind::kDynamic && body.mass > 0.5 &&
           std::any_of(body.shapes.begin(), body.shapes.end(),
                       [](const ShapeSketch& s) { return s.kind == ShapeKind::kCapsule; });
}

SceneSketch first_that(const Fails& fails) {
    std::uint64_t seed = 1;
    while (!fails(random_scene(seed))) ++seed;
    return random_scene(seed);
}

// A motor somewhere and, elsewhere, a heavy capsule.
TEST(Shrink, KeepsOnlyWhatTheFailureNeeds) {
    const Fails fails = [](const SceneSketch& sketch) {
        return sketch.bodies.size() >= 2 &&
               std::any_of(sketch.joints.begin(), sketch.joints.end(), has_motor) &&
               std::any_of(sketch.bodies.begin(), sketch.bodies.end(), is_heavy_capsule);
    };
    const SceneSketch start = first_that([&](const SceneSketch& sketch) {
        return sketch.bodies.size() > 8 && sketch.change && fails(sketch);
    });
    const Shrunk shrunk = shrink(start, fails);
    const SceneSketch& left = shrunk.sketch;
    EXPECT_TRUE(fails(left));
    EXPECT_EQ(left.bodies.size(), 2U);
    EXPECT_EQ(left.joints.size(), 1U);
    EXPECT_EQ(left.steps, 1);
    EXPECT_FALSE(left.change);
    EXPECT_FALSE(left.joints[0].limited || left.joints[0].reduced || left.joints[0].friction > 0);
    const auto capsule = std::find_if(left.bodies.begin(), left.bodies.end(), is_heavy_capsule);
    EXPECT_EQ(capsule->mass, 1);
    EXPECT_EQ(capsule->friction, 0);
    EXPECT_TRUE(capsule->twist.v.isZero(0.0));
    EXPECT_LT(shrunk.attempts, 1000);
    EXPECT_LT(to_yaml(left).size(), 0.25 * static_cast<double>(to_yaml(start).size()));
}

// Two bodies far apart in the list, which only fail together: halves do not find them.
TEST(Shrink, FindsPairs) {
    const SceneSketch start =
        first_that([](const SceneSketch& sketch) { return sketch.bodies.size() >= 12; });
    const std::string a = start.bodies[2].name, b = start.bodies[10].name;
    const Fails fails = [&](const SceneSketch& sketch) {
        return std::count_if(sketch.bodies.begin(), sketch.bodies.end(), [&](const auto& body) {
                   return body.name == a || body.name == b;
               }) == 2;
    };
    const SceneSketch left = shrink(start, fails).sketch;
    ASSERT_EQ(left.bodies.size(), 2U);
    EXPECT_TRUE(left.joints.empty());
}

// A failure that needs the second model, after a step of the first one.
TEST(Shrink, KeepsAChangeThatMatters) {
    const Fails fails = [](const SceneSketch& sketch) {
        return sketch.change && sketch.change->step >= 3 && sketch.steps > sketch.change->step + 2;
    };
    const SceneSketch left = shrink(first_that(fails), fails).sketch;
    EXPECT_EQ(left.change->step, 3);
    EXPECT_EQ(left.steps, 6);
    EXPECT_TRUE(left.bodies.empty());
}

// As failures are found: by running. Some island there must be.
TEST(Shrink, WorksOnRuns) {
    const Fails fails = [](const SceneSketch& sketch) {
        try {
            return run_checked(sketch).islands.all > 0;
        } catch (const InputError&) {
            return false;
        }
    };
    const SceneSketch start = first_that([&](const SceneSketch& sketch) {
        return sketch.joints.empty() && sketch.bodies.size() > 4 && fails(sketch);
    });
    const SceneSketch left = shrink(start, fails).sketch;
    EXPECT_TRUE(fails(left));
    EXPECT_EQ(left.bodies.size(), 2U);  // that touch
    EXPECT_EQ(left.steps, 1);
}

TEST(Shrink, StopsWhenToldAndRepeatsItself) {
    const Fails fails = [](const SceneSketch& sketch) { return !sketch.bodies.empty(); };
    const SceneSketch start = random_scene(1);
    const Shrunk shrunk = shrink(start, fails, 7);
    EXPECT_EQ(shrunk.attempts, 7);
    EXPECT_TRUE(fails(shrunk.sketch));
    EXPECT_EQ(to_yaml(shrink(start, fails).sketch), to_yaml(shrink(start, fails).sketch));
}

TEST(Shrink, RemovalsKeepTheRestTogether) {
    SceneSketch sketch;
    for (const char* body : {"a", "b", "c", "d"}) sketch.bodies.emplace_back().name = body;
    const auto link = [&](int parent, int child) -> JointSketch& {
        JointSketch& joint = sketch.joints.emplace_back();
        joint.parent = parent;
        joint.child = child;
        return joint;
    };
    link(0, 1);
    link(1, 2);
    link(kNone, 3);
    link(2, 3).mimic = 2;
    remove_body(sketch, 1);  // takes the first two joints along
    ASSERT_EQ(sketch.bodies.size(), 3U);
    ASSERT_EQ(sketch.joints.size(), 2U);
    EXPECT_EQ(sketch.bodies[at(sketch.joints[0].child)].name, "d");
    EXPECT_EQ(sketch.joints[0].parent, kNone);
    EXPECT_EQ(sketch.bodies[at(sketch.joints[1].parent)].name, "c");
    EXPECT_EQ(sketch.joints[1].mimic, 0);
    remove_joint(sketch, 0);
    EXPECT_EQ(sketch.joints[0].mimic, kNone);
}

}  // namespace
}  // namespace stiction
