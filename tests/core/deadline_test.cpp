#include "core/deadline.h"

#include <gtest/gtest.h>

namespace stiction {
namespace {

TEST(Deadline, PassesWhenItsTimeIsOver) {
    EXPECT_FALSE(Deadline().passed());
    EXPECT_TRUE(Deadline::in(0).passed());
    EXPECT_FALSE(Deadline::in(1000).passed());
    EXPECT_FALSE(Deadline::in(1e300).passed());  // beyond what the clock can count
}

}  // namespace
}  // namespace stiction
