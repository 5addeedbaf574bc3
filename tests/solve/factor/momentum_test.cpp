// momentum_test.cpp - momentum: far ahead of plain iterations on stiff linear problems, no
// harm where the iteration changes its law; followers stay the affine image of x.
#include "solve/factor/momentum.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

namespace stiction::momentum_test {
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

constexpr std::array kLaws = {MomentumLaw::kConvex, MomentumLaw::kCoulomb};

VecX one(double x) { return VecX::Constant(1, x); }

// t = 1, 1.618, 2.194: beta = 0, 0.618 / 2.194.
TEST(Momentum, TakesTheWaySoFarAlong) {
    const double t_2 = 0.5 * (1 + std::sqrt(5.0));
    const double t_3 = 0.5 * (1 + std::sqrt(1 + 4 * t_2 * t_2));
    for (const MomentumLaw law : kLaws) {
        MomentumHistory momentum;
        VecX x = one(1), z = one(10);
        accelerate(momentum, law, 1, one(1), one(0), x, z);
        EXPECT_EQ(x[0], 1);  // the first change is all there is
        x[0] = 1.5, z[0] = 15;
        accelerate(momentum, law, 0.5, one(1), one(1), x, z);
        EXPECT_DOUBLE_EQ(x[0], 1.5 + (t_2 - 1) / t_3 * 0.5);
        EXPECT_DOUBLE_EQ(z[0], 15 + (t_2 - 1) / t_3 * 5);
        const double from = x[0];
        x[0] = 1.55, z[0] = 15.5;  // against the way: from here anew
        accelerate(momentum, MomentumLaw::kConvex, 0.3, one(1), one(from), x, z);
        EXPECT_EQ(x[0], 1.55);
        EXPECT_EQ(z[0], 15.5);
    }
}

// A change that grows in the direction of the way misleads under Coulomb's law alone.
TEST(Momentum, ChangesThatGrowCountUnderCoulombsLaw) {
    const auto next = [](MomentumLaw law) {
        MomentumHistory momentum;
        VecX x = one(1), z;
        accelerate(momentum, law, 1, one(1), one(0), x, z);
        x[0] = 4;
        accelerate(momentum, law, 3, one(1), one(1), x, z);
        return x[0];
    };
    EXPECT_EQ(next(MomentumLaw::kCoulomb), 4);
    EXPECT_GT(next(MomentumLaw::kConvex), 4);
}

TEST(Momentum, NeedsAFractionOfThePlainIterations) {
    std::mt19937 random(2);
    const Linear linear = random_linear(60, 300, random);
    const VecX weight = VecX::Ones(60);
    const auto iterations = [&](bool accelerated) {
        MomentumHistory momentum;
        VecX x = VecX::Zero(60);
        VecX none;
        for (int k = 1; k < 100000; ++k) {
            const VecX before = x;
            x = linear.next(x);
            const double change = (x - before).norm();
            if (change < 1e-10 * linear.b.norm()) return k;
            if (accelerated)
                accelerate(momentum, MomentumLaw::kConvex, change, weight, before, x, none);
        }
        return 100000;
    };
    const int plain = iterations(false);
    const int quicker = iterations(true);
    RecordProperty("plain", plain);
    RecordProperty("quicker", quicker);
    EXPECT_LT(3 * quicker, plain);
}

TEST(Momentum, FollowersStayTheImageOfX) {
    std::mt19937 random(3);
    const Linear linear = random_linear(20, 100, random);
    const MatX image = random_linear(20, 10, random).A;
    const VecX shift = VecX::LinSpaced(20, -1, 1);
    MomentumHistory momentum;
    VecX x = VecX::Zero(20);
    for (int k = 0; k < 30; ++k) {
        const VecX before = x;
        x = linear.next(x);
        VecX y = image * x + shift;
        accelerate(momentum, MomentumLaw::kConvex, (x - before).norm(), VecX::Ones(20), before, x,
                   y);
        EXPECT_LT((y - image * x - shift).norm(), 1e-12 * (1 + y.norm())) << k;
    }
}

// Projected iteration of a convex program between bounds: the set of active bounds changes.
TEST(Momentum, FindsTheAnswerBetweenBounds) {
    std::mt19937 random(4);
    const VecX weight = VecX::Ones(40);
    for (int trial = 0; trial < 20; ++trial) {
        const MomentumLaw law = kLaws[trial % 2];
        const Linear linear = random_linear(40, 100, random);
        MomentumHistory momentum;
        VecX x = VecX::Zero(40);
        VecX none;
        VecX change;
        for (int k = 0; k < 3000; ++k) {
            const VecX before = x;
            x = linear.next(x).cwiseMax(0);
            change = x - before;
            if (change.norm() < 1e-12) break;
            accelerate(momentum, law, change.norm(), weight, before, x, none);
        }
        EXPECT_LT(change.norm(), 1e-12);
        x = linear.next(x).cwiseMax(0);
        const VecX w = linear.A * x - linear.b;
        EXPECT_GT(w.minCoeff(), -1e-10);
        EXPECT_LT(x.cwiseMin(w).cwiseAbs().maxCoeff(), 1e-10);
    }
}

}  // namespace
}  // namespace stiction::momentum_test
