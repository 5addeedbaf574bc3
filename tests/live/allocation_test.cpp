// allocation_test.cpp - the history's ring does not allocate once it is full.
#include "allocation_count.h"
#include "live/history.h"
#include "live/live_scenes.h"

namespace stiction {
namespace {

TEST(Allocation, AFullHistoryReusesItsBuffers) {
    if (!kCountsAllocations) GTEST_SKIP() << "sanitizers bring their own malloc";
    History history(50, kMaxHistoryBytes);
    State state;
    state.pose.resize(30);
    state.twist.resize(30);
    const auto push = [&] {
        HistoryEntry& entry = history.push();
        entry.scene.state = state;
        history.filled();
    };
    for (int i = 0; i < 60; ++i) push();
    const long before = allocation_count();
    for (int i = 0; i < 500; ++i) push();
    EXPECT_EQ(allocation_count() - before, 0);
}

// A scene's step and its entry of the history; the history itself still grows.
TEST(Allocation, ALiveStepAllocatesNoMoreThanItsEntryOfTheHistory) {
    if (!kCountsAllocations) GTEST_SKIP() << "sanitizers bring their own malloc";
    LiveScene live(shipped_scene("stack", {{"boxes", "3"}}), 1);
    std::vector<StepRecord> records;
    records.reserve(100'000);
    const auto run = [&](int steps) {
        const long before = allocation_count();
        forward(live, steps);
        live.take_records(records);
        return allocation_count() - before;
    };
    (void)run(2000);
    constexpr int kVectors = 8;  // of an entry: poses, twists and six of the guess; and the entry
    EXPECT_LE(run(1000), (kVectors + 1) * 1000);
}

}  // namespace
}  // namespace stiction
