// The granular scene: a quarter of its spheres to the end, where they come to rest if the law has
// Coulomb friction, and all of them while they fall, at the tolerance of 1e-4.
#include "scenes/settling.h"

namespace stiction {
namespace {

TEST(Granular, TwoHundredAndFiftySpheresSettle) {
    for (const std::string_view model : kContactModelNames) {
        SCOPED_TRACE(model);
        const Settling result = settle(std::string(model), 250, 5, 1e-4);
        expect_inside(result);
        if (has_coulomb_friction(model)) {
            EXPECT_LT(result.last, 1e-6 * result.peak);
        }
    }
}

TEST(Granular, AThousandSpheresFall) {
    for (const std::string_view model : kContactModelNames) {
        SCOPED_TRACE(model);
        expect_inside(settle(std::string(model), 1001, 0.6, 1e-4));
    }
}

}  // namespace
}  // namespace stiction
