// Sparse block factorisation against Eigen's dense one, on chains, trees, cliques and random
// graphs.
#include "solve/factor/block_cholesky.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <set>

#include "core/random.h"

namespace stiction::block_cholesky_test {
namespace {

using Edges = std::vector<std::pair<int, int>>;

// Factors a random matrix with this pattern twice (values change, the pattern stays) and solves.
void check(int count, const Edges& edges, std::uint64_t seed) {
    Random random(seed);
    BlockCholesky cholesky;
    cholesky.analyse(count, edges);
    for (int round = 0; round < 2; ++round) {
        MatX A = MatX::Zero(6 * count, 6 * count);
        cholesky.clear();
        for (std::size_t e = 0; e < edges.size(); ++e) {
            Mat6 block;
            for (int k = 0; k < 36; ++k) block(k) = random.uniform(-1, 1);
            const auto [row, column] = cholesky.orientation(static_cast<int>(e));
            EXPECT_TRUE(std::pair(row, column) == edges[e] || std::pair(column, row) == edges[e]);
            cholesky.off_diagonal(static_cast<int>(e)) = block;
            A.block(6 * row, 6 * column, 6, 6) = block;
            A.block(6 * column, 6 * row, 6, 6) = block.transpose();
        }
        for (int i = 0; i < count; ++i) {
            A.block(6 * i, 6 * i, 6, 6).diagonal().array() += 8.0 * count;  // diagonally dominant
            cholesky.diagonal(i) = A.block(6 * i, 6 * i, 6, 6);
        }
        EXPECT_EQ(cholesky.factor(), 0);
        VecX b(6 * count);
        for (double& x : b) x = random.uniform(-1, 1);
        std::vector<Vec6> x(static_cast<std::size_t>(count));
        for (int i = 0; i < count; ++i) x[static_cast<std::size_t>(i)] = b.segment<6>(6 * i);
        cholesky.solve(x);
        const VecX expected = A.ldlt().solve(b);
        for (int i = 0; i < count; ++i) {
            EXPECT_LT((x[static_cast<std::size_t>(i)] - expected.segment<6>(6 * i)).norm(), 1e-12)
                << "node " << i;
        }
    }
}

Edges chain(int count) {
    Edges edges;
    for (int i = 0; i + 1 < count; ++i) edges.emplace_back(i, i + 1);
    return edges;
}

TEST(BlockCholesky, SolvesChainsTreesCliquesAndRandomGraphs) {
    check(1, {}, 1);
    check(20, chain(20), 2);
    Edges star, clique;
    for (int i = 1; i < 12; ++i) star.emplace_back(0, i);
    for (int i = 0; i < 8; ++i) {
        for (int j = 0; j < i; ++j) clique.emplace_back(i, j);
    }
    check(12, star, 3);
    check(8, clique, 4);
    for (std::uint64_t seed = 10; seed < 40; ++seed) {
        Random random(seed);
        std::set<std::pair<int, int>> set;
        for (int k = 0; k < 30; ++k) {
            const int i = static_cast<int>(random.bits() % 15),
                      j = static_cast<int>(random.bits() % 15);
            if (i != j) set.emplace(std::min(i, j), std::max(i, j));
        }
        check(15, Edges(set.begin(), set.end()), seed);
    }
}

TEST(BlockCholesky, AChainAndAStarHaveNoFill) {
    BlockCholesky cholesky;
    for (const int count : {2, 10, 1000}) {
        cholesky.analyse(count, chain(count));
        EXPECT_EQ(cholesky.fill(), count - 1);
    }
    Edges star;
    for (int i = 0; i < 50; ++i) {
        if (i != 25) star.emplace_back(25, i);
    }
    cholesky.analyse(50, star);
    EXPECT_EQ(cholesky.fill(), 49);
}

TEST(BlockCholesky, APivotThatIsNotPositiveDropsItsUnknown) {
    BlockCholesky cholesky;
    cholesky.analyse(1, {});
    Mat6 A = Mat6::Identity();
    A(3, 3) = -1;
    cholesky.diagonal(0) = A;
    EXPECT_EQ(cholesky.factor(), 1);
    std::vector<Vec6> x{Vec6::Ones()};
    cholesky.solve(x);
    EXPECT_EQ(x[0][3], 0.0);
    EXPECT_EQ(x[0][2], 1.0);
}

}  // namespace
}  // namespace stiction::block_cholesky_test
