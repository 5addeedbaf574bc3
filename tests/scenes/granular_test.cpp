// The granular scene with every model: the spheres stay in their box and hardly overlap.
#include "scenes/settling.h"

namespace stiction {
namespace {

TEST(Granular, FewSpheresFallWithEveryModel) {
    for (const std::string_view model : kContactModelNames) {
        SCOPED_TRACE(model);
        expect_inside(settle(std::string(model), 120, 0.6));
    }
}

}  // namespace
}  // namespace stiction
