// The walking robot: its first 1.5 s on the terrain with every model, and how its feet roll under
// no_slip.
#include "scenes/walking.h"

namespace stiction {
namespace {

TEST(Walking, FirstStepsOnTheTerrain) {
    for (const char* model : {"no_slip", "coulomb_lcp", "max_dissipation", "coulomb_cone"}) {
        SCOPED_TRACE(model);
        const Walk result = walk(shipped_scene("quadruped"), model_named(model), 1.5);
        print(model, result);
        expect_on_its_feet(result);
        EXPECT_GT(result.distance, 0.03);
        EXPECT_LT(result.slide, std::string(model) == "no_slip" ? 1e-12 : 0.05);
    }
}

TEST(Walking, SlidesUnderViscousFriction) {
    const Walk result = walk(shipped_scene("quadruped"), model_named("viscous"), 1.5);
    print("viscous", result);
    EXPECT_TRUE(result.finished);
    EXPECT_EQ(result.unsolved, 0);
    EXPECT_GT(result.slide, 0.1);
}

constexpr double kMostSlip = 1e-5;  // of a stance [m]
constexpr double kFrom = 0.5;       // the robot has taken up its posture [s]

double largest_path(const std::vector<Stance>& all) {
    double largest = 0;
    for (const Stance& stance : all) largest = std::max(largest, stance.path);
    return largest;
}

TEST(Walking, FeetRollWithoutSlipOnFlatGround) {
    std::array<double, 2> largest{};
    for (const int half : {0, 1}) {
        const Scene scene = shipped_scene("quadruped_flat", {{"h", half ? "0.0005" : "0.001"}});
        const std::vector<Stance> all = stances(scene, model_named("no_slip"), kFrom, 10);
        EXPECT_GT(all.size(), 80U);
        for (const Stance& stance : all) EXPECT_LT(stance.path, kMostSlip);
        largest[static_cast<std::size_t>(half)] = largest_path(all);
        std::printf("flat, h %s: %zu stances, largest slip %.2e m\n", half ? "0.0005" : "0.001",
                    all.size(), largest_path(all));
    }
    EXPECT_LT(largest[1], 0.8 * largest[0]);  // of first order, and nothing else
}

// A foot that comes down between two triangles may be found late, inside the ground, and is lifted
// out, which moves it sideways too. Such stances are counted, not measured.
TEST(Walking, FeetRollWithoutSlipOnTheTerrain) {
    const std::vector<Stance> all =
        stances(shipped_scene("quadruped"), model_named("no_slip"), kFrom, 10);
    EXPECT_GT(all.size(), 80U);
    int lifted = 0;
    double largest = 0;
    for (const Stance& stance : all) {
        if (stance.overlap > kMostSlip) {
            ++lifted;
            continue;
        }
        EXPECT_LT(stance.path, kMostSlip);
        largest = std::max(largest, stance.path);
    }
    std::printf("terrain: %zu stances, largest slip %.2e m; %d of them lifted out of the ground\n",
                all.size(), largest, lifted);
    EXPECT_LE(lifted, 2);
}

// The measure sees slip where there is some.
TEST(Walking, SlipIsSeenOnSlipperyGround) {
    const std::vector<Stance> all = stances(shipped_scene("quadruped_flat", {{"mu", "0.1"}}),
                                            model_named("coulomb_cone"), kFrom, 3);
    EXPECT_GT(largest_path(all), 100 * kMostSlip);
}

}  // namespace
}  // namespace stiction
