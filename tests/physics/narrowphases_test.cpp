// narrowphases_test.cpp - the narrowphase changes while a scene runs: the state stays, a run with a
// switch has the same bits as one from the state saved there, and threads change nothing.
#include "record/state_file.h"
#include "scene/scene_files.h"
#include "scene_runs.h"

namespace stiction {
namespace narrowphases_test {
namespace {

constexpr NarrowphaseKind kExact = NarrowphaseKind::kExact;
constexpr NarrowphaseKind kBullet = NarrowphaseKind::kBullet;

Simulation simulate_with(Scene scene, NarrowphaseKind narrowphase, int threads = 1) {
    scene.step.narrowphase = narrowphase;
    return simulate(scene, scene.contact, threads);
}

// Both narrowphases hold the boxes of the grasp, and so does a run that goes from one to the other.
TEST(Narrowphases, TheGraspBearsSwitchesWhileItRuns) {
    Simulation sim = simulate_with(shipped_scene("grasp"), kExact);
    const std::size_t box = body_named(sim.model, "box_0");
    const double start = sim.state.pose[box].p.z();
    for (int i = 0; i < 1000; ++i) {
        if (i % 50 == 0 && i > 0) {
            const std::uint64_t before = state_hash(sim.state);
            switch_narrowphase(sim, i / 50 % 2 == 0 ? kExact : kBullet);
            EXPECT_EQ(state_hash(sim.state), before);
            EXPECT_TRUE(sim.guess.keys.empty());
        }
        ASSERT_EQ(step(sim), StepOutcome::kDone) << describe_failure(sim);
        const ContactSet& contacts = sim.frame.contacts;
        EXPECT_EQ(contacts.bullet_pairs, i / 50 % 2 == 0 ? 0 : contacts.pairs);
        ASSERT_LT(deepest_overlap(sim), 1e-3) << i;
    }
    EXPECT_NEAR(sim.state.pose[box].p.z(), start, 1e-3);
}

// One run that goes on, one that switches; each against one that starts from the state saved there.
TEST(Narrowphases, GoingOnAndSwitchingEqualARestartFromTheSavedState) {
    const SceneFiles files;  // a folder for the state
    for (const char* scene_name : {"grasp", "hand3", "terrain"}) {
        const Scene scene = small_scene(scene_name);
        for (const NarrowphaseKind from : {kExact, kBullet}) {
            for (const NarrowphaseKind to : {kExact, kBullet}) {
                Simulation whole = simulate_with(scene, from);
                for (int i = 0; i < 30; ++i) ASSERT_EQ(step(whole), StepOutcome::kDone);
                save_state(files.path("state.json"), scene.name, whole);
                switch_narrowphase(whole, to);
                Simulation restarted = simulate_with(scene, to);
                EXPECT_EQ(load_state(files.path("state.json"), scene.name, restarted), from == to);
                for (int i = 0; i < 20; ++i) {
                    ASSERT_EQ(step(whole), StepOutcome::kDone);
                    ASSERT_EQ(step(restarted), StepOutcome::kDone);
                    ASSERT_EQ(state_hash(whole.state), state_hash(restarted.state))
                        << scene_name << ", " << name(from) << " to " << name(to) << ' ' << i;
                }
            }
        }
    }
}

TEST(Narrowphases, ThreadsChangeNothing) {
    for (const char* scene_name : {"mixed_pile", "islands", "hand5"}) {
        Simulation one = simulate_with(small_scene(scene_name), kBullet, 1);
        Simulation four = simulate_with(small_scene(scene_name), kBullet, 4);
        for (int i = 0; i < 40; ++i) {
            ASSERT_EQ(step(one), StepOutcome::kDone);
            ASSERT_EQ(step(four), StepOutcome::kDone);
            ASSERT_EQ(state_hash(one.state), state_hash(four.state)) << scene_name << ' ' << i;
        }
    }
}

}  // namespace
}  // namespace narrowphases_test
}  // namespace stiction
