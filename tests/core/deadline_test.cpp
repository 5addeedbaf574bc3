#include "core/deadline.h"

#include <gtest/gtest.h>

#include <functional>

namespace stiction {
namespace {

TEST(Deadline, PassesWhenItsTimeIsOver) {
    EXPECT_FALSE(Deadline().passed());
    EXPECT_TRUE(Deadline::in(0).passed());
    EXPECT_FALSE(Deadline::in(1000).passed());
    EXPECT_FALSE(Deadline::in(1e300).passed());  // beyond what the clock can count
}

// Asked before the clock; a moment is not set by it, so that nothing counts as a budget.
TEST(Deadline, PassesWhenSomebodyGivesUp) {
    bool over = false;
    int asked = 0;
    const std::function<bool()> ended = [&] { return ++asked > 0 && over; };
    const Deadline deadline = Deadline().or_when(ended);
    EXPECT_FALSE(deadline.is_set());
    EXPECT_FALSE(deadline.passed());
    over = true;
    EXPECT_TRUE(Deadline(deadline).passed());
    EXPECT_EQ(asked, 2);
    EXPECT_TRUE(Deadline::in(0).or_when(ended).is_set());
}

}  // namespace
}  // namespace stiction
