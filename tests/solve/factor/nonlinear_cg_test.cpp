// nonlinear_cg_test.cpp - conjugate sweeps: far ahead of plain ones on stiff linear iterations, no
// harm where the iteration changes its law; followers stay the affine image of x.
#include "solve/factor/nonlinear_cg.h"

#include <gtest/gtest.h>

#include <random>

namespace stiction::nonlinear_cg_test {
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

TEST(NonlinearCg, TakesTheWaySoFarAlong) {
    ConjugateHistory history;
    VecX x = VecX::Constant(1, 1.0), y = VecX::Constant(1, 10.0);
    accelerate(history, 1, VecX::Zero(1), VecX::Zero(1), x, y);
    EXPECT_EQ(x[0], 1);  // the first change is all there is
    x[0] = 1.5, y[0] = 15;
    accelerate(history, 0.5, VecX::Constant(1, 1.0), VecX::Constant(1, 10.0), x, y);
    EXPECT_EQ(x[0], 1.5 + 0.25 * 1);  // beta = 0.5^2
    EXPECT_EQ(y[0], 15 + 0.25 * 10);
    x[0] = 4, y[0] = 40;  // a change that grows: from here anew
    accelerate(history, 2.25, VecX::Constant(1, 1.75), VecX::Constant(1, 17.5), x, y);
    EXPECT_EQ(x[0], 4);
    EXPECT_EQ(y[0], 40);
}

TEST(NonlinearCg, NeedsAFractionOfThePlainIterations) {
    std::mt19937 random(2);
    const Linear linear = random_linear(60, 300, random);
    const auto iterations = [&](bool accelerated) {
        ConjugateHistory history;
        VecX x = VecX::Zero(60);
        VecX none;
        for (int k = 1; k < 100000; ++k) {
            const VecX before = x;
            x = linear.next(x);
            const double change = (x - before).norm();
            if (change < 1e-10 * linear.b.norm()) return k;
            if (accelerated) accelerate(history, change, before, none, x, none);
        }
        return 100000;
    };
    const int plain = iterations(false);
    const int conjugate = iterations(true);
    RecordProperty("plain", plain);
    RecordProperty("conjugate", conjugate);
    EXPECT_LT(3 * conjugate, plain);
}

TEST(NonlinearCg, FollowersStayTheImageOfX) {
    std::mt19937 random(3);
    const Linear linear = random_linear(20, 100, random);
    const MatX image = random_linear(20, 10, random).A;
    const VecX shift = VecX::LinSpaced(20, -1, 1);
    ConjugateHistory history;
    VecX x = VecX::Zero(20);
    for (int k = 0; k < 30; ++k) {
        const VecX before = x;
        const VecX y_before = image * before + shift;
        x = linear.next(x);
        VecX y = image * x + shift;
        accelerate(history, (x - before).norm(), before, y_before, x, y);
        EXPECT_LT((y - image * x - shift).norm(), 1e-12 * (1 + y.norm())) << k;
    }
}

// Projected iteration of a convex program between bounds: the set of active bounds changes.
TEST(NonlinearCg, FindsTheAnswerBetweenBounds) {
    std::mt19937 random(4);
    for (int trial = 0; trial < 20; ++trial) {
        const Linear linear = random_linear(40, 100, random);
        ConjugateHistory history;
        VecX x = VecX::Zero(40);
        VecX none;
        VecX change;
        for (int k = 0; k < 3000; ++k) {
            const VecX before = x;
            x = linear.next(x).cwiseMax(0);
            change = x - before;
            if (change.norm() < 1e-12) break;
            accelerate(history, change.norm(), before, none, x, none);
        }
        EXPECT_LT(change.norm(), 1e-12);
        x = linear.next(x).cwiseMax(0);
        const VecX w = linear.A * x - linear.b;
        EXPECT_GT(w.minCoeff(), -1e-10);
        EXPECT_LT(x.cwiseMin(w).cwiseAbs().maxCoeff(), 1e-10);
    }
}

}  // namespace
}  // namespace stiction::nonlinear_cg_test
