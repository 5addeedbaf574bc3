// Random scenes, the second half of the seeds that ./test runs.
#include "random/seed_checks.h"

namespace stiction {
namespace {

TEST(RandomScenes, SecondHalf) {
    const Survey result = survey({.first = 201, .last = 400, .seconds = 2});
    expect_only_known_faults(result);
    expect_enough_was_checked(result);
}

}  // namespace
}  // namespace stiction
