// box_lcp_test.cpp - residuals, validity and the reduction of box problems to LCPs.
#include "solve/lcp/box_lcp.h"

#include <gtest/gtest.h>

#include <cmath>

#include "solve/lcp/lemke.h"
#include "solve/lcp/random_boxes.h"

namespace stiction::box_lcp_test {
namespace {

using test::kOpen;
using test::Rng;

BoxLcp scalar(double a, double b, double lo, double hi) {
    return {MatX::Constant(1, 1, a), VecX::Constant(1, b), VecX::Constant(1, lo),
            VecX::Constant(1, hi)};
}

double residual_at(const BoxLcp& p, double z) { return residual(p, VecX::Constant(1, z)); }

TEST(BoxLcp, ResidualIsZeroAtTheSolutionsAlone) {
    // 2 z - 3 on [0, 1], [0, 4], [2, 4] and fixed at 5: solutions 1, 1.5, 2, 5.
    EXPECT_EQ(residual_at(scalar(2, -3, 0, 1), 1), 0);
    EXPECT_EQ(residual_at(scalar(2, -3, 0, 4), 1.5), 0);
    EXPECT_EQ(residual_at(scalar(2, -3, 2, 4), 2), 0);
    EXPECT_EQ(residual_at(scalar(2, -3, 5, 5), 5), 0);
    EXPECT_EQ(residual_at(scalar(2, -3, -kOpen, kOpen), 1.5), 0);
    // Elsewhere |z - clamp(z - w)|: z = 1, w = -1; outside the box the distance to it.
    EXPECT_EQ(residual_at(scalar(2, -3, 0, 4), 1), 1);
    EXPECT_EQ(residual_at(scalar(2, -3, 0, 1), 3), 3);
    EXPECT_TRUE(std::isnan(residual_at(scalar(2, -3, 0, 1), std::nan(""))));
}

TEST(BoxLcp, RelativeResidualDoesNotDependOnUnits) {
    // Masses times s: A / s, z * s, bounds * s; velocities times t: b * t, z * t, bounds * t.
    Rng rng(1);
    for (int k = 0; k < 200; ++k) {
        const BoxLcp p = test::random_friction(rng, {.contacts = 4});
        const VecX z = (VecX::Zero(12) + test::random_vector(rng, 12)).cwiseMin(p.hi);
        const VecX w = p.A * z + p.b;
        const double s = 0x1p30, t = 0x1p-20;
        const BoxLcp q{p.A / s, p.b * t, p.lo * (s * t), p.hi * (s * t)};
        EXPECT_DOUBLE_EQ(relative_residual(q, z * (s * t), w * t), relative_residual(p, z, w));
    }
}

TEST(BoxLcp, ScaleLooksAtBoundsThatExcludeZero) {
    EXPECT_EQ(scale(scalar(2, -3, 0, 1)), 3);
    EXPECT_EQ(scale(scalar(2, 0, 4, 5)), 8);
    EXPECT_EQ(relative_residual(scalar(2, 0, 0, 1), VecX::Zero(1), VecX::Zero(1)), 0);
}

TEST(BoxLcp, CheckNamesWhatIsWrong) {
    EXPECT_EQ(check(scalar(1, 1, -kOpen, kOpen)), SolveStatus::kSolved);
    EXPECT_EQ(check({}), SolveStatus::kSolved);
    EXPECT_EQ(check(scalar(1, 1, 2, 1)), SolveStatus::kNoSolution);
    EXPECT_EQ(check(scalar(1, 1, std::nan(""), 1)), SolveStatus::kNotFinite);
    EXPECT_EQ(check(scalar(1, 1, kOpen, kOpen)), SolveStatus::kNotFinite);
    EXPECT_EQ(check(scalar(1, kOpen, 0, 1)), SolveStatus::kNotFinite);
    EXPECT_EQ(check(scalar(std::nan(""), 0, 0, 1)), SolveStatus::kNotFinite);
}

TEST(BoxLcp, SolutionsOfTheLcpAreThoseOfTheBox) {
    Rng rng(2);
    for (int k = 0; k < 1000; ++k) {
        const int n = test::whole(rng, 1, 8);
        BoxLcp p = test::random_box(rng, n);
        for (int i = 0; i < n; ++i)
            if (p.lo[i] == -kOpen) p.lo[i] = p.hi[i] < kOpen ? p.hi[i] - 1 : -1;
        LemkeWorkspace workspace;
        LcpResult r;
        solve_lemke(to_lcp(p), {}, {}, workspace, r);
        ASSERT_EQ(r.status, SolveStatus::kSolved);
        EXPECT_LT(residual(p, from_lcp(p, r.z)), 1e-10) << "case " << k;
    }
}

TEST(BoxLcp, UnboundedDirectionIsRecognised) {
    // f = 1/2 (z1 - z2)^2 - z1 - z2 falls along (1, 1), unless something bounds it.
    BoxLcp p{MatX(2, 2), VecX::Constant(2, -1.0), VecX::Zero(2), VecX::Constant(2, kOpen)};
    p.A << 1, -1, -1, 1;
    EXPECT_TRUE(is_unbounded_along(p, Eigen::Vector2d(5, 5)));
    EXPECT_FALSE(is_unbounded_along(p, Eigen::Vector2d(5, 4)));
    EXPECT_FALSE(is_unbounded_along(p, Eigen::Vector2d(0, 0)));
    p.hi[0] = 1e3;
    EXPECT_FALSE(is_unbounded_along(p, Eigen::Vector2d(5, 5)));
    p.hi[0] = kOpen;
    p.b[1] = 1;
    EXPECT_FALSE(is_unbounded_along(p, Eigen::Vector2d(5, 5)));
}

TEST(BoxLcp, SymmetryIsJudgedRelativeToTheDiagonal) {
    Rng rng(3);
    MatX A = test::random_spd(rng, 6);
    A = (A + MatX(A.transpose())).eval() * 1e-9;
    EXPECT_TRUE(is_symmetric(A));
    A(3, 1) += 1e-15;
    EXPECT_FALSE(is_symmetric(A));
}

}  // namespace
}  // namespace stiction::box_lcp_test
