// pgs_sm_test.cpp - sweeps with subspace minimisation: friction boxes of a grasp, and safeguards.
#include "solve/lcp/pgs_sm.h"

#include <gtest/gtest.h>

#include <cmath>

#include "allocation_count.h"
#include "solve/lcp/pgs.h"
#include "solve/lcp/random_boxes.h"

namespace stiction::pgs_sm_test {
namespace {

using test::Rng;

BoxResult solve(const BoxLcp& p, const PgsSmSettings& settings = {}, const VecX& guess = {}) {
    PgsSmWorkspace workspace;
    BoxResult r;
    solve_pgs_sm(p, settings, guess, workspace, r);
    return r;
}

constexpr double kCfm = 1e-11;  // on the diagonal [1/kg]

// 4 to 12 contacts at 1e-8 with a CFM of 1e-11, the setting of [ALM09, table I].
TEST(PgsSm, FrictionBoxesTakeFewCyclesWhereSweepsAloneTakeMany) {
    PgsWorkspace workspace;
    BoxResult sweeps;
    for (const int bodies : {1, 2, 4}) {
        Rng rng(1);
        long cycles = 0, sweeps_alone = 0, most = 0;
        for (int k = 0; k < 300; ++k) {
            const int nc = test::whole(rng, 4, 12);
            BoxLcp p = test::random_friction(rng, {.bodies = bodies, .contacts = nc});
            p.A.diagonal().array() += kCfm;
            const BoxResult r = solve(p, {.stop = {.tolerance = 1e-8}});
            ASSERT_EQ(r.status, SolveStatus::kSolved) << bodies << " bodies, case " << k;
            VecX w;
            evaluate(p, r.z, w);
            EXPECT_LE(relative_residual(p, r.z, w), 1e-8);
            solve_pgs(p, {.tolerance = 1e-8, .max_iterations = 20000}, {}, workspace, sweeps);
            cycles += r.iterations;
            sweeps_alone += sweeps.iterations;
            most = std::max<long>(most, r.iterations);
        }
        EXPECT_LE(cycles, 3 * 300) << bodies << " bodies";
        EXPECT_GE(sweeps_alone, 30 * cycles) << bodies << " bodies";
        EXPECT_LE(most, 60) << bodies << " bodies";
    }
}

// Many more rows than motions: the objective is flat in most directions, along which sweeps crawl.
TEST(PgsSm, RedundantContactsReachTheTolerance) {
    for (const int bodies : {1, 2, 4}) {
        Rng rng(7);
        long cycles = 0;
        for (int k = 0; k < 200; ++k) {
            BoxLcp p = test::random_friction(rng, {.bodies = bodies, .contacts = 12 * bodies});
            p.A.diagonal().array() += kCfm;
            const BoxResult r = solve(p, {.stop = {.tolerance = 1e-8}});
            EXPECT_EQ(r.status, SolveStatus::kSolved) << bodies << " bodies, case " << k;
            cycles += r.iterations;
        }
        EXPECT_LE(cycles, 3 * 200) << bodies << " bodies";
    }
}

TEST(PgsSm, AllSettingsOfThePaperReachTheTolerance) {
    for (int k_pgs = 3; k_pgs <= 6; ++k_pgs)
        for (int k_sm = 1; k_sm <= 3; ++k_sm) {
            Rng rng(2);
            for (int k = 0; k < 60; ++k) {
                const BoxLcp p = test::random_friction(rng, {.bodies = 2, .contacts = 8});
                const BoxResult r =
                    solve(p, {.stop = {.tolerance = 1e-8}, .k_pgs = k_pgs, .k_sm = k_sm});
                EXPECT_EQ(r.status, SolveStatus::kSolved) << k_pgs << " " << k_sm << " " << k;
            }
        }
}

TEST(PgsSm, EveryKindOfBound) {
    Rng rng(3);
    for (int k = 0; k < 1000; ++k) {
        const BoxLcp p = test::random_box(rng, test::whole(rng, 1, 15));
        const BoxResult r = solve(p);
        ASSERT_EQ(r.status, SolveStatus::kSolved) << "case " << k;
        EXPECT_LE(relative_residual(p, r.z, r.w), 1e-10);
        EXPECT_TRUE((r.z.array() >= p.lo.array()).all() && (r.z.array() <= p.hi.array()).all());
    }
}

TEST(PgsSm, LinearEquationTakesOneCycle) {
    Rng rng(4);
    BoxLcp p = test::random_box(rng, 20);
    p.lo.setConstant(-test::kOpen);
    p.hi.setConstant(test::kOpen);
    const BoxResult r = solve(p);
    EXPECT_EQ(r.iterations, 1);
    EXPECT_LT((p.A * r.z + p.b).cwiseAbs().maxCoeff(), 1e-11);
}

TEST(PgsSm, NotSymmetricProblemsUseTheOtherFactor) {
    Rng rng(5);
    for (int k = 0; k < 300; ++k) {
        const int n = test::whole(rng, 2, 15);
        MatX A = test::random_matrix(rng, n, n);
        A.diagonal() = A.cwiseAbs().rowwise().sum();
        const BoxLcp p = test::as_box({A, test::random_vector(rng, n)});
        const BoxResult r = solve(p);
        ASSERT_EQ(r.status, SolveStatus::kSolved) << "case " << k;
        EXPECT_LE(relative_residual(p, r.z, r.w), 1e-10);
    }
}

TEST(PgsSm, ProblemWithoutSolutionStalls) {
    BoxLcp p = test::as_box({MatX(2, 2), VecX::Constant(2, -1.0)});
    p.A << 1, -1, -1, 1;
    const BoxResult r = solve(p);
    EXPECT_EQ(r.status, SolveStatus::kIterationLimit);
    EXPECT_TRUE(r.stalled);
    EXPECT_TRUE(r.z.allFinite());
}

TEST(PgsSm, AnswerAsGuessNeedsNoCycle) {
    Rng rng(6);
    const BoxLcp p = test::random_friction(rng, {.bodies = 2, .contacts = 5});
    const BoxResult cold = solve(p);
    ASSERT_EQ(cold.status, SolveStatus::kSolved);
    EXPECT_GE(cold.iterations, 1);
    EXPECT_EQ(solve(p, {}, cold.z).iterations, 0);
}

TEST(PgsSm, SecondCallAllocatesNothing) {
    if (!kCountsAllocations) GTEST_SKIP() << "a sanitizer owns malloc";
    Rng rng(7);
    const BoxLcp first = test::random_friction(rng, {}), second = test::random_friction(rng, {});
    PgsSmWorkspace workspace;
    BoxResult r;
    solve_pgs_sm(first, {}, {}, workspace, r);
    const long before = allocation_count();
    solve_pgs_sm(second, {}, r.z, workspace, r);
    EXPECT_EQ(allocation_count(), before);
}

}  // namespace
}  // namespace stiction::pgs_sm_test
