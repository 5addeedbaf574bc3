// principal_factor_test.cpp - factors of principal submatrices against dense algebra.
#include "solve/factor/principal_factor.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>

#include "solve/lcp/random_problems.h"

namespace stiction::principal_factor_test {
namespace {

using test::Rng;

// A random subset of 0 .. n - 1, in random order.
std::vector<int> random_members(Rng& rng, int n) {
    std::vector<int> members(static_cast<size_t>(n));
    for (int i = 0; i < n; ++i) members[static_cast<size_t>(i)] = i;
    std::shuffle(members.begin(), members.end(), rng);
    members.resize(static_cast<size_t>(test::whole(rng, 1, n)));
    return members;
}

TEST(PrincipalFactor, SolvesRegularSystemsOfBothKinds) {
    Rng rng(1);
    PrincipalFactor factor;
    for (int k = 0; k < 500; ++k) {
        const int n = test::whole(rng, 1, 20);
        const bool symmetric = k % 2 == 0;
        MatX A = symmetric ? test::random_spd(rng, n) : test::random_matrix(rng, n, n);
        const VecX s = (5 * test::random_vector(rng, n)).array().exp();
        A = s.asDiagonal() * A * s.asDiagonal();
        const std::vector<int> members = random_members(rng, n);
        const VecX expected = test::random_vector(rng, static_cast<int>(members.size()));
        VecX x = A(members, members) * expected;
        const double size = x.cwiseAbs().maxCoeff();
        ASSERT_TRUE(factor_principal(A, members, symmetric, 1e-12, factor)) << k;
        VecX solved = x;
        solve_principal(factor, {solved.data(), members.size()});
        const VecX left = A(members, members) * solved - x;
        EXPECT_LT(left.cwiseAbs().maxCoeff(), 1e-9 * (size + 1)) << k;
    }
}

TEST(PrincipalFactor, FindsRankAndFlatDirectionsWhateverTheUnits) {
    Rng rng(2);
    PrincipalFactor factor;
    for (int k = 0; k < 500; ++k) {
        const int n = test::whole(rng, 2, 15), rank = test::whole(rng, 1, n - 1);
        const MatX Y = (5 * test::random_vector(rng, n)).array().exp().matrix().asDiagonal() *
                       test::random_matrix(rng, n, rank);
        const MatX A = Y * Y.transpose();
        std::vector<int> members(static_cast<size_t>(n));
        for (int i = 0; i < n; ++i) members[static_cast<size_t>(i)] = i;
        ASSERT_FALSE(factor_principal(A, members, true, 1e-11, factor));
        EXPECT_EQ(factor.rank, rank) << k;
        const VecX root = A.diagonal().cwiseSqrt();
        VecX x(n);
        for (int d = rank; d < n; ++d) {
            flat_direction(A, members, factor, d, {x.data(), members.size()});
            const double size = x.cwiseProduct(root).norm();
            EXPECT_GT(size, 0);
            EXPECT_LT((A * x).cwiseQuotient(root).norm(), 1e-6 * size) << k;
        }
        // A consistent system is solved in spite of the dependent members.
        const VecX b = A * test::random_vector(rng, n);
        VecX z = b;
        solve_principal(factor, {z.data(), members.size()});
        EXPECT_LT((A * z - b).cwiseQuotient(root).norm(), 1e-6 * b.cwiseQuotient(root).norm());
    }
}

TEST(PrincipalFactor, SingularGeneralMatrixIsTold) {
    MatX A = MatX::Ones(3, 3);
    A(1, 0) = 2;
    PrincipalFactor factor;
    const auto factor_all = [&] {
        resize(factor, 3);
        std::copy(A.data(), A.data() + 9, factor.lu.begin());
        return factor_general(1e-12, factor);
    };
    EXPECT_FALSE(factor_all());
    A(2, 2) = 3;
    ASSERT_TRUE(factor_all());
    VecX x = A * Vec3(1, 2, 3);
    solve_principal(factor, {x.data(), 3});
    EXPECT_LT((x - Vec3(1, 2, 3)).norm(), 1e-14);
}

}  // namespace
}  // namespace stiction::principal_factor_test
