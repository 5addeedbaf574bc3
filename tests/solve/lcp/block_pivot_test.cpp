// block_pivot_test.cpp - block pivoting against enumeration, Murty's example and singular problems.
#include "solve/lcp/block_pivot.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "allocation_count.h"
#include "solve/lcp/random_boxes.h"

namespace stiction::block_pivot_test {
namespace {

using test::kOpen;
using test::Rng;
using States = std::vector<BoundState>;

BoxResult solve(const BoxLcp& p, const BlockPivotSettings& settings = {},
                const States& guess = {}) {
    BlockPivotWorkspace workspace;
    BoxResult r;
    solve_block_pivot(p, settings, guess, workspace, r);
    return r;
}

// The answer by trying all 3^n states.
VecX enumerate(const BoxLcp& p) {
    const int n = static_cast<int>(p.b.size());
    int count = 1;
    for (int i = 0; i < n; ++i) count *= 3;
    for (int code = 0; code < count; ++code) {
        VecX z = VecX::Zero(n);
        std::vector<int> in;
        bool possible = true;
        for (int i = 0, c = code; i < n; ++i, c /= 3) {
            if (c % 3 == 0) z[i] = p.lo[i];
            if (c % 3 == 1) z[i] = p.hi[i];
            if (c % 3 == 2) in.push_back(i);
            possible &= std::isfinite(z[i]);
        }
        if (!possible) continue;
        if (!in.empty()) {
            const VecX rest = p.b + p.A * z;
            z(in) = p.A(in, in).fullPivLu().solve(-rest(in));
        }
        if (residual(p, z) < 1e-11) return z;
    }
    return VecX::Constant(n, std::nan(""));
}

TEST(BlockPivot, AgreesWithEnumeration) {
    Rng rng(1);
    for (int k = 0; k < 400; ++k) {
        const int n = test::whole(rng, 1, 5);
        BoxLcp p = test::random_box(rng, n);
        if (k % 2) {  // not symmetric, still positive definite
            const MatX X = test::random_matrix(rng, n, n);
            p.A += X - X.transpose();
        }
        const BoxResult r = solve(p);
        ASSERT_EQ(r.status, SolveStatus::kSolved) << "case " << k;
        EXPECT_LT((r.z - enumerate(p)).cwiseAbs().maxCoeff(), 1e-9) << "case " << k;
    }
}

TEST(BlockPivot, PassesHardlyGrowWithSize) {
    Rng rng(2);
    for (const int n : {10, 40, 160}) {
        int passes = 0;
        for (int k = 0; k < 10; ++k) {
            const BoxResult r = solve(test::random_box(rng, n));
            ASSERT_EQ(r.status, SolveStatus::kSolved);
            passes += r.iterations;
        }
        EXPECT_LT(passes, 10 * 15) << n;
    }
}

// A_ii = 1, A_ij = 2 above the diagonal, b = -1: z = (0, ..., 0, 1). Least-index pivoting goes
// through all 2^n sets, as a binary counter does [M78]; with the twos below the diagonal the first
// pivot would be the answer.
BoxLcp murty_example(int n) {
    MatX A = MatX::Identity(n, n);
    for (int i = 0; i < n; ++i) A.col(i).head(i).setConstant(2);
    return test::as_box({A, VecX::Constant(n, -1.0)});
}

TEST(BlockPivot, MurtysExampleIsExponentialForLeastIndexAloneButNotForBlocks) {
    for (int n = 2; n <= 10; ++n) {
        const BlockPivotSettings murty{.stop = {.max_iterations = 5000}, .patience = 0};
        const BoxResult slow = solve(murty_example(n), murty);
        ASSERT_EQ(slow.status, SolveStatus::kSolved);
        EXPECT_EQ(slow.pivots, (1 << n) - 1);
        EXPECT_EQ(slow.z, VecX::Unit(n, n - 1));
    }
    for (const int n : {20, 30, 50}) {
        const BoxResult quick = solve(murty_example(n));
        EXPECT_EQ(quick.status, SolveStatus::kSolved);
        EXPECT_EQ(quick.z, VecX::Unit(n, n - 1));
        EXPECT_LE(quick.iterations, 10 * n);
        const BoxResult stopped = solve(
            murty_example(n), {.stop = {.max_iterations = 300}, .patience = 0, .retry = false});
        EXPECT_EQ(stopped.status, SolveStatus::kIterationLimit);
        EXPECT_EQ(stopped.iterations, 300);
    }
}

TEST(BlockPivot, SingularFrictionProblemsAreSolved) {
    for (const int bodies : {1, 2}) {
        Rng rng(3);
        int solved = 0, cases = 300;
        for (int k = 0; k < cases; ++k) {
            const int nc = test::whole(rng, 3, 9);
            const BoxLcp p = test::random_friction(rng, {.bodies = bodies, .contacts = nc});
            const BoxResult r = solve(p);
            solved += r.status == SolveStatus::kSolved;
            if (r.status == SolveStatus::kSolved)
                EXPECT_LE(relative_residual(p, r.z, r.w), 1e-9) << "case " << k;
            else
                EXPECT_EQ(r.status, SolveStatus::kIterationLimit);
        }
        EXPECT_GE(solved, cases - 3) << bodies;
    }
}

TEST(BlockPivot, RedundantSupportsOfOneBodyShareItsWeight) {
    // Four equal rows: any split is a solution, the sum is not free.
    const BoxLcp p = test::as_box({MatX::Ones(4, 4), VecX::Constant(4, -2.0)});
    const BoxResult r = solve(p);
    EXPECT_EQ(r.status, SolveStatus::kSolved);
    EXPECT_NEAR(r.z.sum(), 2, 1e-12);
}

TEST(BlockPivot, ProblemWithoutSolutionIsToldFromTheLimit) {
    BoxLcp p = test::as_box({MatX(2, 2), VecX::Constant(2, -1.0)});
    p.A << 1, -1, -1, 1;
    const BoxResult r = solve(p);
    EXPECT_EQ(r.status, SolveStatus::kNoSolution);
    EXPECT_TRUE(r.z.allFinite());
    p.hi.setConstant(3.0);  // now (3, 3) it is
    const BoxResult bounded = solve(p);
    EXPECT_EQ(bounded.status, SolveStatus::kSolved);
    EXPECT_NEAR((bounded.z - Eigen::Vector2d(3, 3)).norm(), 0, 1e-12);
}

TEST(BlockPivot, RightGuessTakesOnePassAndNoPivot) {
    Rng rng(4);
    for (int k = 0; k < 300; ++k) {
        const BoxLcp p = test::random_box(rng, test::whole(rng, 1, 20));
        const BoxResult cold = solve(p);
        const BoxResult warm = solve(p, {}, cold.state);
        EXPECT_EQ(warm.iterations, 1);
        EXPECT_EQ(warm.pivots, 0);
        EXPECT_LT((warm.z - cold.z).cwiseAbs().maxCoeff(), 1e-11);
    }
    const BoxLcp p = test::random_box(rng, 6);
    EXPECT_EQ(solve(p, {}, States(3, BoundState::kUpper)).z, solve(p).z);
}

TEST(BlockPivot, SecondCallAllocatesNothing) {
    if (!kCountsAllocations) GTEST_SKIP() << "a sanitizer owns malloc";
    Rng rng(5);
    const BoxLcp first = test::random_box(rng, 20), second = test::random_box(rng, 20);
    BlockPivotWorkspace workspace;
    BoxResult r;
    solve_block_pivot(first, {}, {}, workspace, r);
    const long before = allocation_count();
    solve_block_pivot(second, {}, r.state, workspace, r);
    EXPECT_EQ(r.status, SolveStatus::kSolved);
    EXPECT_EQ(allocation_count(), before);
}

}  // namespace
}  // namespace stiction::block_pivot_test
