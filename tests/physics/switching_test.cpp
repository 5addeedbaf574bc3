// switching_test.cpp - the contact model changes while a scene runs: states stay finite, and a run
// with a switch has the same bits as one that starts from the state saved there.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>

#include "record/state_file.h"
#include "scene/scene_files.h"
#include "scene_runs.h"
#include "step/simulation.h"

namespace stiction {
namespace {

constexpr int kPeriod = 50;  // steps between switches

// 200 balls fall into 40 bins and pile up there, five in each: many islands.
constexpr const char* kBins = R"(version: 1
contact: {model: coulomb_cone}
step: {h: 0.02}
materials: {default: {friction: 0.5, viscous: 1}}
bodies:
  - {name: ground, kind: static, shape: {type: plane}}
  - {name: front, kind: static, position: [6, -0.15, 0.5], shape: {type: box, size: [13, 0.1, 1]}}
  - {name: back, kind: static, position: [6, 0.15, 0.5], shape: {type: box, size: [13, 0.1, 1]}}
  - name: wall
    repeat: 41
    kind: static
    position: [0.3*(i - 0.5), 0, 0.5]
    shape: {type: box, size: [0.1, 0.2, 1]}
  - name: ball
    repeat: {count: [40, 5], jitter: {position: 0.005}}
    mass: 0.1
    position: [0.3*i, 0, 0.06 + 0.09*j]
    shape: {type: sphere, radius: 0.04}
)";

ContactModel model_of_period(int period) {
    return make_contact_model(
        kContactModelNames[static_cast<std::size_t>(period) % kContactModelNames.size()]);
}

struct Switched {
    int steps = 0, switches = 0;
    double deepest = 0;                   // overlap [m]
    double at_end = 0;                    // the same in the last step [m]
    std::map<std::string, int> unsolved;  // steps, per model
};

// Ten seconds, every kPeriod steps the next model.
Switched run_switching(const char* what, const Scene& scene) {
    Simulation sim = simulate(scene, model_of_period(0));
    Switched result;
    const int steps = static_cast<int>(std::lround(10 / scene.step.h));
    for (int i = 0; i < steps; ++i) {
        if (i > 0 && i % kPeriod == 0) {
            const std::uint64_t before = state_hash(sim.state);
            switch_contact_model(sim, model_of_period(i / kPeriod));
            EXPECT_EQ(state_hash(sim.state), before);  // the state stays
            EXPECT_TRUE(sim.guess.keys.empty());       // warm starts go
            ++result.switches;
        }
        const StepOutcome outcome = step(sim);
        EXPECT_EQ(outcome, StepOutcome::kDone) << describe_failure(sim);
        if (outcome != StepOutcome::kDone) break;
        if (sim.frame.solution.status != SolveStatus::kSolved) {
            ++result.unsolved[std::string(name(sim.contact_model))];
        }
        result.deepest = std::max(result.deepest, deepest_overlap(sim));
        ++result.steps;
    }
    EXPECT_TRUE(is_finite(sim.state));
    result.at_end = deepest_overlap(sim);
    std::printf(
        "%-8s %5d steps of %.4f s, %3d switches, deepest overlap %.1e m, at the end "
        "%.1e m; unsolved steps:",
        what, result.steps, scene.step.h, result.switches, result.deepest, result.at_end);
    for (const auto& [model, count] : result.unsolved) std::printf(" %s %d", model.c_str(), count);
    std::printf("%s\n", result.unsolved.empty() ? " none" : "");
    return result;
}

// Viscous friction has no coefficient in the grasp and lets the boxes slip between the grippers,
// which is as good a test of what comes after.
TEST(Switching, TheGraspStaysFinite) {
    const Switched result = run_switching("grasp", shipped_scene("grasp"));
    EXPECT_EQ(result.steps, 10000);
    EXPECT_LT(result.deepest, 1e-3);
}

TEST(Switching, TheStackStaysFinite) {
    const Switched result = run_switching("stack", shipped_scene("stack"));
    EXPECT_EQ(result.steps, 10000);
    EXPECT_LT(result.deepest, 1e-3);
}

Scene sixty_spheres() {
    Scene scene = shipped_scene("granular", {{"count", "60"}, {"viscosity", "1"}});
    scene.step.h = 0.01;
    return scene;
}

TEST(Switching, SixtySpheresStayFinite) {
    const Switched result = run_switching("spheres", sixty_spheres());
    EXPECT_EQ(result.steps, 1000);
    EXPECT_EQ(result.switches, 19);
    EXPECT_LT(result.at_end, 1e-4);
}

// The state saved at the switch, read into a simulation that was made with the next model: same
// bits after every step that follows, through further switches too.
void expect_same_after_restart(const Scene& scene, int before, int after) {
    const SceneFiles files;  // a folder for the state
    for (int period = 0; period < static_cast<int>(kContactModelNames.size()); ++period) {
        Simulation whole = simulate(scene, model_of_period(period));
        for (int i = 0; i < before; ++i) ASSERT_EQ(step(whole), StepOutcome::kDone);
        save_state(files.path("state.json"), scene.name, whole);
        switch_contact_model(whole, model_of_period(period + 1));

        Simulation restarted = simulate(scene, model_of_period(period + 1));
        EXPECT_FALSE(load_state(files.path("state.json"), scene.name, restarted));
        for (int i = 0; i < after; ++i) {
            if (i == after / 2) {
                switch_contact_model(whole, model_of_period(period + 2));
                switch_contact_model(restarted, model_of_period(period + 2));
            }
            ASSERT_EQ(step(whole), StepOutcome::kDone);
            ASSERT_EQ(step(restarted), StepOutcome::kDone);
            ASSERT_EQ(state_hash(whole.state), state_hash(restarted.state))
                << scene.name << ", " << name(model_of_period(period)) << " to "
                << name(model_of_period(period + 1)) << ", step " << i << " after the switch";
        }
    }
}

TEST(Switching, ASwitchEqualsARestartFromTheSavedState) {
    expect_same_after_restart(shipped_scene("grasp"), 60, 40);
    expect_same_after_restart(shipped_scene("stack"), 60, 40);
    expect_same_after_restart(shipped_scene("islands"), 60, 40);
    expect_same_after_restart(SceneFiles().load(kBins), 15, 6);
}

}  // namespace
}  // namespace stiction
