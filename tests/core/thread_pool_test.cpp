// Every index is visited exactly once, for any number of threads and for loops that follow one
// another closely.
#include "core/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

namespace stiction {
namespace {

TEST(ThreadPool, VisitsEveryIndexOnceForAnyThreadCount) {
    for (const int threads : {1, 2, 4, 7}) {
        ThreadPool pool(threads);
        EXPECT_EQ(pool.threads(), threads);
        for (const int count : {0, 1, 2, 3, 100, 1000}) {
            std::vector<std::atomic<int>> visits(static_cast<std::size_t>(count));
            pool.for_each(count, [&](int i, int worker) {
                ASSERT_GE(worker, 0);
                ASSERT_LT(worker, threads);
                ++visits[static_cast<std::size_t>(i)];
            });
            for (const auto& n : visits)
                ASSERT_EQ(n.load(), 1) << threads << " threads, " << count << " pieces";
        }
    }
}

TEST(ThreadPool, LoopsCanFollowOneAnotherWithoutMixing) {
    ThreadPool pool(4);
    for (int round = 0; round < 2000; ++round) {
        std::atomic<int> sum{0};
        pool.for_each(5, [&](int i, int) { sum += i + round; });
        ASSERT_EQ(sum.load(), 10 + 5 * round);
    }
}

TEST(ThreadPool, LoopsWithinLoopsStayOnTheirThread) {
    ThreadPool pool(4);
    std::atomic<int> sum{0};
    pool.for_each(8, [&](int, int) {
        pool.for_each(5, [&](int i, int worker) {
            EXPECT_EQ(worker, 0);
            sum += i;
        });
    });
    EXPECT_EQ(sum.load(), 80);
}

// A pool that takes the place of another ends its threads.
TEST(ThreadPool, CanBeReplaced) {
    ThreadPool pool(3);
    pool = ThreadPool(2);
    std::atomic<int> sum{0};
    pool.for_each(10, [&](int i, int) { sum += i; });
    EXPECT_EQ(sum.load(), 45);
}

}  // namespace
}  // namespace stiction
