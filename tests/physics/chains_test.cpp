// Chains under tension, which no explicit step holds beyond h omega = 2: nothing may fly apart and
// no energy may come from nowhere, in either coordinates.
#include "physics/chain_energy.h"

namespace stiction {
namespace {

TEST(Chains, GainNoEnergy) {
    for (const bool reduced : {true, false})
        for (const int links : {5, 10})
            for (const double h : {1e-3, 5e-3, 1e-2})
                expect_no_energy_gained({.links = links, .reduced = reduced, .h = h}, 20);
}

TEST(Chains, LongOnesGainNoEnergyInLargeSteps) {
    for (const bool reduced : {true, false})
        for (const double h : {5e-3, 1e-2})
            expect_no_energy_gained({.links = 50, .reduced = reduced, .h = h}, 20);
}

// The last link is 1000 and 1e6 times heavier than the others: omega is 1,100 and 34,000 rad/s.
TEST(Chains, HoldAHeavyEnd) {
    for (const bool reduced : {true, false})
        for (const double mass : {1e3, 1e6})
            expect_no_energy_gained(
                {.links = 10, .reduced = reduced, .h = 1e-3, .angle = 0.5, .last_mass = mass}, 5);
}

// Both coordinates move alike: half the step, half the distance between them.
TEST(Chains, BothCoordinatesConverge) {
    const auto apart = [](double h) {
        Simulation a = hanging({.links = 10, .reduced = true, .h = h});
        Simulation b = hanging({.links = 10, .reduced = false, .h = h});
        for (int i = 0; i < std::lround(0.5 / h); ++i) {
            (void)step(a);
            (void)step(b);
        }
        return (free_end(a, 0.1) - free_end(b, 0.1)).norm();
    };
    const double coarse = apart(1e-3), fine = apart(5e-4), finest = apart(2.5e-4);
    std::printf("ends of both coordinates apart: %.3e, %.3e, %.3e m; order %.2f, %.2f\n", coarse,
                fine, finest, std::log2(coarse / fine), std::log2(fine / finest));
    EXPECT_NEAR(std::log2(coarse / fine), 1, 0.2);
    EXPECT_NEAR(std::log2(fine / finest), 1, 0.2);
}

}  // namespace
}  // namespace stiction
