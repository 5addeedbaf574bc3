// Chains as in chains_test, of up to 200 links.
#include "physics/chain_energy.h"

namespace stiction {
namespace {

TEST(LongChains, GainNoEnergy) {
    expect_no_energy_gained({.links = 50, .reduced = true, .h = 1e-3}, 20);
    expect_no_energy_gained({.links = 50, .reduced = false, .h = 1e-3}, 20);
    for (const bool reduced : {true, false})
        for (const double h : {1e-2, 5e-3, 1e-3})
            // T + V as it stands swings by h/2 of the power of gravity, here by 1e-5, and 200 links
            // lose little else at first: +6.0e-6 in reduced coordinates at 1 ms, -1.5e-10 with T and
            // V at one time.
            expect_no_energy_gained({.links = 200, .reduced = reduced, .h = h}, 20, 1e-5);
}

}  // namespace
}  // namespace stiction
