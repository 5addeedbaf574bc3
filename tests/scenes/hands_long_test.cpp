// The five-fingered hand [ALM09]: rubber lifts the glass, plastic lets it slip.
#include "scenes/hands.h"

namespace stiction {
namespace {

TEST(Hand5, RubberHoldsAndPlasticSlips) {
    for (const char* model : {"friction_box", "coulomb_lcp", "coulomb_cone"})
        expect_rubber_holds_and_plastic_slips("hand5", model);
}

TEST(Hand5, HoldsWithoutSlip) {
    EXPECT_NEAR(lift_glass("hand5", "no_slip", 0.2), kHandLift, 0.002);
}

}  // namespace
}  // namespace stiction
