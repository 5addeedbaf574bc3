// Runs on threads are those that a world takes by itself.
#include "world/rollout.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace stiction {
namespace {

std::vector<State> thrown(const World& world, int runs) {
    std::vector<State> states(static_cast<std::size_t>(runs), world.state());
    for (std::size_t i = 0; i < states.size(); ++i) {
        states[i].spin_P.clear();
        states[i].twist.back().v = Vec3(0.1 * static_cast<double>(i), 0.3, 1);
    }
    return states;
}

TEST(Rollout, HasTheBitsOfSingleRunsOnAnyNumberOfThreads) {
    const World world("stack", {.parameters = {{"boxes", "3"}}});
    const std::vector<State> states = thrown(world, 7);
    std::vector<std::uint64_t> single;
    for (const State& state : states) {
        World alone("stack", {.parameters = {{"boxes", "3"}}});
        alone.set_state(state);
        alone.run(60);
        single.push_back(alone.state_hash());
    }
    for (const int threads : {1, 2, 4}) {
        const auto ends = rollout(world, states, {}, {60, 0, threads});
        ASSERT_EQ(ends.size(), states.size());
        for (std::size_t i = 0; i < ends.size(); ++i)
            EXPECT_EQ(state_hash(ends[i].back()), single[i]) << "run " << i << ", " << threads;
    }
}

TEST(Rollout, EndsWhenTold) {
    const World world("pendulum");
    const std::vector<State> states(3, world.state());
    EXPECT_TRUE(rollout(world, states, {}, {1'000'000'000, 0, 2}, [] { return false; }).empty());
}

TEST(Rollout, ThrowsWhatTheFirstRunThrew) {
    const World world("stack");
    std::vector<State> states(3, world.state());
    states[1].pose.back().p.x() = std::numeric_limits<double>::infinity();
    EXPECT_THROW((void)rollout(world, states, {}, {5, 0, 2}), InputError);
    EXPECT_THROW((void)rollout(world, states, {{1.0}}, {5, 0, 2}), InputError);
    EXPECT_TRUE(rollout(world, {}, {}, {5, 0, 2}).empty());
}

}  // namespace
}  // namespace stiction
