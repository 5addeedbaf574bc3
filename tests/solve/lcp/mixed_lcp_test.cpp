// mixed_lcp_test.cpp - elimination of free unknowns against closed forms and the whole system.
#include "solve/lcp/mixed_lcp.h"

#include <gtest/gtest.h>

#include <cmath>

#include "allocation_count.h"
#include "solve/lcp/lemke.h"
#include "solve/lcp/random_problems.h"

namespace stiction {
namespace {

using test::random_matrix;
using test::random_vector;
using test::Rng;

// Motion of bodies, M v - J'c_j - N'c_n = M v0, J v = 0, as the free part; contact as the other.
MixedLcp random_motion(Rng& rng, int nv, int nj, int nc) {
    const MatX M = test::random_spd(rng, nv), J = random_matrix(rng, nj, nv),
               N = random_matrix(rng, nc, nv);
    MixedLcp p;
    p.A = MatX::Zero(nv + nj, nv + nj);
    p.A.topLeftCorner(nv, nv) = M;
    p.A.topRightCorner(nv, nj) = -J.transpose();
    p.A.bottomLeftCorner(nj, nv) = J;
    p.C = MatX::Zero(nv + nj, nc);
    p.C.topRows(nv) = -N.transpose();
    p.D = MatX::Zero(nc, nv + nj);
    p.D.leftCols(nv) = N;
    p.B = MatX::Zero(nc, nc);
    p.g = VecX::Zero(nv + nj);
    p.g.head(nv) = -M * random_vector(rng, nv);
    p.h = VecX::Zero(nc);
    return p;
}

TEST(MixedLcp, OneOfEach) {
    // 2 x + y - 4 = 0, 0 <= y | x + 3 y - 5 >= 0: x = 2 - y/2, 2.5 y - 3 >= 0, y = 1.2, x = 1.4.
    const auto m = [](double a) { return MatX::Constant(1, 1, a); };
    const auto v = [](double a) { return VecX::Constant(1, a); };
    const MixedLcp p{m(2), m(1), m(1), m(3), v(-4), v(-5)};
    MixedReduction r;
    ASSERT_EQ(reduce(p, r), MixedStatus::kReduced);
    EXPECT_DOUBLE_EQ(r.lcp.A(0, 0), 2.5);
    EXPECT_DOUBLE_EQ(r.lcp.b[0], -3);
    VecX x;
    recover(r, v(1.2), x);
    EXPECT_DOUBLE_EQ(x[0], 1.4);
    EXPECT_LT(residual(p, x, v(1.2)), 1e-15);
    EXPECT_GT(residual(p, x, v(1.3)), 0.05);
}

TEST(MixedLcp, SolutionsOfTheReductionSolveTheWhole) {
    Rng rng(1);
    LemkeWorkspace workspace;
    LcpResult lcp;
    MixedReduction r;
    VecX x;
    for (int k = 0; k < 500; ++k) {
        const int nv = test::whole(rng, 3, 12), nj = test::whole(rng, 0, nv / 2);
        const MixedLcp p = random_motion(rng, nv, nj, test::whole(rng, 1, 10));
        ASSERT_EQ(reduce(p, r), MixedStatus::kReduced) << "case " << k;
        solve_lemke(r.lcp, {}, {}, workspace, lcp);
        ASSERT_EQ(lcp.status, SolveStatus::kSolved) << "case " << k;
        recover(r, lcp.z, x);
        EXPECT_LT(residual(p, x, lcp.z), 1e-8 * (1 + lcp.z.maxCoeff())) << "case " << k;
        EXPECT_LT(p.A.bottomLeftCorner(nj, nv).operator*(x.head(nv)).norm(), 1e-8);
    }
}

TEST(MixedLcp, SingularMatrixIsToldWhateverItsScale) {
    Rng rng(2);
    for (const double s : {1e-12, 1.0, 1e12}) {
        MixedLcp p = random_motion(rng, 6, 2, 3);
        p.A *= s;
        p.A.row(7) = -p.A.row(6);  // the same joint twice
        p.A.col(7) = -p.A.col(6);
        MixedReduction r;
        EXPECT_EQ(reduce(p, r), MixedStatus::kSingular);
        EXPECT_EQ(r.lcp.b.size(), 0);
        p.A = random_matrix(rng, 8, 8) * s;
        EXPECT_EQ(reduce(p, r), MixedStatus::kReduced);
        p.A.row(3).setZero();
        EXPECT_EQ(reduce(p, r), MixedStatus::kSingular);
    }
}

TEST(MixedLcp, BadlyScaledRowsAreNotTakenForSingular) {
    // Bodies of 1e-6 kg and 1e6 kg side by side.
    MixedLcp p;
    p.A = Eigen::Vector2d(1e-6, 1e6).asDiagonal();
    p.C = MatX::Constant(2, 1, -1.0);
    p.D = MatX::Ones(1, 2);
    p.B = MatX::Zero(1, 1);
    p.g = Eigen::Vector2d(1e-6, 1e6);
    p.h = VecX::Zero(1);
    MixedReduction r;
    ASSERT_EQ(reduce(p, r), MixedStatus::kReduced);
    EXPECT_DOUBLE_EQ(r.lcp.A(0, 0), 1e6 + 1e-6);
    EXPECT_DOUBLE_EQ(r.lcp.b[0], -2);
}

TEST(MixedLcp, WithoutFreeUnknownsItIsTheLcp) {
    Rng rng(3);
    const MatX B = random_matrix(rng, 3, 3);
    const MixedLcp p{MatX(0, 0), MatX(0, 3), MatX(3, 0), B, VecX(0), random_vector(rng, 3)};
    MixedReduction r;
    ASSERT_EQ(reduce(p, r), MixedStatus::kReduced);
    EXPECT_EQ(r.lcp.A, B);
    EXPECT_EQ(r.lcp.b, p.h);
}

TEST(MixedLcp, NotFiniteInputIsRefused) {
    Rng rng(4);
    MixedReduction r;
    for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
        MixedLcp p = random_motion(rng, 6, 1, 2);
        p.g[2] = bad;
        EXPECT_EQ(reduce(p, r), MixedStatus::kNotFinite);
        p = random_motion(rng, 6, 1, 2);
        p.D(1, 1) = bad;
        EXPECT_EQ(reduce(p, r), MixedStatus::kNotFinite);
    }
}

TEST(MixedLcp, SecondCallAllocatesNothing) {
    if (!kCountsAllocations) GTEST_SKIP() << "a sanitizer owns malloc";
    Rng rng(5);
    const MixedLcp first = random_motion(rng, 12, 3, 8), second = random_motion(rng, 12, 3, 8);
    MixedReduction r;
    VecX x;
    const VecX y = VecX::Ones(8);
    ASSERT_EQ(reduce(first, r), MixedStatus::kReduced);
    recover(r, y, x);
    const long before = allocation_count();
    ASSERT_EQ(reduce(second, r), MixedStatus::kReduced);
    recover(r, y, x);
    EXPECT_EQ(allocation_count(), before);
}

}  // namespace
}  // namespace stiction
