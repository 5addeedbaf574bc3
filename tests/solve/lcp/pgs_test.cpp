// pgs_test.cpp - projected Gauss-Seidel on problems with known answers, and how it ends on others.
#include "solve/lcp/pgs.h"

#include <gtest/gtest.h>

#include <cmath>

#include "allocation_count.h"
#include "solve/lcp/random_boxes.h"

namespace stiction::pgs_test {
namespace {

using test::kOpen;
using test::Rng;

BoxResult solve(const BoxLcp& p, const SolveSettings& settings = kLcpStop, const VecX& guess = {}) {
    PgsWorkspace workspace;
    BoxResult r;
    solve_pgs(p, settings, guess, workspace, r);
    return r;
}

BoxLcp diagonal_problem() {
    // w_i = z_i + b_i: z = clamp(-b, lo, hi).
    BoxLcp p{MatX::Identity(5, 5), VecX(5), VecX(5), VecX(5)};
    p.b << -3, 2, -0.5, 7, -7;
    p.lo << 0, 0, 0, -kOpen, 1;
    p.hi << 1, kOpen, 1, kOpen, 1;
    return p;
}

TEST(Pgs, OneSweepSolvesADiagonalProblem) {
    const BoxResult r = solve(diagonal_problem());
    VecX expected(5);
    expected << 1, 0, 0.5, -7, 1;
    EXPECT_EQ(r.z, expected);
    EXPECT_EQ(r.iterations, 1);
    EXPECT_EQ(r.status, SolveStatus::kSolved);
    const std::vector<BoundState> states{BoundState::kUpper, BoundState::kLower, BoundState::kFree,
                                         BoundState::kFree, BoundState::kLower};
    EXPECT_EQ(r.state, states);
}

TEST(Pgs, ReachesItsToleranceOnPositiveDefiniteProblems) {
    Rng rng(1);
    for (int k = 0; k < 500; ++k) {
        const BoxLcp p = test::random_box(rng, test::whole(rng, 1, 12));
        const BoxResult r = solve(p, {.tolerance = 1e-9, .max_iterations = 100000});
        ASSERT_EQ(r.status, SolveStatus::kSolved) << "case " << k;
        EXPECT_LE(relative_residual(p, r.z, r.w), 1e-9);
        EXPECT_EQ(r.residual, residual(p, r.z));
    }
}

TEST(Pgs, NotSymmetricDiagonallyDominantProblemsAreSolved) {
    Rng rng(2);
    for (int k = 0; k < 300; ++k) {
        const int n = test::whole(rng, 1, 15);
        MatX A = test::random_matrix(rng, n, n);
        A.diagonal() = A.cwiseAbs().rowwise().sum() + VecX::Ones(n);
        const BoxLcp p = test::as_box({A, test::random_vector(rng, n)});
        EXPECT_EQ(solve(p).status, SolveStatus::kSolved) << "case " << k;
    }
}

TEST(Pgs, RowsWithoutDiagonalGoToTheirBound) {
    BoxLcp p{MatX::Zero(3, 3), Eigen::Vector3d(-1, 2, -4), VecX::Zero(3),
             Eigen::Vector3d(5, kOpen, kOpen)};
    p.A(2, 2) = 2;
    const BoxResult r = solve(p);
    EXPECT_EQ(r.status, SolveStatus::kSolved);
    EXPECT_EQ(r.z, Eigen::Vector3d(5, 0, 2));
    p.hi[0] = kOpen;  // w_0 = -1 whatever z is
    const BoxResult none = solve(p);
    EXPECT_EQ(none.status, SolveStatus::kNoSolution);
    EXPECT_EQ(none.z[2], 2);
}

TEST(Pgs, DivergenceIsToldAndTheBestPointReturned) {
    // Not a P-matrix of the kind that Gauss-Seidel likes: grows by a factor of 9 per sweep.
    BoxLcp p{MatX(2, 2), VecX::Constant(2, -1.0), VecX::Constant(2, -kOpen),
             VecX::Constant(2, kOpen)};
    p.A << 1, 3, -3, 1;
    const BoxResult r = solve(p);
    EXPECT_EQ(r.status, SolveStatus::kIterationLimit);
    EXPECT_TRUE(r.diverged);
    EXPECT_LE(r.residual, 1.0);
    EXPECT_TRUE(r.z.allFinite());
}

TEST(Pgs, ProblemWithoutSolutionStalls) {
    // f = 1/2 (z1 - z2)^2 - z1 - z2 has no minimum; each sweep moves on by the same amount.
    BoxLcp p = test::as_box({MatX(2, 2), VecX::Constant(2, -1.0)});
    p.A << 1, -1, -1, 1;
    const BoxResult r = solve(p, {.max_iterations = 100000});
    EXPECT_EQ(r.status, SolveStatus::kIterationLimit);
    EXPECT_TRUE(r.stalled);
    EXPECT_LT(r.iterations, 1000);
}

TEST(Pgs, LimitIsHonouredAndTheResidualFallsWithIt) {
    Rng rng(3);
    const BoxLcp p = test::random_friction(rng, {.bodies = 4, .contacts = 12});
    double last = 1e300;
    for (const int limit : {1, 4, 16, 64}) {
        const BoxResult r = solve(p, {.tolerance = 1e-15, .max_iterations = limit});
        EXPECT_EQ(r.iterations, limit);
        EXPECT_EQ(r.status, SolveStatus::kIterationLimit);
        const double now = relative_residual(p, r.z, r.w);
        EXPECT_LE(now, last);
        last = now;
    }
}

TEST(Pgs, AnswerAsGuessNeedsNoSweep) {
    Rng rng(4);
    const BoxLcp p = test::random_friction(rng, {.bodies = 2, .contacts = 5});
    const BoxResult cold = solve(p, {.tolerance = 1e-9, .max_iterations = 20000});
    ASSERT_EQ(cold.status, SolveStatus::kSolved);
    EXPECT_GT(cold.iterations, 1);
    EXPECT_EQ(solve(p, {.tolerance = 1e-9}, cold.z).iterations, 0);
    // A guess of another size, or not finite, means none.
    EXPECT_EQ(solve(p, {.tolerance = 1e-9, .max_iterations = 20000}, VecX::Ones(3)).z, cold.z);
    const VecX bad = VecX::Constant(15, std::nan(""));
    EXPECT_EQ(solve(p, {.tolerance = 1e-9, .max_iterations = 20000}, bad).z, cold.z);
}

TEST(Pgs, SecondCallAllocatesNothing) {
    if (!kCountsAllocations) GTEST_SKIP() << "a sanitizer owns malloc";
    Rng rng(5);
    const BoxLcp first = test::random_friction(rng, {}), second = test::random_friction(rng, {});
    PgsWorkspace workspace;
    BoxResult r;
    solve_pgs(first, {}, {}, workspace, r);
    const long before = allocation_count();
    solve_pgs(second, {}, r.z, workspace, r);
    EXPECT_EQ(allocation_count(), before);
}

}  // namespace
}  // namespace stiction::pgs_test
