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

constexpr double kMaxSlip = 1e-5;  // of a stance [m]
constexpr double kFrom = 0.5;      // the robot has taken up its posture [s]

struct Slip {
    double largest = 0;  // of a stance [m]
    double longest = 0;  // path of a stance [m]
    double mean = 0;     // of the paths [m]
};

Slip slip_of(const std::vector<Stance>& all) {
    Slip slip;
    for (const Stance& stance : all) {
        slip.largest = std::max(slip.largest, stance.slip);
        slip.longest = std::max(slip.longest, stance.path);
        slip.mean += stance.path / static_cast<double>(all.size());
    }
    return slip;
}

void print(const char* label, std::size_t stances, const Slip& slip) {
    std::printf("%s: %zu stances, slip at most %.2e m, way at most %.2e m, mean %.2e m\n", label,
                stances, slip.largest, slip.longest, slip.mean);
}

TEST(Walking, FeetRollWithoutSlipOnFlatGround) {
    std::vector<double> means;
    for (const char* h : {"0.001", "0.0005"}) {
        const std::vector<Stance> all =
            stances(shipped_scene("quadruped_flat", {{"h", h}}), model_named("no_slip"), kFrom, 10);
        EXPECT_GT(all.size(), 80U);
        const Slip slip = slip_of(all);
        print(h, all.size(), slip);
        EXPECT_LT(slip.largest, kMaxSlip);
        means.push_back(slip.mean);
    }
    EXPECT_NEAR(means[1] / means[0], 0.5, 0.15);  // of first order, and nothing else
}

TEST(Walking, FeetRollWithoutSlipOnTheTerrain) {
    const std::vector<Stance> all =
        stances(shipped_scene("quadruped"), model_named("no_slip"), kFrom, 10);
    EXPECT_GT(all.size(), 80U);
    const Slip slip = slip_of(all);
    print("terrain", all.size(), slip);
    EXPECT_LT(slip.largest, kMaxSlip);
}

// The measure sees slip where there is some.
TEST(Walking, SlipIsSeenOnSlipperyGround) {
    const std::vector<Stance> all = stances(shipped_scene("quadruped_flat", {{"mu", "0.1"}}),
                                            model_named("coulomb_cone"), kFrom, 3);
    EXPECT_GT(slip_of(all).largest, 100 * kMaxSlip);
}

}  // namespace
}  // namespace stiction
