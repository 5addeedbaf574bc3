// block_lu_test.cpp - the block factorisation against a dense one.
#include "solve/factor/block_lu.h"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "solve/lcp/random_problems.h"

namespace stiction::block_lu_test {
namespace {

// Random unsymmetric blocks on a random pattern (not symmetric either), diagonally heavy.
BlockMatrix random_blocks(test::Rng& rng, int n, double density) {
    std::vector<BlockEntry> entries;
    for (int a = 0; a < n; ++a) {
        entries.push_back({a, a, 6 * Mat3::Identity() + Mat3(test::random_matrix(rng, 3, 3))});
        for (int b = 0; b < n; ++b) {
            if (b != a && test::uniform(rng, 0, 1) < density) {
                entries.push_back({a, b, Mat3(test::random_matrix(rng, 3, 3))});
            }
        }
    }
    return make_block_matrix(n, entries);
}

void fill(const BlockMatrix& A, BlockLu<3>& lu) {
    lu.clear();
    for (int k = 0; k < A.blocks(); ++k) lu.entry(k) = A.block[at(k)];
}

TEST(BlockLu, SolvesLikeADenseFactorisation) {
    test::Rng rng(3);
    for (int i = 0; i < 200; ++i) {
        const int n = test::whole(rng, 1, 20);
        const BlockMatrix A = random_blocks(rng, n, 0.15);
        BlockLu<3> lu;
        lu.analyse(A);
        fill(A, lu);
        ASSERT_TRUE(lu.factor());
        const VecX b = test::random_vector(rng, 3 * n);
        VecX x = b;
        lu.solve(x);
        EXPECT_LT((to_dense(A) * x - b).norm(), 1e-11 * (1 + x.norm() * 20)) << "case " << i;
    }
}

TEST(BlockLu, LeavesContactsOut) {
    test::Rng rng(4);
    for (int i = 0; i < 100; ++i) {
        const int n = test::whole(rng, 2, 15);
        const BlockMatrix A = random_blocks(rng, n, 0.2);
        BlockLu<3> lu;
        lu.analyse(A);
        fill(A, lu);
        MatX dense = to_dense(A);
        VecX b = test::random_vector(rng, 3 * n);
        VecX x = b;
        for (int a = 0; a < n; ++a) {
            if (test::uniform(rng, 0, 1) > 0.4) continue;
            lu.leave_out(a);
            dense.middleRows(3 * a, 3).setZero();
            dense.middleCols(3 * a, 3).setZero();
            dense.block<3, 3>(3 * a, 3 * a).setIdentity();
            b.segment<3>(3 * a).setZero();
        }
        ASSERT_TRUE(lu.factor());
        lu.solve(x);
        const VecX expected = dense.partialPivLu().solve(b);
        EXPECT_LT((x - expected).norm(), 1e-10 * (1 + expected.norm())) << "case " << i;
    }
}

// A pivot of a diagonal block may be zero as long as the block is regular.
TEST(BlockLu, ExchangesRowsWithinABlock) {
    Mat3 X;
    X << 0, 1, 0, 0, 0, 2, 4, 0, 0;
    Mat3 inverse;
    ASSERT_TRUE(invert3(X, inverse));
    EXPECT_LT((X * inverse - Mat3::Identity()).norm(), 1e-15);
}

TEST(BlockLu, ReportsASingularPivot) {
    const BlockMatrix A = make_block_matrix(2, {{0, 0, Mat3::Identity()}});
    BlockLu<3> lu;
    lu.analyse(A);
    fill(A, lu);
    EXPECT_FALSE(lu.factor());
}

TEST(BlockLu, EmptyMatrix) {
    BlockLu<3> lu;
    lu.analyse(make_block_matrix(0, {}));
    lu.clear();
    EXPECT_TRUE(lu.factor());
    VecX x;
    lu.solve(x);
}

// A chain has no fill, whatever the numbering.
TEST(BlockLu, ChainHasNoFill) {
    std::vector<BlockEntry> entries;
    const int n = 50;
    for (int i = 0; i + 1 < n; ++i) {
        const int a = i * 17 % n;
        const int b = (i + 1) * 17 % n;
        entries.push_back({a, b, Mat3::Identity()});
    }
    BlockLu<3> lu;
    lu.analyse(make_block_matrix(n, entries));
    EXPECT_EQ(lu.fill(), n + 2 * (n - 1));
}

}  // namespace
}  // namespace stiction::block_lu_test
