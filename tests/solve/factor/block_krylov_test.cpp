// block_krylov_test.cpp - the iteration against the block factorisation, and when it ends.
#include "solve/factor/block_krylov.h"

#include <gtest/gtest.h>

#include "solve/factor/block_lu.h"
#include "solve/lcp/random_problems.h"

namespace stiction::block_krylov_test {
namespace {

struct Pattern {
    std::vector<int> start = {0};
    std::vector<int> column;
};

// A ring of n nodes, each with its neighbours and the one across.
Pattern ring(int n) {
    Pattern pattern;
    for (int a = 0; a < n; ++a) {
        std::vector<int> all = {a, (a + 1) % n, (a + n - 1) % n, (a + n / 2) % n,
                                (a + n - n / 2) % n};
        std::sort(all.begin(), all.end());
        all.erase(std::unique(all.begin(), all.end()), all.end());
        pattern.column.insert(pattern.column.end(), all.begin(), all.end());
        pattern.start.push_back(static_cast<int>(pattern.column.size()));
    }
    return pattern;
}

// M + G'K G of random rows between neighbours: a stiff sum on a diagonal of masses. skewness adds an
// unsymmetric part to K.
template <typename Solver>
void fill(const Pattern& pattern, const VecX& mass, double stiffness, double skewness,
          unsigned seed, Solver& solver) {
    test::Rng rng(seed);
    solver.clear();
    const int n = static_cast<int>(pattern.start.size()) - 1;
    const auto entry = [&](int i, int j) -> Mat6& {
        int k = pattern.start[at(i)];
        while (pattern.column[at(k)] != j) ++k;
        return solver.entry(k);
    };
    for (int a = 0; a < n; ++a) entry(a, a) += Mat6(mass.segment<6>(6 * a).asDiagonal());
    for (int a = 0; a < n; ++a) {
        for (const int b : {(a + 1) % n, (a + n / 2) % n}) {
            if (b == a) continue;
            const Eigen::Matrix<double, 3, 6> A = test::random_matrix(rng, 3, 6);
            const Eigen::Matrix<double, 3, 6> B = test::random_matrix(rng, 3, 6);
            Mat3 K = stiffness * Mat3::Identity();
            K(0, 1) += skewness * stiffness;
            K(1, 0) -= skewness * stiffness;
            entry(a, a) += A.transpose() * K * A;
            entry(b, b) += B.transpose() * K * B;
            entry(a, b) += A.transpose() * K * B;
            entry(b, a) += B.transpose() * K * A;
        }
    }
}

TEST(BlockKrylov, SolvesLikeTheFactors) {
    test::Rng rng(5);
    for (const int n : {1, 2, 5, 40}) {
        for (const double skewness : {0.0, 0.3}) {
            const Pattern pattern = ring(n);
            const VecX mass = VecX::Ones(6 * n) + test::random_vector(rng, 6 * n).cwiseAbs();
            BlockKrylov<6> krylov;
            krylov.analyse(pattern.start, pattern.column);
            fill(pattern, mass, 100, skewness, 7, krylov);
            BlockLu<6> lu;
            lu.analyse(pattern.start, pattern.column);
            fill(pattern, mass, 100, skewness, 7, lu);
            ASSERT_TRUE(krylov.prepare(skewness == 0));
            ASSERT_TRUE(lu.factor());
            VecX x = test::random_vector(rng, 6 * n);
            VecX expected = x;
            krylov.solve(mass, 1e-10, x);
            lu.solve(expected);
            EXPECT_LT((x - expected).norm(), 1e-8 * expected.norm()) << n << ' ' << skewness;
        }
    }
}

// What is left of the right side, in M^-1, against the answer, in M: as promised, and no sooner than
// a coarser one.
TEST(BlockKrylov, EndsAtTheAccuracyAskedFor) {
    const int n = 60;
    test::Rng rng(6);
    const Pattern pattern = ring(n);
    const VecX mass = VecX::Constant(6 * n, 2.0);
    BlockKrylov<6> krylov;
    krylov.analyse(pattern.start, pattern.column);
    fill(pattern, mass, 1e3, 0, 8, krylov);
    MatX A = MatX::Zero(6 * n, 6 * n);
    for (int a = 0; a < n; ++a) {
        for (int k = pattern.start[at(a)]; k < pattern.start[at(a) + 1]; ++k)
            A.block<6, 6>(6 * a, 6 * pattern.column[at(k)]) = krylov.entry(k);
    }
    ASSERT_TRUE(krylov.prepare(true));
    const VecX b = test::random_vector(rng, 6 * n);
    int before = 0;
    for (const double accuracy : {0.3, 1e-3, 1e-6}) {
        VecX x = b;
        const int products = krylov.solve(mass, accuracy, x);
        EXPECT_LE((b - A * x).norm() / std::sqrt(2.0), 1.01 * accuracy * x.norm() * std::sqrt(2.0));
        EXPECT_GE(products, before);
        before = products;
    }
    EXPECT_GT(before, 8);
}

TEST(BlockKrylov, RefusesWhatIsNotPositive) {
    const Pattern pattern = ring(3);
    BlockKrylov<6> krylov;
    krylov.analyse(pattern.start, pattern.column);
    krylov.clear();
    EXPECT_FALSE(krylov.prepare(true));
    EXPECT_FALSE(krylov.prepare(false));
}

}  // namespace
}  // namespace stiction::block_krylov_test
