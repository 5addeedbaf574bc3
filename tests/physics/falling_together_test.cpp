// falling_together_test.cpp - bodies that move as one have no relative velocity, but come to touch
// within the step in which one of them is stopped. They must not overlap then.
#include <gtest/gtest.h>

#include "scene/scene_files.h"
#include "scene_runs.h"
#include "step/simulation.h"

namespace stiction {
namespace {

constexpr double kOverlap = 1e-6;  // [m]

// Drift is not corrected: what overlaps stays visible.
constexpr const char* kColumn = R"(version: 1
parameters: {speed: 2, gap: 0.001, height: 0.05, count: 2, bounce: 0, h: 0.02}
contact: {model: no_slip}
step: {h: h, stabilisation: none}
materials: {default: {friction: 0.5, viscous: 1, restitution: bounce}}
bodies:
  - {name: floor, kind: static, shape: {type: plane}}
  - name: body_{i}
    repeat: count
    mass: 1
    position: [0, 0, height + 0.1 + i*(0.2 + gap)]
    velocity: [0, 0, -speed]
    shape: SHAPE
)";

Scene column(const std::string& shape, const Parameters& parameters) {
    std::string text = kColumn;
    text.replace(text.find("SHAPE"), 5, shape);
    SceneOverrides overrides;
    overrides.parameters = parameters;
    return SceneFiles().load(text, overrides);
}

enum class Between { kAll, kFalling };

// Of all contacts, or of those between the bodies that fell: one that the other knocks to the floor
// is seen a step late.
double overlap(const Simulation& sim, Between between) {
    double depth = 0;
    for (const Contact& contact : sim.frame.contacts.contacts) {
        const Body& b = sim.model.bodies[static_cast<std::size_t>(contact.body_b)];
        if (between == Between::kAll || b.kind == BodyKind::kDynamic)
            depth = std::max(depth, -contact.phi);
    }
    return depth;
}

void expect_no_overlap(const Scene& scene, const std::string& what,
                       Between between = Between::kAll) {
    for (const char* model :
         {"viscous", "no_slip", "coulomb_lcp", "max_dissipation", "friction_box", "coulomb_cone"}) {
        Simulation sim = simulate(scene, model_named(model));
        double deepest = 0;
        for (int i = 0; i < 30; ++i) {
            ASSERT_EQ(step(sim), StepOutcome::kDone) << describe_failure(sim);
            deepest = std::max(deepest, overlap(sim, between));
        }
        EXPECT_LT(deepest, kOverlap) << what << ", " << model;
    }
}

const char* const kBall = "{type: sphere, radius: 0.1}";
const char* const kBox = "{type: box, size: [0.2, 0.2, 0.2]}";

TEST(FallingTogether, BallsDoNotOverlapWhenTheLowestStops) {
    for (const char* gap : {"0.001", "0.01", "0.03"}) {
        expect_no_overlap(column(kBall, {{"gap", gap}}), std::string("gap ") + gap);
        expect_no_overlap(column(kBall, {{"gap", gap}, {"count", "5"}}),
                          std::string("five, gap ") + gap);
    }
}

TEST(FallingTogether, BoxesDoNotOverlapWhenTheLowestStops) {
    expect_no_overlap(column(kBox, {{"gap", "0.01"}}), "two boxes");
    expect_no_overlap(column(kBox, {{"gap", "0.03"}, {"count", "4"}, {"speed", "5"}}),
                      "four boxes");
}

// The lower one comes back towards the upper one in the same step.
TEST(FallingTogether, BallsDoNotOverlapWhenTheLowerRebounds) {
    for (const char* gap : {"0.001", "0.02", "0.05"}) {
        expect_no_overlap(column(kBall, {{"gap", gap}, {"bounce", "0.8"}}),
                          std::string("gap ") + gap, Between::kFalling);
    }
}

// The front one runs against a wall.
TEST(FallingTogether, BallsDoNotOverlapWhenTheFirstMeetsAWall) {
    const Scene scene = SceneFiles().load(R"(version: 1
gravity: [0, 0, 0]
contact: {model: no_slip}
step: {h: 0.02, stabilisation: none}
bodies:
  - {name: wall, kind: static, position: [0.3, 0, 0], shape: {type: box, size: [0.2, 1, 1]}}
  - name: ball_{i}
    repeat: 3
    mass: 1
    position: [-0.21*i, 0, 0]
    velocity: [3, 0, 0]
    shape: {type: sphere, radius: 0.1}
)");
    expect_no_overlap(scene, "wall");
}

}  // namespace
}  // namespace stiction
