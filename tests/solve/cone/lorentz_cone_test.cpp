// Points of the Lorentz cone: the identities that define product, scaling and steps.
#include "solve/cone/lorentz_cone.h"

#include <gtest/gtest.h>

#include <cmath>

#include "solve/lcp/random_problems.h"

namespace stiction::lorentz_cone_test {
namespace {

using test::random_vector;
using test::Rng;
using test::uniform;

LorentzPoint random_point(Rng& rng, double least_exponent) {
    LorentzPoint y;
    y.p = random_vector(rng, 3);
    y.gap = std::pow(10, uniform(rng, least_exponent, 0));
    y.p[0] = tangential_norm(y.p) + y.gap;
    return y;
}

TEST(LorentzCone, JordanDivisionUndoesTheProduct) {
    Rng rng(1);
    for (int i = 0; i < 1000; ++i) {
        const Vec3 lambda = random_point(rng, -2).p;
        const Vec3 x = random_vector(rng, 3);
        EXPECT_LT((jordan_divide(lambda, jordan_product(lambda, x)) - x).norm(), 1e-11) << i;
    }
}

// y o y^-1 is the unit element, (1, 0, 0).
TEST(LorentzCone, InverseGivesTheUnitElement) {
    Rng rng(2);
    for (int i = 0; i < 1000; ++i) {
        const LorentzPoint y = random_point(rng, -2);
        EXPECT_LT((jordan_product(y.p, inverse(y)) - Vec3::UnitX()).norm(), 1e-11) << i;
    }
}

TEST(LorentzCone, ScalingTurnsOnePointIntoTheOther) {
    Rng rng(3);
    for (int i = 0; i < 1000; ++i) {
        const LorentzPoint y = random_point(rng, -2), z = random_point(rng, -2);
        LorentzScaling k;
        ASSERT_TRUE(nesterov_todd(y, z, k));
        const double size = k.P.norm() * y.p.norm() + z.p.norm();
        EXPECT_LT((k.P * y.p - z.p).norm(), 1e-13 * size) << i;
        EXPECT_LT((k.S * k.S_inverse - Mat3::Identity()).norm(),
                  1e-13 * k.S.norm() * k.S_inverse.norm())
            << i;
        EXPECT_LT((k.S * z.p - k.lambda).norm(), 1e-12 * k.S.norm() * z.p.norm()) << i;
        EXPECT_LT((k.S_inverse * y.p - k.lambda).norm(), 1e-12 * k.S_inverse.norm() * y.p.norm())
            << i;
    }
    LorentzPoint outside;
    outside.gap = -1;
    LorentzScaling k;
    EXPECT_FALSE(nesterov_todd(outside, {}, k));
}

// y.z with tangents that are exactly opposite is y_gap |z_T| + z_gap |y_T| + y_gap z_gap, which the
// plain sum loses for gaps of 1e-20.
TEST(LorentzCone, ProductKeepsWhatCancellationWouldLose) {
    const LorentzPoint y{{3, 3, 0}, 1e-20}, z{{2, -2, 0}, 4e-20};
    EXPECT_NEAR(product(y, z), 1e-20 * 2 + 4e-20 * 3, 1e-34);
    Rng rng(4);
    for (int i = 0; i < 1000; ++i) {
        const LorentzPoint a = random_point(rng, -1), b = random_point(rng, -1);
        EXPECT_NEAR(product(a, b), a.p.dot(b.p), 1e-13 * a.p.norm() * b.p.norm()) << i;
    }
}

// The longest step ends on the boundary, half of it inside.
TEST(LorentzCone, LongestStepEndsOnTheBoundary) {
    Rng rng(5);
    int bounded = 0;
    for (int i = 0; i < 1000; ++i) {
        const LorentzPoint y = random_point(rng, -1);
        const Vec3 d = random_vector(rng, 3);
        const double step = longest_step(y, d);
        if (step == kFarStep) {
            EXPECT_GT(advanced(y, d, 100).gap, 0) << i;
            continue;
        }
        ++bounded;
        const double size = y.p.norm() + step * d.norm();
        EXPECT_NEAR(advanced(y, d, step).gap, 0, 1e-11 * size) << i;
        EXPECT_GT(advanced(y, d, 0.5 * step).gap, 0) << i;
    }
    EXPECT_GT(bounded, 500);
}

}  // namespace
}  // namespace stiction::lorentz_cone_test
