// The generator: the same scene from the same seed, everything it promises to draw, files that the
// program reads, and a change in the middle that the program can repeat.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "random/check_run.h"
#include "random/random_scene.h"
#include "record/state_file.h"
#include "scene/scene_files.h"
#include "scene_runs.h"

namespace stiction {
namespace {

TEST(Generator, ASeedIsAScene) {
    EXPECT_EQ(to_yaml(random_scene(7)), to_yaml(random_scene(7)));
    EXPECT_NE(to_yaml(random_scene(7)), to_yaml(random_scene(8)));
}

using Drawn = std::map<std::string, int>;

void count_bodies(const SceneSketch& sketch, Drawn& drawn) {
    double lightest = INFINITY, heaviest = 0;
    for (const BodySketch& body : sketch.bodies) {
        for (const ShapeSketch& shape : body.shapes)
            ++drawn["shape " + std::to_string(static_cast<int>(shape.kind))];
        if (body.shapes.size() > 1) ++drawn["compound"];
        if (!body.force.isZero(0.0)) ++drawn["force"];
        if (body.kind == BodyKind::kKinematic && !body.twist.v.isZero(0.0)) ++drawn["moving"];
        if (body.kind == BodyKind::kKinematic && !body.twist.w.isZero(0.0)) ++drawn["turning"];
        if (body.friction == 0) ++drawn["no friction"];
        if (body.friction >= 100) ++drawn["large friction"];
        if (body.viscous > 0) ++drawn["viscous"];
        if (body.restitution == 1) ++drawn["elastic"];
        if (body.kind != BodyKind::kDynamic) continue;
        lightest = std::min(lightest, body.mass);
        heaviest = std::max(heaviest, body.mass);
    }
    if (heaviest > 0.9e6 * lightest) ++drawn["mass ratio 1e6"];
    EXPECT_LT(heaviest, 1.1e6 * lightest) << "seed " << sketch.seed;
}

void count_joints(const SceneSketch& sketch, Drawn& drawn) {
    for (const JointSketch& joint : sketch.joints) {
        ++drawn["joint " + std::to_string(static_cast<int>(joint.kind))];
        if (joint.reduced) ++drawn["reduced"];
        if (joint.limited) ++drawn["limits"];
        if (joint.limited && (joint.lower > 0 || joint.upper < 0)) ++drawn["past a limit"];
        if (joint.motor.kind == Motor::Kind::kVelocity) ++drawn["velocity motor"];
        if (joint.motor.kind == Motor::Kind::kPosition) ++drawn["position motor"];
        if (joint.friction > 0) ++drawn["joint friction"];
        if (joint.damping > 0) ++drawn["joint damping"];
        if (joint.armature > 0) ++drawn["armature"];
        if (joint.mimic != kNone) ++drawn["mimic"];
        if (joint.collide) ++drawn["linked bodies collide"];
    }
}

void count_settings(const SceneSketch& sketch, Drawn& drawn) {
    ++drawn["model " + std::string(name(sketch.contact))];
    ++drawn["stabilisation " + std::string(name(sketch.step.stabilisation))];
    if (sketch.repeat > 1) ++drawn["copies of contacts"];
    if (sketch.gravity.isZero(0.0)) ++drawn["no gravity"];
    if (std::visit([](const auto& m) { return m.max_iterations > 0; }, sketch.contact))
        ++drawn["budget"];
    if (!sketch.change) return;
    ++drawn["changed to " + sketch.change->model];
    if (sketch.change->h != sketch.step.h) ++drawn["changed step"];
    if (sketch.change->friction != 1) ++drawn["changed friction"];
}

// Each of these at least a few times in as many seeds as ./test runs.
TEST(Generator, DrawsWhatItPromises) {
    Drawn drawn;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        const SceneSketch sketch = random_scene(seed);
        count_bodies(sketch, drawn);
        count_joints(sketch, drawn);
        count_settings(sketch, drawn);
    }
    // 7 shapes, 5 joints, 6 models, 6 to change to, 4 stabilisations, and the 24 above.
    EXPECT_EQ(drawn.size(), 7U + 5U + 6U + 6U + 4U + 24U);
    for (const auto& [what, count] : drawn) EXPECT_GE(count, 5) << what;
}

TEST(Generator, TheProgramReadsEveryScene) {
    const SceneFiles files;
    for (std::uint64_t seed = 1; seed <= 300; ++seed)
        EXPECT_EQ(files.error_of(to_yaml(random_scene(seed))), "") << "seed " << seed;
}

TEST(Generator, TheCommentsSayHowTheRunGoes) {
    int changes = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const SceneSketch sketch = random_scene(seed);
        const RunPlan plan = read_plan(to_yaml(sketch), 1);
        EXPECT_EQ(plan.steps, sketch.steps);
        ASSERT_EQ(plan.change.has_value(), sketch.change.has_value());
        if (!plan.change) continue;
        ++changes;
        EXPECT_EQ(plan.change->step, sketch.change->step);
        EXPECT_EQ(plan.change->model, sketch.change->model);
        EXPECT_EQ(plan.change->h, sketch.change->h);
        EXPECT_EQ(plan.change->friction, sketch.change->friction);
    }
    EXPECT_GT(changes, 5);
    EXPECT_EQ(read_plan("version: 1\n", 3).steps, 3);
}

// What the two commands of the comments do: save half-way, go on with --model and --set.
TEST(Generator, AChangeEqualsARunFromTheSavedState) {
    const SceneFiles files;
    int compared = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const SceneSketch sketch = random_scene(seed);
        if (!sketch.change || sketch.bodies.size() > 8) continue;
        const Change& change = *sketch.change;
        const std::string path = files.write("scene.yaml", to_yaml(sketch));
        const Scene before = load_scene(path);
        Simulation first = simulate(before, before.contact);
        bool done = true;
        for (int i = 0; i < change.step; ++i) done = done && step(first) == StepOutcome::kDone;
        if (!done) continue;  // not for this test to judge
        save_state(files.path("half.json"), before.name, first);
        SceneOverrides overrides;
        overrides.parameters = {{"h", exactly(change.h)},
                                {"friction_scale", exactly(change.friction)}};
        const Scene after = load_scene(path, overrides);
        const ContactModel other = make_contact_model(change.model);
        Simulation second =
            simulate(after, other.index() == after.contact.index() ? after.contact : other);
        (void)load_state(files.path("half.json"), after.name, second);
        for (int i = change.step; i < sketch.steps; ++i)
            done = done && step(second) == StepOutcome::kDone;
        EXPECT_EQ(state_hash(second.state), run_checked(sketch).hash) << "seed " << seed;
        ++compared;
    }
    EXPECT_GT(compared, 10);
}

}  // namespace
}  // namespace stiction
