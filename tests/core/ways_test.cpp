// Ways of a small tree by hand, and the factor of a matrix with their pattern.
#include "core/ways.h"

#include <gtest/gtest.h>

#include <vector>

namespace stiction {
namespace {

// A base of two velocities and two legs of two.
const std::vector<int> kBefore = {kNone, 0, 1, 2, 1, 4};

TEST(Ways, LeadFromTheRootToEachVelocity) {
    const std::vector<int> list = make_ways(kBefore);
    const Ways ways(list.data(), 6);
    const std::vector<std::vector<int>> expected = {{0},          {0, 1},    {0, 1, 2},
                                                    {0, 1, 2, 3}, {0, 1, 4}, {0, 1, 4, 5}};
    EXPECT_EQ(ways.entries(), 17);
    for (int k = 0; k < 6; ++k) {
        const std::vector<int> way(ways.way(k), ways.way(k) + ways.count(k));
        EXPECT_EQ(way, expected[static_cast<std::size_t>(k)]) << k;
    }
}

TEST(Ways, FactorHasNoEntriesBesideTheWays) {
    const std::vector<int> list = make_ways(kBefore);
    const Ways ways(list.data(), 6);
    VecX entries(ways.entries()), root(ways.entries());
    for (int i = 0; i < ways.entries(); ++i) entries[i] = 1.0 / (i + 2);
    for (int k = 0; k < 6; ++k) entries[ways.start(k) + ways.count(k) - 1] += 2;
    const MatX M = to_dense(ways, entries.data());
    VecX back(ways.entries());
    take_entries(ways, M, back.data());
    EXPECT_EQ(back, entries);
    factor(ways, entries.data(), root.data());
    MatX R = to_dense(ways, root.data()).triangularView<Eigen::Upper>();
    R.diagonal() = R.diagonal().cwiseInverse().eval();
    EXPECT_LT((R * R.transpose() - M).norm(), 1e-14 * M.norm());
}

}  // namespace
}  // namespace stiction
