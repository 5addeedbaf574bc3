// Random scenes, two thousand seeds more than ./test runs.
#include "random/seed_checks.h"

namespace stiction {
namespace {

TEST(RandomScenes, TwoThousandMore) {
    const Survey result = survey({.first = 1001, .last = 3000, .repeated_every = 20, .seconds = 5});
    expect_only_known_faults(result);
    expect_enough_was_checked(result);
}

}  // namespace
}  // namespace stiction
