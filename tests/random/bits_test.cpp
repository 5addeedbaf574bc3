// Random scenes twice, and on two threads: the same bits at the end.
#include <gtest/gtest.h>

#include "random/check_run.h"
#include "random/random_scene.h"

namespace stiction {
namespace {

TEST(RandomScenes, HaveTheSameBitsAgainAndOnTwoThreads) {
    int compared = 0;
    for (std::uint64_t seed = 401; seed <= 420; ++seed) {
        const RunReport report = run_repeated(random_scene(seed), {.seconds = 1});
        compared += report.cut ? 0 : 1;
        for (const Check check : {Check::kSameBits, Check::kThreads})
            EXPECT_EQ(find(report, check), nullptr) << name(check) << ", seed " << seed;
    }
    EXPECT_GT(compared, 10);
}

}  // namespace
}  // namespace stiction
