// independent_rows_test.cpp - FIND-INDICES against the singular values, and its invariances.
#include "solve/factor/independent_rows.h"

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <cmath>
#include <limits>

#include "allocation_count.h"
#include "solve/lcp/random_problems.h"

namespace stiction::independent_rows_test {
namespace {

using test::Rng;

IndependentRows find(const MatX& Y) {
    IndependentRowsWorkspace workspace;
    IndependentRows result;
    find_independent_rows(Y, kRowTolerance, workspace, result);
    return result;
}

Eigen::Index rank_by_svd(const MatX& Y) {
    if (Y.rows() == 0) return 0;
    Eigen::JacobiSVD<MatX> svd(Y);
    svd.setThreshold(1e-9);
    return svd.rank();
}

// k rows of which some are combinations of earlier ones, copies or zero.
MatX planted(Rng& rng, Eigen::Index k, Eigen::Index m) {
    MatX Y = test::random_matrix(rng, k, m);
    for (Eigen::Index i = 0; i < k; ++i) {
        const int kind = test::whole(rng, 0, 5);
        if (kind == 0)
            Y.row(i).setZero();
        else if (kind == 1 && i > 0)
            Y.row(i) = -Y.row(test::whole(rng, 0, static_cast<int>(i) - 1));
        else if (kind == 2 && i > 1)
            Y.row(i) = test::random_vector(rng, i).transpose() * Y.topRows(i);
    }
    return Y;
}

TEST(IndependentRows, RankAgreesWithSingularValues) {
    Rng rng(1);
    for (int k = 0; k < 3000; ++k) {
        const MatX Y = planted(rng, test::whole(rng, 1, 16), test::whole(rng, 1, 12));
        const IndependentRows found = find(Y);
        const auto r = static_cast<Eigen::Index>(found.rows.size());
        ASSERT_EQ(r, rank_by_svd(Y)) << "case " << k;
        ASSERT_EQ(rank_by_svd(Y(found.rows, Eigen::all)), r) << "case " << k;
        // Q is orthonormal and spans every row, the rejected ones too.
        const MatX Q = found.basis();
        EXPECT_LT((Q.transpose() * Q - MatX::Identity(r, r)).norm(), 1e-13);
        EXPECT_LT((Y - Y * Q * Q.transpose()).norm(), 1e-8 * (1 + Y.norm()));
    }
}

TEST(IndependentRows, RowScaleDoesNotMatter) {
    Rng rng(2);
    for (int k = 0; k < 1000; ++k) {
        const MatX Y = planted(rng, 14, 9);
        MatX scaled = Y;
        for (Eigen::Index i = 0; i < Y.rows(); ++i)
            scaled.row(i) *= std::pow(10.0, test::uniform(rng, -8, 8));
        EXPECT_EQ(find(scaled).rows, find(Y).rows);
        EXPECT_EQ(find(1e-200 * Y).rows, find(Y).rows);  // squares would underflow
    }
}

TEST(IndependentRows, FirstRowsWin) {
    MatX Y(6, 3);
    Y << 1, 1, 0,  //
        2, 2, 0,   // twice the first
        0, 1, 0,   //
        3, -5, 0,  // of the first and third
        0, 0, 7,   //
        1, 2, 3;   // the space is full
    EXPECT_EQ(find(Y).rows, (std::vector<int>{0, 2, 4}));
    const MatX backwards = Y.colwise().reverse();
    EXPECT_EQ(find(backwards).rows, (std::vector<int>{0, 1, 2}));
}

TEST(IndependentRows, ToleranceIsOnTheSquareOfTheAngle) {
    MatX Y(2, 2);
    Y << 1, 0, 1, 2e-5;
    EXPECT_EQ(find(Y).rows.size(), 2u);
    Y(1, 1) = 0.5e-5;
    EXPECT_EQ(find(Y).rows.size(), 1u);
}

TEST(IndependentRows, ZeroAndNotFiniteRowsAreRejected) {
    MatX Y = MatX::Identity(4, 4);
    Y.row(0).setZero();
    Y(2, 1) = std::nan("");
    Y(3, 3) = std::numeric_limits<double>::infinity();
    EXPECT_EQ(find(Y).rows, (std::vector<int>{1}));
    EXPECT_TRUE(find(MatX::Zero(3, 5)).rows.empty());
    EXPECT_TRUE(find(MatX(0, 5)).rows.empty());
}

TEST(IndependentRows, SecondCallAllocatesNothing) {
    if (!kCountsAllocations) GTEST_SKIP() << "a sanitizer owns malloc";
    Rng rng(3);
    const MatX first = planted(rng, 40, 24), second = planted(rng, 40, 24);
    IndependentRowsWorkspace workspace;
    IndependentRows result;
    find_independent_rows(first, kRowTolerance, workspace, result);
    const long before = allocation_count();
    find_independent_rows(second, kRowTolerance, workspace, result);
    EXPECT_EQ(allocation_count(), before);
}

}  // namespace
}  // namespace stiction::independent_rows_test
