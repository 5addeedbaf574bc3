// The step as a whole: same bits for any thread count, live switching, states that are not finite
// are not kept.
#include "step/simulation.h"

#include <gtest/gtest.h>

#include <limits>

#include "scene_runs.h"

namespace stiction {
namespace {

std::uint64_t hash_after(const std::string& scene, const ContactModel& model, int steps,
                         int threads) {
    Simulation sim = simulate(shipped_scene(scene), model, threads);
    for (int i = 0; i < steps; ++i) (void)step(sim);
    return state_hash(sim.state);
}

TEST(Step, SameBitsTwiceAndForAnyNumberOfThreads) {
    for (const char* scene : {"islands", "stack"}) {
        for (const char* model : {"no_slip", "coulomb_lcp"}) {
            const std::uint64_t once = hash_after(scene, model_named(model), 60, 1);
            for (const int threads : {1, 2, 4}) {
                EXPECT_EQ(hash_after(scene, model_named(model), 60, threads), once)
                    << scene << " " << model;
            }
        }
    }
}

TEST(Step, TheModelCanBeSwitchedAtAnyStep) {
    Simulation sim = simulate(shipped_scene("grasp"), NoSlip{});
    take_steps(sim, 10);
    const State before = sim.state;
    switch_contact_model(sim, CoulombLcp{});
    EXPECT_EQ(state_hash(sim.state), state_hash(before));  // the state stays
    EXPECT_TRUE(sim.guess.keys.empty());                   // warm starts are dropped
    take_steps(sim, 10);
    switch_contact_model(sim, NoSlip{});
    take_steps(sim, 10);
    EXPECT_EQ(sim.frame.solution.solver, "sparse_ppm");
}

TEST(Step, AStateThatIsNotFiniteIsNotKept) {
    Scene scene = shipped_scene("bounce", {{"balls", "2"}});
    scene.controls.body_forces.push_back({});
    scene.controls.body_forces.back().body = static_cast<int>(body_named(scene.model, "ball_1"));
    scene.controls.body_forces.back().force = Vec3(std::numeric_limits<double>::infinity(), 0, 0);
    scene.controls.body_forces.back().window.start = 5.5 * scene.step.h;
    Simulation sim = simulate(scene, NoSlip{});
    for (int i = 0; i < 6; ++i) ASSERT_EQ(step(sim), StepOutcome::kDone);
    const std::uint64_t good = state_hash(sim.state);
    EXPECT_EQ(step(sim), StepOutcome::kNotFinite);
    EXPECT_EQ(state_hash(sim.state), good);
    EXPECT_EQ(sim.state.step, 6);
    const std::string message = describe_failure(sim);
    EXPECT_NE(message.find("step 7"), std::string::npos) << message;
    EXPECT_NE(message.find("ball_1"), std::string::npos) << message;
    EXPECT_NE(message.find("no_slip"), std::string::npos) << message;
}

TEST(Step, StageTimesAddUpToTheStep) {
    Simulation sim = simulate(shipped_scene("stack"), NoSlip{});
    take_steps(sim, 3);
    double sum = 0;
    for (const double seconds : sim.frame.seconds) {
        EXPECT_GE(seconds, 0.0);
        sum += seconds;
    }
    EXPECT_LE(sum, sim.frame.step_seconds);
    EXPECT_GT(sum, 0.5 * sim.frame.step_seconds);
}

}  // namespace
}  // namespace stiction
