// The granular scene as shipped, to its end: where the law has Coulomb friction it comes to rest.
#include "scenes/settling.h"

namespace stiction {
namespace {

TEST(Granular, AThousandSpheresSettle) {
    for (const std::string_view model : kContactModelNames) {
        SCOPED_TRACE(model);
        const Settling result = settle(std::string(model), 1001, 5);
        expect_inside(result);
        if (has_coulomb_friction(model)) {
            EXPECT_LT(result.last, 1e-6 * result.peak);
        }
    }
}

}  // namespace
}  // namespace stiction
