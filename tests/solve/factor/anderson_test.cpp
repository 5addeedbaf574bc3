// Anderson acceleration: exact on small linear iterations, far ahead of plain ones on stiff ones,
// no harm where the iteration changes its law; followers stay the affine image of x.
#include "solve/factor/anderson.h"

#include <gtest/gtest.h>

#include <random>

namespace stiction::anderson_test {
namespace {

struct Linear {  // x <- x - step (A x - b)
    MatX A;
    VecX b;
    double step = 0;
    [[nodiscard]] VecX next(const VecX& x) const { return x - step * (A * x - b); }
};

// Eigenvalues spread evenly in the logarithm from 1 to 1/condition.
Linear random_linear(int n, double condition, std::mt19937& random) {
    std::normal_distribution<double> normal;
    MatX Q(n, n);
    for (double& x : Q.reshaped()) x = normal(random);
    Q = MatX(Q.householderQr().householderQ());
    VecX d(n);
    for (int i = 0; i < n; ++i) d[i] = std::pow(condition, -double(i) / (n - 1));
    Linear result{Q * d.asDiagonal() * Q.transpose(), VecX(n), 1};
    for (double& x : result.b) x = normal(random);
    return result;
}

TEST(Anderson, EndsALinearIterationWithinItsWindow) {
    std::mt19937 random(1);
    const Linear linear = random_linear(kAndersonWindow, 30, random);
    const VecX exact = linear.A.ldlt().solve(linear.b);
    AndersonHistory history;
    start(history, kAndersonWindow, 0);
    VecX x = VecX::Zero(kAndersonWindow);
    VecX none;
    for (int k = 0; k < 3 * kAndersonWindow; ++k) {
        const VecX before = x;
        x = linear.next(x);
        accelerate(history, before, x, none);
    }
    EXPECT_LT((x - exact).norm(), 1e-6 * exact.norm());
}

TEST(Anderson, NeedsAFractionOfThePlainIterations) {
    std::mt19937 random(2);
    const Linear linear = random_linear(60, 300, random);
    const auto iterations = [&](bool accelerated) {
        AndersonHistory history;
        start(history, 60, 0);
        VecX x = VecX::Zero(60);
        VecX none;
        for (int k = 1; k < 100000; ++k) {
            const VecX before = x;
            x = linear.next(x);
            if ((x - before).norm() < 1e-10 * linear.b.norm()) return k;
            if (accelerated) accelerate(history, before, x, none);
        }
        return 100000;
    };
    const int plain = iterations(false);
    const int combined = iterations(true);
    RecordProperty("plain", plain);
    RecordProperty("combined", combined);
    EXPECT_LT(5 * combined, plain);
}

TEST(Anderson, FollowersStayTheImageOfX) {
    std::mt19937 random(3);
    const Linear linear = random_linear(20, 100, random);
    const MatX image = random_linear(20, 10, random).A;
    const VecX shift = VecX::LinSpaced(20, -1, 1);
    AndersonHistory history;
    start(history, 20, 20);
    VecX x = VecX::Zero(20);
    for (int k = 0; k < 30; ++k) {
        const VecX before = x;
        x = linear.next(x);
        VecX y = image * x + shift;
        accelerate(history, before, x, y);
        EXPECT_LT((y - image * x - shift).norm(), 1e-12 * (1 + y.norm())) << k;
    }
}

// Projected iteration of a convex program between bounds: the set of active bounds changes.
TEST(Anderson, FindsTheAnswerBetweenBounds) {
    std::mt19937 random(4);
    for (int trial = 0; trial < 20; ++trial) {
        const Linear linear = random_linear(40, 100, random);
        AndersonHistory history;
        start(history, 40, 0);
        VecX x = VecX::Zero(40);
        VecX none;
        VecX change;
        for (int k = 0; k < 3000; ++k) {
            const VecX before = x;
            x = linear.next(x).cwiseMax(0);
            change = x - before;
            if (change.norm() < 1e-12) break;
            accelerate(history, before, x, none);
        }
        EXPECT_LT(change.norm(), 1e-12);
        x = linear.next(x).cwiseMax(0);
        const VecX w = linear.A * x - linear.b;
        EXPECT_GT(w.minCoeff(), -1e-10);
        EXPECT_LT(x.cwiseMin(w).cwiseAbs().maxCoeff(), 1e-10);
    }
}

}  // namespace
}  // namespace stiction::anderson_test
