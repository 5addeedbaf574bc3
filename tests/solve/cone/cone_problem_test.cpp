// cone_problem_test.cpp - the Coulomb cone problem: residuals, validity, the condensed form.
#include "solve/cone/cone_problem.h"

#include <gtest/gtest.h>

#include <limits>

#include "solve/cone/implied_cone_problem.h"
#include "solve/cone/random_cones.h"

namespace stiction::cone_problem_test {
namespace {

ConeProblem one_contact(const Mat3& W, const Vec3& q, double mu) {
    ConeProblem problem;
    problem.W = make_block_matrix(1, {{0, 0, W}});
    problem.q = q;
    problem.mu = VecX::Constant(1, mu);
    return problem;
}

TEST(ConeProblem, ResidualIsZeroAtTheSolutionAlone) {
    // W = 2: r = (0.5, -0.25 * (3, 4) / 5): slides, u = 2 r + q.
    const ConeProblem problem = one_contact(2 * Mat3::Identity(), {-1, 3, 4}, 0.5);
    const Vec3 r(0.5, -0.15, -0.2);
    EXPECT_LT(residual(problem, r).worst(), 1e-15);
    EXPECT_GT(residual(problem, Vec3(0.5, -0.15, -0.2 + 1e-6)).worst(), 1e-8);
    EXPECT_GT(residual(problem, Vec3(0.5, 0.15, 0.2)).worst(), 0.01);
}

// By hand: r = 0, u = q = (-1, 0, 0), so P(0 - u) = (1, 0, 0); |q| = 1 and W = 4 does not enter.
TEST(ConeProblem, ResidualsByHand) {
    const ConeProblem at_rest = one_contact(4 * Mat3::Identity(), {-1, 0, 0}, 0.5);
    EXPECT_DOUBLE_EQ(residual(at_rest, Vec3::Zero()).natural, 1);
    EXPECT_DOUBLE_EQ(residual(at_rest, Vec3::Zero()).scaled, 1);
    // r = (0.5, 0, 0): u = (1, 0, 0). natural: P(r - u) = 0, 0.5 off. scaled: x = 2, P(1) = 1: 1.
    EXPECT_DOUBLE_EQ(residual(at_rest, Vec3(0.5, 0, 0)).natural, 0.5);
    EXPECT_DOUBLE_EQ(residual(at_rest, Vec3(0.5, 0, 0)).scaled, 1);
}

TEST(ConeProblem, ScaledResidualDoesNotSeeUnits) {
    test::Rng rng(5);
    for (int i = 0; i < 200; ++i) {
        ConeProblem problem = test::random_cone(rng, {});
        const VecX r = test::random_vector(rng, problem.q.size());
        const double before = residual(problem, r).scaled;
        const double mass = 1e3;
        for (Mat3& block : problem.W.block) block /= mass;
        EXPECT_NEAR(residual(problem, mass * r).scaled, before, 1e-12 * before);
    }
}

TEST(ConeProblem, NotANumberIsSeen) {
    const ConeProblem problem = one_contact(Mat3::Identity(), {-1, 0, 0}, 0.5);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(std::isnan(residual(problem, Vec3(0, nan, 0)).worst()));
    EXPECT_TRUE(is_valid(problem));
    EXPECT_FALSE(is_valid(one_contact(Mat3::Identity(), {-1, nan, 0}, 0.5)));
    EXPECT_FALSE(is_valid(one_contact(nan * Mat3::Identity(), {-1, 0, 0}, 0.5)));
    EXPECT_FALSE(is_valid(one_contact(Mat3::Identity(), {-1, 0, 0}, -0.1)));
    ConeProblem wrong_size = problem;
    wrong_size.q.conservativeResize(2);
    EXPECT_FALSE(is_valid(wrong_size));
}

// W = G M^-1 G' with dense products as the second route; M diagonal and M full.
TEST(ConeProblem, CondensedFormIsTheDenseOne) {
    test::Rng rng(6);
    for (const double unsymmetry : {0.0, 0.3}) {
        test::ConeKind kind;
        kind.unsymmetry = unsymmetry;
        kind.mass_ratio = 100;
        const ImpliedConeProblem implied = test::random_implied(rng, kind);
        ConeProblem problem;
        ASSERT_TRUE(condense(implied, problem));
        const MatX inverse = MatX(implied.M).inverse();
        const MatX G(implied.G);
        EXPECT_LT((to_dense(problem.W) - G * inverse * G.transpose()).norm(), 1e-11);
        EXPECT_LT((problem.q - (G * inverse * implied.f + implied.w)).norm(), 1e-12);
    }
}

TEST(ConeProblem, SingularMassIsRefused) {
    ImpliedConeProblem implied;
    implied.M.resize(3, 3);
    implied.M.insert(0, 0) = 1;
    implied.M.insert(1, 1) = 1;
    implied.G.resize(3, 3);
    implied.f = VecX::Zero(3);
    implied.w = VecX::Zero(3);
    implied.mu = VecX::Zero(1);
    ConeProblem problem;
    EXPECT_FALSE(condense(implied, problem));
}

}  // namespace
}  // namespace stiction::cone_problem_test
