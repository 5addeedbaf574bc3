// active_set_qp_test.cpp - active-set method: closed forms, singular programs, unboundedness.
#include <gtest/gtest.h>

#include <cmath>

#include "allocation_count.h"
#include "solve/lcp/active_set.h"
#include "solve/lcp/block_pivot.h"
#include "solve/lcp/random_boxes.h"

namespace stiction::active_set_qp_test {
namespace {

using test::kOpen;
using test::Rng;
using States = std::vector<BoundState>;

BoxResult solve(const BoxLcp& p, const ActiveSetSettings& settings = {}, const States& guess = {}) {
    ActiveSetWorkspace workspace;
    BoxResult r;
    solve_active_set_qp(p, settings, guess, workspace, r);
    return r;
}

TEST(ActiveSetQp, ProjectionOnTheBoxIsExact) {
    BoxLcp p{2 * MatX::Identity(4, 4), VecX(4), VecX(4), VecX(4)};
    p.b << -6, 2, -1, 9;
    p.lo << 0, 0, 0, -kOpen;
    p.hi << 1, kOpen, 1, kOpen;
    const BoxResult r = solve(p);
    VecX expected(4);
    expected << 1, 0, 0.5, -4.5;
    EXPECT_EQ(r.status, SolveStatus::kSolved);
    EXPECT_LT((r.z - expected).norm(), 1e-15);
}

TEST(ActiveSetQp, AgreesWithBlockPivotingOnPositiveDefinitePrograms) {
    Rng rng(1);
    BlockPivotWorkspace workspace;
    BoxResult other;
    for (int k = 0; k < 1000; ++k) {
        const BoxLcp p = test::random_box(rng, test::whole(rng, 1, 25));
        const BoxResult r = solve(p);
        ASSERT_EQ(r.status, SolveStatus::kSolved) << "case " << k;
        solve_block_pivot(p, {}, {}, workspace, other);
        EXPECT_LT((r.z - other.z).cwiseAbs().maxCoeff(), 1e-9) << "case " << k;
    }
}

TEST(ActiveSetQp, SolvesEverySingularFrictionProblem) {
    Rng rng(2);
    for (int k = 0; k < 1500; ++k) {
        const BoxLcp p = test::random_friction(rng, {.bodies = test::whole(rng, 1, 3),
                                                     .contacts = test::whole(rng, 1, 10),
                                                     .copies = k % 3,
                                                     .mass_ratio = k % 2 ? 1.0 : 1e8,
                                                     .gaps = k % 5 == 0});
        const BoxResult r = solve(p);
        ASSERT_EQ(r.status, SolveStatus::kSolved) << "case " << k << ", residual " << r.residual;
        EXPECT_LE(relative_residual(p, r.z, r.w), 1e-8) << "case " << k;
    }
}

TEST(ActiveSetQp, FreeSetIsNeverLargerThanTheRank) {
    Rng rng(3);
    for (int k = 0; k < 300; ++k) {
        const int rank = test::whole(rng, 1, 5);
        const BoxLcp p = test::as_box(test::random_semidefinite(rng, 15, rank, k % 2 == 0));
        const BoxResult r = solve(p);
        ASSERT_EQ(r.status, SolveStatus::kSolved) << "case " << k;
        EXPECT_LE((r.z.array() > 0).count(), rank);
    }
}

TEST(ActiveSetQp, UnboundedProgramsAreTold) {
    BoxLcp p = test::as_box({MatX(2, 2), VecX::Constant(2, -1.0)});
    p.A << 1, -1, -1, 1;
    EXPECT_EQ(solve(p).status, SolveStatus::kNoSolution);
    p.hi[1] = 3;  // z2 = 3, z1 = 4
    const BoxResult bounded = solve(p);
    EXPECT_EQ(bounded.status, SolveStatus::kSolved);
    EXPECT_NEAR(bounded.z[0], 4, 1e-12);
    EXPECT_EQ(bounded.z[1], 3);
    // No curvature at all: a linear program on the box.
    BoxLcp linear{MatX::Zero(3, 3), Eigen::Vector3d(1, -1, 0), VecX::Constant(3, -2.0),
                  VecX::Constant(3, 5.0)};
    const BoxResult corner = solve(linear);
    EXPECT_EQ(corner.status, SolveStatus::kSolved);
    EXPECT_EQ(corner.z[0], -2);
    EXPECT_EQ(corner.z[1], 5);
    linear.hi[1] = kOpen;
    EXPECT_EQ(solve(linear).status, SolveStatus::kNoSolution);
}

TEST(ActiveSetQp, RandomUnboundedProgramsAreTold) {
    // b'u < 0 for a null vector u > 0 of A.
    Rng rng(4);
    for (int k = 0; k < 500; ++k) {
        const int n = test::whole(rng, 2, 10);
        const VecX u = VecX::Constant(n, 1.5) + test::random_vector(rng, n);
        MatX Y = test::random_matrix(rng, n, test::whole(rng, 1, n - 1));
        Y -= u * (u.transpose() * Y) / u.squaredNorm();
        BoxLcp p = test::as_box({Y * Y.transpose(), test::random_vector(rng, n)});
        p.b -= u * ((u.dot(p.b) + 1) / u.squaredNorm());
        const BoxResult r = solve(p);
        EXPECT_EQ(r.status, SolveStatus::kNoSolution) << "case " << k;
        EXPECT_TRUE(r.z.allFinite());
    }
}

TEST(ActiveSetQp, InfeasibleBoundsAreTold) {
    BoxLcp p = test::as_box({MatX::Identity(2, 2), VecX::Ones(2)});
    p.hi[1] = -1;
    EXPECT_EQ(solve(p).status, SolveStatus::kNoSolution);
}

TEST(ActiveSetQp, RightGuessNeedsNoPivot) {
    Rng rng(5);
    for (int k = 0; k < 300; ++k) {
        const BoxLcp p = test::random_box(rng, test::whole(rng, 1, 20));
        const BoxResult cold = solve(p);
        const BoxResult warm = solve(p, {}, cold.state);
        EXPECT_EQ(warm.pivots, 0);
        EXPECT_LT((warm.z - cold.z).cwiseAbs().maxCoeff(), 1e-11);
        States wrong(cold.state.size());
        for (BoundState& s : wrong) s = static_cast<BoundState>(test::whole(rng, 0, 2));
        const BoxResult other = solve(p, {}, wrong);
        EXPECT_EQ(other.status, SolveStatus::kSolved);
        EXPECT_LT((other.z - cold.z).cwiseAbs().maxCoeff(), 1e-9);
    }
}

TEST(ActiveSetQp, PivotLimitIsHonoured) {
    Rng rng(6);
    BoxLcp p = test::random_box(rng, 40);
    p.lo.setZero();
    p.hi.setConstant(kOpen);
    ASSERT_GT(solve(p).pivots, 5);
    const BoxResult r = solve(p, {.stop = {.max_iterations = 5}});
    EXPECT_EQ(r.status, SolveStatus::kIterationLimit);
    EXPECT_LE(r.iterations, 5);
}

TEST(ActiveSetQp, SecondCallAllocatesNothing) {
    if (!kCountsAllocations) GTEST_SKIP() << "a sanitizer owns malloc";
    Rng rng(7);
    const BoxLcp first = test::random_friction(rng, {}), second = test::random_friction(rng, {});
    ActiveSetWorkspace workspace;
    BoxResult r;
    solve_active_set_qp(first, {}, {}, workspace, r);
    const long before = allocation_count();
    solve_active_set_qp(second, {}, r.state, workspace, r);
    EXPECT_EQ(allocation_count(), before);
}

}  // namespace
}  // namespace stiction::active_set_qp_test
