// The walking robot as shipped, to the end of its scenes.
#include "scenes/walking.h"

namespace stiction {
namespace {

TEST(WalkingLong, TenSecondsOverTheTerrain) {
    for (const char* model : {"no_slip", "coulomb_lcp", "max_dissipation", "coulomb_cone"}) {
        SCOPED_TRACE(model);
        const Walk result = walk(shipped_scene("quadruped"), model_named(model), 10);
        print(model, result);
        expect_on_its_feet(result);
        EXPECT_GE(result.distance, 0.5);
    }
}

TEST(WalkingLong, AcrossTheLargeTerrain) {
    const Scene scene = shipped_scene("quadruped_large");
    for (const char* model : {"no_slip", "coulomb_cone"}) {
        SCOPED_TRACE(model);
        const Walk result = walk(scene, model_named(model), scene.duration);
        print(model, result);
        expect_on_its_feet(result);
        EXPECT_GE(result.distance, 2.5);
        EXPECT_LT(std::abs(result.side), 1);
    }
}

TEST(WalkingLong, SlidesOnUnderViscousFriction) {
    const Walk result = walk(shipped_scene("quadruped"), model_named("viscous"), 10);
    print("viscous", result);
    EXPECT_TRUE(result.finished);
    EXPECT_EQ(result.unsolved, 0);
    EXPECT_GT(result.slide, 0.1);
}

}  // namespace
}  // namespace stiction
