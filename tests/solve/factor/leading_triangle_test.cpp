// leading_triangle_test.cpp - solves with a triangle, and columns taken out of Q R.
#include "solve/factor/leading_triangle.h"

#include <gtest/gtest.h>

#include <Eigen/QR>

#include "solve/lcp/random_problems.h"

namespace stiction::leading_triangle_test {
namespace {

using test::Rng;

TEST(LeadingTriangle, SolvesWithTheLeadingRowsAlone) {
    Rng rng(1);
    MatX R = test::random_matrix(rng, 6, 6);
    R.diagonal().array() += 3;
    const MatX lead = R.topLeftCorner(4, 4).triangularView<Eigen::Upper>();
    const VecX b = test::random_vector(rng, 6);
    VecX x = b;
    solve_upper(R, 4, x);
    EXPECT_LT((lead * x.head(4) - b.head(4)).norm(), 1e-13);
    EXPECT_EQ(x.tail(2), b.tail(2));
    x = b;
    solve_transposed(R, 4, x);
    EXPECT_LT((lead.transpose() * x.head(4) - b.head(4)).norm(), 1e-13);
    EXPECT_EQ(x.tail(2), b.tail(2));
}

TEST(LeadingTriangle, RemovingAColumnLeavesTheOthers) {
    Rng rng(2);
    const MatX Y = test::random_matrix(rng, 7, 5);
    const Eigen::HouseholderQR<MatX> qr(Y);
    for (int p = 0; p < 5; ++p) {
        MatX Q = qr.householderQ() * MatX::Identity(7, 5);
        MatX R = MatX::Zero(5, 5);
        R.triangularView<Eigen::Upper>() = qr.matrixQR().topRows(5);
        MatX alone = R, none(0, 5);
        MatX rest(7, 4);
        rest << Y.leftCols(p), Y.rightCols(4 - p);
        remove_column(Q, R, 5, p);
        const MatX R4 = R.topLeftCorner(4, 4).triangularView<Eigen::Upper>();
        EXPECT_LT((Q.leftCols(4) * R4 - rest).norm(), 1e-13) << "column " << p;
        EXPECT_LT((Q.transpose() * Q - MatX::Identity(5, 5)).norm(), 1e-13) << "column " << p;
        remove_column(none, alone, 5, p);  // R'R without Q
        EXPECT_EQ(MatX(alone.topLeftCorner(4, 4)), MatX(R.topLeftCorner(4, 4))) << "column " << p;
    }
}

}  // namespace
}  // namespace stiction::leading_triangle_test
