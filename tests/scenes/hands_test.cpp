// The three-fingered hand [ALM09]: rubber lifts the glass, plastic lets it slip; a run that is
// saved in the middle of the lift goes on as if it had not stopped.
#include "scenes/hands.h"

#include <filesystem>

#include "record/state_file.h"

namespace stiction {
namespace {

TEST(Hand3, RubberHoldsAndPlasticSlips) {
    for (const char* model : {"friction_box", "coulomb_lcp", "coulomb_cone"})
        expect_rubber_holds_and_plastic_slips("hand3", model);
}

// Without any slip the material does not count.
TEST(Hand3, HoldsWithoutSlip) {
    EXPECT_NEAR(lift_glass("hand3", "no_slip", 0.2), kHandLift, 0.002);
}

TEST(Hand3, AFirmerGripHoldsPlastic) {
    EXPECT_NEAR(lift_glass("hand3", "friction_box", 0.2, {{"grip", "1"}}), kHandLift, 0.002);
}

TEST(Hand3, GoesOnExactlyFromASavedPhase) {
    const Scene scene = shipped_scene("hand3", {{"h", "0.002"}});
    Simulation whole = simulate(scene, scene.contact);
    take_steps(whole, 1000);  // 2 s: half way up
    const std::string path =
        (std::filesystem::temp_directory_path() / ("hand_" + std::to_string(getpid()) + ".json"))
            .string();
    save_state(path, scene.name, whole);
    Simulation part = simulate(scene, scene.contact);
    EXPECT_TRUE(load_state(path, scene.name, part));
    std::filesystem::remove(path);
    take_steps(whole, 300);
    take_steps(part, 300);
    for (std::size_t b = 0; b < whole.state.pose.size(); ++b) {
        EXPECT_EQ(whole.state.pose[b].p, part.state.pose[b].p);
        EXPECT_EQ(whole.state.pose[b].q.coeffs(), part.state.pose[b].q.coeffs());
        EXPECT_EQ(whole.state.twist[b].v, part.state.twist[b].v);
    }
}

}  // namespace
}  // namespace stiction
