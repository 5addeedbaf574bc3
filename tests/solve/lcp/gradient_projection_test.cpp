// gradient_projection_test.cpp - gradient projection: closed forms, masses, unbounded programs.
#include "solve/lcp/gradient_projection.h"

#include <gtest/gtest.h>

#include <cmath>

#include "allocation_count.h"
#include "solve/lcp/active_set.h"
#include "solve/lcp/random_boxes.h"

namespace stiction::gradient_projection_test {
namespace {

using test::kOpen;
using test::Rng;

BoxResult solve(const BoxLcp& p, const GradientProjectionSettings& settings = {},
                const VecX& guess = {}) {
    GradientProjectionWorkspace workspace;
    BoxResult r;
    solve_gradient_projection(p, settings, guess, workspace, r);
    return r;
}

TEST(GradientProjection, DiagonalProgramsTakeOneIteration) {
    // In the scaled unknowns all curvatures are 1: the Cauchy point is the answer.
    BoxLcp p{Eigen::Vector4d(1e-6, 1, 1e3, 1e6).asDiagonal(), VecX(4), VecX::Zero(4),
             VecX::Constant(4, kOpen)};
    p.b << -1e-6, -2, 5, -3e6;
    const BoxResult r = solve(p);
    EXPECT_EQ(r.status, SolveStatus::kSolved);
    EXPECT_EQ(r.iterations, 1);
    EXPECT_LT((r.z - Eigen::Vector4d(1, 2, 0, 3)).norm(), 1e-14);
}

TEST(GradientProjection, AgreesWithTheActiveSetMethod) {
    Rng rng(1);
    ActiveSetWorkspace workspace;
    BoxResult other;
    for (int k = 0; k < 1000; ++k) {
        const BoxLcp p = test::random_box(rng, test::whole(rng, 1, 25));
        const BoxResult r = solve(p);
        ASSERT_EQ(r.status, SolveStatus::kSolved) << "case " << k;
        solve_active_set_qp(p, {}, {}, workspace, other);
        EXPECT_LT((r.z - other.z).cwiseAbs().maxCoeff(), 1e-7) << "case " << k;
    }
}

TEST(GradientProjection, MassRatiosOf1e8CostNoAccuracy) {
    Rng rng(2);
    for (int k = 0; k < 300; ++k) {
        const BoxLcp p =
            test::random_friction(rng, {.bodies = 4, .contacts = 10, .mass_ratio = 1e8});
        const BoxResult r = solve(p);
        ASSERT_EQ(r.status, SolveStatus::kSolved) << "case " << k;
        EXPECT_LE(relative_residual(p, r.z, r.w), 1e-8);
    }
}

TEST(GradientProjection, JointFrictionStopsOrBrakesEachJoint) {
    // min 1/2 x'H^-1 x + x'q, |x| <= limit (QP 4 of [DS10]): a joint stops, or the bound is
    // reached.
    Rng rng(3);
    for (int k = 0; k < 200; ++k) {
        const int n = 6;
        BoxLcp p{test::random_spd(rng, n), test::random_vector(rng, n), VecX(n), VecX(n)};
        p.hi = 0.05 * (VecX::Ones(n) + test::random_vector(rng, n));
        p.lo = -p.hi;
        const BoxResult r = solve(p);
        ASSERT_EQ(r.status, SolveStatus::kSolved);
        for (int i = 0; i < n; ++i)
            EXPECT_TRUE(std::abs(r.w[i]) < 1e-9 || std::abs(r.z[i]) == p.hi[i]);
        EXPECT_LE(objective(p, r.z, r.w), 0);
    }
}

TEST(GradientProjection, ConjugateGradientsAloneConverge) {
    // Large enough that the face is not solved directly at once.
    Rng rng(4);
    BoxLcp p = test::random_box(rng, 120);
    p.lo.setZero();
    p.hi.setConstant(kOpen);
    const BoxResult r = solve(p, {.stop = {}, .cg_steps = 5});
    EXPECT_EQ(r.status, SolveStatus::kSolved);
    EXPECT_LE(relative_residual(p, r.z, r.w), 1e-10);
}

TEST(GradientProjection, UnboundedProgramsAreTold) {
    BoxLcp p = test::as_box({MatX(2, 2), VecX::Constant(2, -1.0)});
    p.A << 1, -1, -1, 1;
    EXPECT_EQ(solve(p).status, SolveStatus::kNoSolution);
    p.hi[1] = 3;  // z2 = 3, z1 = 4
    const BoxResult bounded = solve(p);
    EXPECT_EQ(bounded.status, SolveStatus::kSolved);
    EXPECT_NEAR(bounded.z[0], 4, 1e-9);
    BoxLcp linear{MatX::Zero(2, 2), Eigen::Vector2d(1, -1), VecX::Constant(2, -2.0),
                  VecX::Constant(2, 5.0)};
    EXPECT_EQ(solve(linear).z, Eigen::Vector2d(-2, 5));
    linear.hi[1] = kOpen;
    EXPECT_EQ(solve(linear).status, SolveStatus::kNoSolution);
}

TEST(GradientProjection, AnswerAsGuessNeedsNoIteration) {
    Rng rng(5);
    const BoxLcp p = test::random_friction(rng, {.bodies = 2, .contacts = 6});
    const BoxResult cold = solve(p);
    ASSERT_EQ(cold.status, SolveStatus::kSolved);
    EXPECT_GE(cold.iterations, 1);
    EXPECT_EQ(solve(p, {}, cold.z).iterations, 0);
}

TEST(GradientProjection, SecondCallAllocatesNothing) {
    if (!kCountsAllocations) GTEST_SKIP() << "a sanitizer owns malloc";
    Rng rng(6);
    const BoxLcp first = test::random_friction(rng, {}), second = test::random_friction(rng, {});
    GradientProjectionWorkspace workspace;
    BoxResult r;
    solve_gradient_projection(first, {}, {}, workspace, r);
    const long before = allocation_count();
    solve_gradient_projection(second, {}, r.z, workspace, r);
    EXPECT_EQ(allocation_count(), before);
}

}  // namespace
}  // namespace stiction::gradient_projection_test
