// Every shipped scene takes its first steps with every model: solved, finite, no overlap to speak
// of.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "scene_runs.h"
#include "step/simulation.h"

namespace stiction {
namespace {

TEST(EveryScene, TakesItsFirstStepsWithEveryModel) {
    const std::vector<SceneSummary> scenes = list_scenes("scenes");
    EXPECT_GE(scenes.size(), 7U);
    for (const SceneSummary& summary : scenes) {
        const Scene scene = small_scene(summary.name);
        EXPECT_FALSE(scene.description.empty()) << summary.path;
        for (const std::string_view model : kContactModelNames) {
            SCOPED_TRACE(summary.name + " with " + std::string(model));
            Simulation sim = simulate(scene, make_contact_model(model));
            take_steps(sim, 200);
            EXPECT_LT(deepest_overlap(sim), 1e-4);
        }
    }
}

// Bullet's contacts are not always good enough to solve well (docs/collision.md has the table): that
// every state is finite, and Bullet answers every pair.
TEST(EveryScene, TakesItsFirstStepsUnderBulletsContacts) {
    for (const SceneSummary& summary : list_scenes("scenes")) {
        SCOPED_TRACE(summary.name);
        Scene scene = small_scene(summary.name);
        scene.step.narrowphase = NarrowphaseKind::kBullet;
        Simulation sim = simulate(scene, scene.contact);
        for (int i = 0; i < 200; ++i) {
            ASSERT_EQ(step(sim), StepOutcome::kDone) << describe_failure(sim);
            ASSERT_EQ(sim.frame.contacts.bullet_pairs, sim.frame.contacts.pairs);
        }
    }
}

// A scene that is added belongs into the table too: build/release/benchmarks/narrowphase_tables
// --only scenes --scene NAME prints its row.
TEST(EveryScene, HasARowInTheTableOfTheNarrowphases) {
    std::ifstream file("docs/collision.md");
    const std::string page(std::istreambuf_iterator<char>(file), {});
    const std::size_t begin = page.find("<!-- begin scenes -->");
    ASSERT_NE(begin, std::string::npos);
    const std::string table = page.substr(begin);
    for (const SceneSummary& summary : list_scenes("scenes"))
        EXPECT_NE(table.find("\n| " + summary.name + " "), std::string::npos) << summary.name;
}

TEST(EveryScene, TakesItsFirstStepsAtTheAccelerationLevel) {
    Viscous model;
    model.level = ViscousLevel::kAcceleration;
    for (const SceneSummary& summary : list_scenes("scenes")) {
        SCOPED_TRACE(summary.name);
        Simulation sim = simulate(small_scene(summary.name), model);
        take_steps(sim, 200);
        EXPECT_LT(deepest_overlap(sim), 1e-4);
    }
}

}  // namespace
}  // namespace stiction
