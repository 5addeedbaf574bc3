// Chains as in chains_test, of up to 200 links.
#include "physics/chain_energy.h"

namespace stiction {
namespace {

TEST(LongChains, GainNoEnergy) {
    expect_no_energy_gained({.links = 50, .reduced = true, .h = 1e-3}, 20);
    expect_no_energy_gained({.links = 50, .reduced = false, .h = 1e-3}, 20);
    for (const bool reduced : {true, false})
        for (const double h : {1e-2, 5e-3, 1e-3})
            expect_no_energy_gained({.links = 200, .reduced = reduced, .h = h}, 20);
}

}  // namespace
}  // namespace stiction
