// split_test.cpp - normals by pivoting and friction by sweeps in turn: closed forms of one contact, the
// same answers as the proximal Newton method, and what is said where passes go in circles.
#include "solve/cone/split.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "solve/cone/prox_newton_matrix.h"
#include "solve/cone/random_cones.h"

namespace stiction::split_test {
namespace {

using namespace test;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

ConeResult solve(const ConeProblem& problem, const SolveSettings& settings = {}) {
    SplitWorkspace workspace;
    ConeResult result;
    solve_split(problem, settings, VecX(), workspace, result);
    return result;
}

ConeProblem one(const Mat3& W, const Vec3& q, double mu) {
    ConeProblem problem;
    problem.W = make_block_matrix(MatX(W));
    problem.q = q;
    problem.mu = VecX::Constant(1, mu);
    return problem;
}

// A unit mass on a plane, q = (-1, 2, 0): sticking needs friction 2, the law allows mu.
TEST(Split, OneContactByHand) {
    const Mat3 W = Mat3::Identity();
    EXPECT_EQ(solve(one(W, Vec3(1, 2, 0), 0.5)).r.norm(), 0);
    EXPECT_TRUE(solve(one(W, Vec3(-1, 2, 0), 0.5)).r.isApprox(Vec3(1, -0.5, 0), 1e-12));
    EXPECT_TRUE(solve(one(W, Vec3(-1, 2, 0), 3)).r.isApprox(Vec3(1, -2, 0), 1e-12));
    EXPECT_TRUE(solve(one(W, Vec3(-1, 2, 0), 0)).r.isApprox(Vec3(1, 0, 0), 1e-12));
}

// The velocity of a solved problem is unique for weak friction and regular W.
TEST(Split, AgreesWithProxNewton) {
    Rng rng(11);
    int solved = 0;
    constexpr int kCases = 100;
    for (int i = 0; i < kCases; ++i) {
        const int nc = whole(rng, 1, 10);
        ConeProblem problem = random_cone(
            rng, {.contacts = nc, .velocities = 3 * nc + 6, .mass_ratio = 10, .mu_max = 0.3});
        if (i % 2 == 0) {  // a block of a joint, a motor and a limit
            problem.bounded.assign(at(nc), 0);
            problem.lo.setZero(3 * nc);
            problem.hi.setZero(3 * nc);
            problem.bounded[0] = 1;
            problem.mu[0] = 0;
            problem.lo.head<3>() << -kInfinity, -0.05, 0;
            problem.hi.head<3>() << kInfinity, 0.05, kInfinity;
        }
        SolveSettings settings;
        settings.tolerance = 1e-10;
        const ConeResult result = solve(problem, settings);
        EXPECT_NEAR(result.coulomb.worst(), residual(problem, result.r).worst(), 1e-14);
        if (result.status != SolveStatus::kSolved) continue;
        ++solved;
        MatrixProxNewtonWorkspace workspace;
        ConeResult other;
        solve_prox_newton(problem, settings, VecX(), workspace, other);
        ASSERT_EQ(other.status, SolveStatus::kSolved);
        EXPECT_LT((result.u - other.u).cwiseAbs().maxCoeff(), 1e-7 * (1 + problem.q.norm()));
    }
    EXPECT_GE(solved, kCases * 9 / 10);
}

// Strong friction: not all passes end, and then it does not say so.
TEST(Split, SaysSolvedOnlyWhereItIs) {
    Rng rng(12);
    int unsolved = 0;
    for (int i = 0; i < 100; ++i) {
        const ConeProblem problem =
            random_cone(rng, {.contacts = 6, .velocities = 9, .mass_ratio = 1e3, .mu_max = 3});
        const ConeResult result = solve(problem);
        ASSERT_TRUE(result.r.allFinite());
        const double found = residual(problem, result.r).worst();
        EXPECT_EQ(result.status == SolveStatus::kSolved, found <= 1e-8) << found;
        unsolved += result.status == SolveStatus::kSolved ? 0 : 1;
    }
    EXPECT_GT(unsolved, 0);
}

TEST(Split, EndsAtItsLimit) {
    Rng rng(13);
    const ConeProblem problem = random_cone(rng, {.contacts = 8, .velocities = 12, .mu_max = 2});
    SolveSettings settings;
    settings.tolerance = 1e-300;
    settings.max_iterations = 3;
    const ConeResult result = solve(problem, settings);
    EXPECT_EQ(result.iterations, 3);
    EXPECT_EQ(result.status, SolveStatus::kIterationLimit);
}

}  // namespace
}  // namespace stiction::split_test
