// Long runs: every shipped scene for its whole duration with every model, and large piles.
#include <gtest/gtest.h>

#include "scene_runs.h"
#include "step/simulation.h"

namespace stiction {
namespace {

// Steps that may be unsolved: a rock wedged in the shovel, whose rows without slip all but contradict one
// another; what would obey them is 1e5 times what the motion needs.
int may_be_unsolved(const std::string& scene, std::string_view model) {
    return scene == "loader" && model == "no_slip" ? 5 : 0;
}

// At the tolerance that the scene states, as with --model.
TEST(Long, EverySceneRunsToItsEndWithEveryModel) {
    for (const SceneSummary& summary : list_scenes("scenes")) {
        const Scene scene = small_scene(summary.name);
        for (const std::string_view model : kContactModelNames) {
            Simulation sim = simulate(scene, make_contact_model(model, scene.contact));
            const double start = energy(sim.model, sim.state).total();
            int failures = 0;
            double first = -1;  // [s]
            while (sim.state.time < scene.duration) {
                ASSERT_EQ(step(sim), StepOutcome::kDone)
                    << summary.name << " " << model << ": " << describe_failure(sim);
                failures += sim.frame.solution.failures;
                if (failures > 0 && first < 0) first = sim.state.time;
                ASSERT_LT(deepest_overlap(sim), 1e-3)
                    << summary.name << " " << model << " at " << sim.state.time;
            }
            EXPECT_LE(failures, may_be_unsolved(summary.name, model))
                << summary.name << " " << model << ", first at " << first;
            if (scene.controls.body_forces.empty() && scene.controls.motions.empty() &&
                sim.model.joints.empty()) {
                EXPECT_LT(energy(sim.model, sim.state).total(), start + 1e-3)
                    << summary.name << " " << model;
            }
        }
    }
}

TEST(Long, ATallStackAndALongRowStand) {
    Simulation stack = simulate(shipped_scene("stack", {{"boxes", "100"}}), NoSlip{});
    take_steps(stack, 1000);
    EXPECT_LT((stack.state.pose.back().p - Vec3(0, 0, 9.95)).norm(), 1e-6);
    Simulation row =
        simulate(shipped_scene("grasp", {{"boxes", "128"}, {"force_per_box", "400"}}), NoSlip{});
    take_steps(row, 1000);
    EXPECT_LT(std::abs(row.state.pose[64].p.z()), 1e-6);
}

}  // namespace
}  // namespace stiction
