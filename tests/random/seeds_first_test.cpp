// Random scenes, the first half of the seeds that ./test runs.
#include "random/seed_checks.h"

namespace stiction {
namespace {

TEST(RandomScenes, FirstHalf) {
    const Survey result = survey({.first = 1, .last = 200, .seconds = 2});
    expect_only_known_faults(result);
    expect_enough_was_checked(result);
}

}  // namespace
}  // namespace stiction
