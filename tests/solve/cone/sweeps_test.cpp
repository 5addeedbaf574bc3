// sweeps_test.cpp - Gauss-Seidel over 3x3 blocks: closed forms of one contact, blocks of bounded
// rows, and what is promised about starts, stops and memory.
#include "solve/cone/sweeps.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "allocation_count.h"
#include "solve/cone/random_cones.h"

namespace stiction::sweeps_test {
namespace {

using namespace test;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

ConeProblem one(const Mat3& W, const Vec3& q, double mu) {
    ConeProblem problem;
    problem.W = make_block_matrix(MatX(W));
    problem.q = q;
    problem.mu = VecX::Constant(1, mu);
    return problem;
}

ConeResult solve(const ConeProblem& problem, const VecX& guess = {},
                 const SolveSettings& settings = {}) {
    ConeSweepsWorkspace workspace;
    ConeResult result;
    solve_cone_sweeps(problem, {settings}, guess, workspace, result);
    return result;
}

// A unit mass on a plane, q = (-1, 2, 0): sticking needs friction 2, the law allows mu.
TEST(ConeSweeps, OneContactByHand) {
    const Mat3 W = Mat3::Identity();
    EXPECT_EQ(solve(one(W, Vec3(1, 2, 0), 0.5)).r.norm(), 0);
    EXPECT_TRUE(solve(one(W, Vec3(-1, 2, 0), 0.5)).r.isApprox(Vec3(1, -0.5, 0), 1e-13));
    EXPECT_TRUE(solve(one(W, Vec3(-1, 2, 0), 3)).r.isApprox(Vec3(1, -2, 0), 1e-13));
    EXPECT_TRUE(solve(one(W, Vec3(-1, 2, 0), 0)).r.isApprox(Vec3(1, 0, 0), 1e-13));
}

TEST(ConeSweeps, ResidualIsThatOfTheConeProblem) {
    Rng rng(6);
    for (int i = 0; i < 100; ++i) {
        const ConeProblem problem =
            random_cone(rng, {.contacts = 6, .velocities = 20, .mu_max = 0.5});
        const ConeResult result = solve(problem);
        ASSERT_EQ(result.status, SolveStatus::kSolved);
        const ConeResidual expected = residual(problem, result.r);
        EXPECT_NEAR(result.coulomb.natural, expected.natural, 1e-14);
        EXPECT_NEAR(result.coulomb.scaled, expected.scaled, 1e-14);
    }
}

// Every second block holds equations, a motor with a bounded impulse and a limit.
TEST(ConeSweeps, TakesBlocksOfBoundedRowsBesideContacts) {
    Rng rng(7);
    int solved = 0, at_bounds = 0;
    constexpr int kCases = 200;
    for (int i = 0; i < kCases; ++i) {
        const int nc = whole(rng, 1, 8);
        ConeProblem problem = random_cone(
            rng, {.contacts = nc, .velocities = 3 * nc + 6, .mass_ratio = 10, .mu_max = 0.5});
        problem.bounded.assign(at(nc), 0);
        problem.lo.setZero(3 * nc);
        problem.hi.setZero(3 * nc);
        for (int a = 0; a < nc; a += 2) {
            problem.bounded[at(a)] = 1;
            problem.mu[a] = 0;
            problem.lo.segment<3>(3 * a) << -kInfinity, -0.05, 0;
            problem.hi.segment<3>(3 * a) << kInfinity, 0.05, kInfinity;
        }
        const ConeResult result = solve(problem);
        ASSERT_TRUE(result.r.allFinite());
        solved += result.status == SolveStatus::kSolved ? 1 : 0;
        if (result.status != SolveStatus::kSolved) continue;
        for (int a = 0; a < nc; a += 2) {
            const Vec3 r = result.r.segment<3>(3 * a), u = result.u.segment<3>(3 * a);
            const double slack = 1e-7 * (1 + problem.q.norm());
            EXPECT_NEAR(u[0], 0, slack);
            EXPECT_NEAR(r[1], std::clamp(r[1] - u[1], -0.05, 0.05), slack);
            EXPECT_NEAR(std::min(r[2], u[2]), 0, slack);
            at_bounds += std::abs(r[1]) == 0.05 ? 1 : 0;
        }
    }
    EXPECT_GE(solved, 0.95 * kCases);
    EXPECT_GT(at_bounds, kCases / 2);
}

TEST(ConeSweeps, FewSweepsAreNeverWorseThanTheStart) {
    Rng rng(7);
    for (int i = 0; i < 300; ++i) {
        const ConeProblem problem = random_cone(rng, cone_kind(rng, i));
        SolveSettings settings;
        settings.max_iterations = whole(rng, 1, 3);
        const VecX guess = 10 * random_vector(rng, problem.q.size());
        const ConeResult result = solve(problem, guess, settings);
        EXPECT_LE(result.residual, residual(problem, guess).worst());
        EXPECT_LE(result.iterations, settings.max_iterations);
        EXPECT_EQ(result.status, result.residual <= settings.tolerance
                                     ? SolveStatus::kSolved
                                     : SolveStatus::kIterationLimit);
    }
}

TEST(ConeSweeps, TheAnswerAsGuessNeedsNoSweepAndABadGuessCountsAsNone) {
    Rng rng(8);
    const ConeProblem problem = random_cone(rng, {.contacts = 5, .velocities = 18, .mu_max = 0.5});
    const ConeResult first = solve(problem);
    const ConeResult again = solve(problem, first.r);
    EXPECT_EQ(again.iterations, 0);
    EXPECT_EQ(again.r, first.r);
    VecX bad = first.r;
    bad[2] = kNan;
    EXPECT_EQ(solve(problem, bad).r, first.r);
    EXPECT_EQ(solve(problem, VecX::Ones(2)).r, first.r);
}

TEST(ConeSweeps, RefusesWhatIsNotFiniteOrNotValid) {
    const Mat3 W = Mat3::Identity();
    for (const ConeProblem& problem :
         {one(W, Vec3(kNan, 0, 0), 0.5), one(kNan * W, Vec3(-1, 0, 0), 0.5),
          one(W, Vec3(-1, 0, 0), -0.5), one(W, Vec3(-kInfinity, 0, 0), 0.5)}) {
        const ConeResult result = solve(problem);
        EXPECT_EQ(result.status, SolveStatus::kNotFinite);
        EXPECT_EQ(result.r, VecX::Zero(3));
    }
}

// Nothing can push: the contact stays violated, and the sweeps end at once because they change
// nothing.
TEST(ConeSweeps, AContactWithoutMotionEndsAtOnceAndSaysSo) {
    const ConeResult result = solve(one(Mat3::Zero(), Vec3(-1, 0, 0), 0.5));
    EXPECT_EQ(result.status, SolveStatus::kIterationLimit);
    EXPECT_EQ(result.iterations, 1);
    EXPECT_EQ(result.r.norm(), 0);
}

TEST(ConeSweeps, NoContactsAreSolved) {
    ConeProblem problem;
    problem.W = make_block_matrix(0, {});
    const ConeResult result = solve(problem);
    EXPECT_EQ(result.status, SolveStatus::kSolved);
    EXPECT_EQ(result.iterations, 0);
}

TEST(ConeSweeps, SecondCallGivesTheSameBitsWithoutAllocating) {
    Rng rng(10);
    const ConeProblem problem = random_cone(rng, {.contacts = 8, .velocities = 30, .mu_max = 0.5});
    const VecX none;
    ConeSweepsWorkspace workspace;
    ConeResult result;
    solve_cone_sweeps(problem, {}, none, workspace, result);
    const VecX r = result.r;
    const long before = allocation_count();
    solve_cone_sweeps(problem, {}, none, workspace, result);
    EXPECT_EQ(allocation_count(), before);
    EXPECT_EQ(result.r, r);
}

}  // namespace
}  // namespace stiction::sweeps_test
