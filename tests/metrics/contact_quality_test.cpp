// contact_quality_test.cpp - every measure on contacts whose numbers can be worked out by hand.
#include "metrics/contact_quality.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "allocation_count.h"
#include "solve/cone/cone_problem.h"

namespace stiction {
namespace {

struct Arrays {
    VecX mu, r, u, q, weight, phi, bias;
    double h = 0;
};

ContactQuality measure(const Arrays& a, const QualityThresholds& thresholds = {}) {
    QualityInput in;
    in.mu = view(a.mu);
    in.r = view(a.r);
    in.u = view(a.u);
    in.q = view(a.q);
    in.weight = view(a.weight);
    in.phi = view(a.phi);
    in.bias = view(a.bias);
    in.h = a.h;
    ContactQuality quality;
    measure_quality(in, thresholds, quality);
    return quality;
}

// One contact after another.
Arrays contacts(std::initializer_list<double> mu, std::initializer_list<Vec3> r,
                std::initializer_list<Vec3> u) {
    Arrays a;
    const auto nc = static_cast<Eigen::Index>(mu.size());
    a.mu.resize(nc);
    a.r.resize(3 * nc);
    a.u.resize(3 * nc);
    std::copy(mu.begin(), mu.end(), a.mu.begin());
    for (Eigen::Index i = 0; i < nc; ++i) {
        a.r.segment<3>(3 * i) = *(r.begin() + i);
        a.u.segment<3>(3 * i) = *(u.begin() + i);
    }
    a.q = VecX::Zero(3 * nc);
    a.weight = VecX::Ones(nc);
    return a;
}

TEST(ContactQuality, NoContactsMeasureNothing) {
    const ContactQuality quality = measure(contacts({}, {}, {}));
    EXPECT_EQ(quality.contacts, 0);
    EXPECT_EQ(quality.resting, 0);
    EXPECT_EQ(quality.natural.norm, 0);
    EXPECT_EQ(quality.scaled.norm, 0);
    EXPECT_EQ(quality.cone.contact, kNone);
    EXPECT_EQ(quality.min_normal_velocity, 0);
}

// Sliding along +x with friction 0.5 * 2 against it, resting without motion, and open: Coulomb's
// law holds at all three.
TEST(ContactQuality, AnExactAnswerHasNoErrorAndIsCounted) {
    Arrays a = contacts({0.5, 0.5, 0.5}, {Vec3(2, -1, 0), Vec3(4, 1, 1), Vec3(0, 0, 0)},
                        {Vec3(0, 3, 0), Vec3(0, 0, 0), Vec3(1, 2, 0)});
    a.q.setConstant(1);
    const ContactQuality quality = measure(a);
    EXPECT_EQ(quality.contacts, 3);
    EXPECT_EQ(quality.resting, 2);
    EXPECT_EQ(quality.sliding, 1);
    EXPECT_EQ(quality.misaligned, 0);
    for (const ErrorNorm& e : {quality.alignment, quality.creep, quality.cone, quality.anomalous,
                               quality.natural, quality.scaled}) {
        EXPECT_NEAR(e.norm, 0, 1e-15);
    }
    EXPECT_EQ(quality.min_normal_velocity, 0);
    EXPECT_EQ(quality.relative_cone, 0);
    EXPECT_NEAR(quality.misalignment, 0, 1e-15);
    EXPECT_TRUE(quality.each[0].slides);
    EXPECT_FALSE(quality.each[1].slides);
    EXPECT_FALSE(quality.each[2].rests);
}

TEST(ContactQuality, FrictionThatPushesIsMisalignedAndAnomalous) {
    // With the motion; across it; half of what it should be.
    const ContactQuality quality =
        measure(contacts({0.5, 0.5, 0.5}, {Vec3(2, 1, 0), Vec3(2, 0, 1), Vec3(2, -0.5, 0)},
                         {Vec3(0, 3, 0), Vec3(0, 3, 0), Vec3(0, 3, 0)}));
    EXPECT_EQ(quality.sliding, 3);
    EXPECT_EQ(quality.misaligned, 1);
    EXPECT_NEAR(quality.each[0].alignment, 2, 1e-15);
    EXPECT_NEAR(quality.each[1].alignment, 1, 1e-15);
    EXPECT_NEAR(quality.each[2].alignment, 0, 1e-15);
    EXPECT_NEAR(quality.alignment.norm, std::sqrt(5.0), 1e-15);
    EXPECT_NEAR(quality.alignment.worst, 2, 1e-15);
    EXPECT_EQ(quality.alignment.contact, 0);
    EXPECT_NEAR(quality.anomalous.norm, 3, 1e-15);
    EXPECT_NEAR(quality.misalignment, 2, 1e-15);  // |1 + 1| / 1; the others: sqrt(2) and 1/2
}

// Friction mu r_N turned by an angle from where it brakes: alignment 1 - cos, power -mu r_N |u_T| cos.
// The whole contact turned about its normal, tangents included, changes nothing.
TEST(ContactQuality, FrictionTurnedByAnAngle) {
    constexpr double kMu = 0.4, kNormal = 2, kSpeed = 3;
    for (const double degrees : {0.0, 10.0, 90.0, 180.0}) {
        const double angle = degrees * std::numbers::pi / 180;
        for (const double turn : {0.0, 0.3, 2.0}) {
            const Eigen::Rotation2Dd rotation(turn);
            const Eigen::Vector2d slip = rotation * Eigen::Vector2d(kSpeed, 0);
            const Eigen::Vector2d friction =
                -kMu * kNormal * (rotation * Eigen::Vector2d(std::cos(angle), std::sin(angle)));
            const ContactQuality quality = measure(contacts(
                {kMu}, {Vec3(kNormal, friction[0], friction[1])}, {Vec3(0, slip[0], slip[1])}));
            const double power = -kMu * kNormal * kSpeed * std::cos(angle);
            EXPECT_NEAR(quality.alignment.norm, 1 - std::cos(angle), 1e-14) << degrees;
            EXPECT_NEAR(quality.anomalous.norm, std::max(0.0, power), 1e-14) << degrees;
            EXPECT_NEAR(quality.cone.norm, 0, 1e-15);
            EXPECT_EQ(quality.misaligned, degrees > 90.5 ? 1 : 0);
        }
    }
}

// A contact that rests and creeps below the threshold of sliding, beside one that does not rest.
TEST(ContactQuality, CreepOfAStickingContact) {
    const ContactQuality quality = measure(contacts({0.5, 0.5}, {Vec3(1, 0.1, 0), Vec3(0, 0, 0)},
                                                    {Vec3(0, 3e-7, 4e-7), Vec3(1, 5, 0)}));
    EXPECT_EQ(quality.resting, 1);
    EXPECT_EQ(quality.sliding, 0);
    EXPECT_NEAR(quality.creep.norm, 5e-7, 1e-20);
    EXPECT_EQ(quality.creep.contact, 0);
}

TEST(ContactQuality, ConeViolationPerContactAsNormAndRelativeToTheLargestImpulse) {
    // |r_T| - mu r_N: 3 - 1, 4 - 1, inside, and a normal impulse that pulls with 2.
    const ContactQuality quality = measure(
        contacts({1, 1, 1, 0}, {Vec3(1, 3, 0), Vec3(1, 0, 4), Vec3(10, 0, 0), Vec3(-2, 0, 0)},
                 {Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()}));
    EXPECT_NEAR(quality.cone.norm, std::sqrt(4.0 + 9.0), 1e-15);
    EXPECT_EQ(quality.cone.contact, 1);
    EXPECT_NEAR(quality.relative_cone, 0.3, 1e-15);
    // A pull alone counts in the relative measure.
    EXPECT_NEAR(measure(contacts({1}, {Vec3(-2, 0, 0)}, {Vec3::Zero()})).relative_cone, 1, 1e-15);
}

TEST(ContactQuality, GapAfterTheStepSeesThroughTheBias) {
    Arrays a = contacts({0, 0, 0}, {Vec3::Zero(), Vec3::Zero(), Vec3::Zero()},
                        {Vec3(1, 0, 0), Vec3(-3, 0, 0), Vec3(0, 0, 0)});
    EXPECT_FALSE(measure(a).knows_gaps);
    EXPECT_EQ(measure(a).penetration.norm, 0);
    a.h = 0.1;
    a.phi = Vec3(0.2, 0.1, 0.05);
    const ContactQuality quality = measure(a);
    EXPECT_TRUE(quality.knows_gaps);
    // 0.2 + 0.1, 0.1 - 0.3, 0.05
    EXPECT_NEAR(quality.penetration.norm, 0.2, 1e-15);
    EXPECT_EQ(quality.penetration.contact, 1);
    EXPECT_NEAR(quality.gap.norm, std::sqrt(0.09 + 0.04 + 0.0025), 1e-15);
    EXPECT_EQ(quality.min_normal_velocity, -3);
    // Closing exactly: u_N = N v + phi/h = 0, so that N v = -phi/h and the gap is closed.
    a.u.setZero();
    a.bias = a.phi / a.h;
    EXPECT_NEAR(measure(a).gap.norm, 0, 1e-15);
}

TEST(ContactQuality, ThresholdsDecideWhatRestsAndSlidesAndAreKept) {
    const Arrays a = contacts({1, 1, 1}, {Vec3(1, 0, 0), Vec3(1e-3, 0, 0), Vec3(1e-7, 0, 0)},
                              {Vec3(0, 3e-4, 4e-4), Vec3(0, 0, 2e-7), Vec3(0, 1, 0)});
    const ContactQuality fine = measure(a);
    EXPECT_EQ(fine.resting, 2);
    EXPECT_EQ(fine.sliding, 1);
    EXPECT_NEAR(fine.creep.norm, 2e-7, 1e-20);
    EXPECT_EQ(fine.creep.contact, 1);
    EXPECT_EQ(fine.each[0].alignment, 0);  // no friction, no direction
    const ContactQuality coarse = measure(a, {.rest = 0.01, .slide = 1e-3, .significant = 1e-6});
    EXPECT_EQ(coarse.resting, 1);
    EXPECT_EQ(coarse.sliding, 0);
    EXPECT_NEAR(coarse.creep.norm, 5e-4, 1e-18);
    EXPECT_EQ(coarse.thresholds.rest, 0.01);
    EXPECT_EQ(coarse.thresholds.slide, 1e-3);
}

TEST(ContactQuality, InsignificantMotionAndForceDoNotCountAsMisaligned) {
    Arrays a =
        contacts({1, 1}, {Vec3(1, 1, 0), Vec3(1e-7, 1e-7, 0)}, {Vec3(0, 1e-7, 0), Vec3(0, 1, 0)});
    EXPECT_EQ(measure(a).misalignment, 0);
    a.u[1] = 1e-5;
    EXPECT_NEAR(measure(a).misalignment, 2, 1e-12);
    a.q[0] = -100;  // velocities of this size make 1e-5 small
    EXPECT_EQ(measure(a).misalignment, 0);
}

// mu = 0: natural = |r - max(0, r - u)| = min(r, u), scaled the same with weight r.
TEST(ContactQuality, ResidualsOfAFrictionlessContact) {
    Arrays a = contacts({0, 0}, {Vec3(2, 0, 0), Vec3(1, 0, 0)}, {Vec3(3, 0, 0), Vec3(-1, 0, 0)});
    a.weight << 4, 1;
    const ContactQuality unit = measure(a);  // q = 0: not divided
    EXPECT_NEAR(unit.each[0].natural, 2, 1e-15);
    EXPECT_NEAR(unit.each[0].scaled, 3, 1e-15);
    EXPECT_NEAR(unit.each[1].natural, 1, 1e-15);
    EXPECT_NEAR(unit.natural.norm, std::sqrt(5.0), 1e-15);
    EXPECT_NEAR(unit.scaled.norm, std::sqrt(10.0), 1e-15);
    a.q[0] = 0.5;  // natural is divided by max(1, |q|), scaled by |q|
    EXPECT_NEAR(measure(a).natural.norm, std::sqrt(5.0), 1e-15);
    EXPECT_NEAR(measure(a).scaled.norm, 2 * std::sqrt(10.0), 1e-15);
    a.q[0] = 10;
    EXPECT_NEAR(measure(a).natural.norm, std::sqrt(5.0) / 10, 1e-15);
    EXPECT_NEAR(measure(a).natural.worst, 0.2, 1e-15);
    EXPECT_EQ(measure(a).natural.contact, 0);
    EXPECT_NEAR(measure(a).scaled.norm, std::sqrt(10.0) / 10, 1e-15);
}

TEST(ContactQuality, NotFiniteNumbersShow) {
    Arrays a = contacts({1, 1}, {Vec3(1, 0, 0), Vec3(1, 0, 0)}, {Vec3(0, 1, 0), Vec3(0, 1, 0)});
    a.r[4] = std::numeric_limits<double>::quiet_NaN();
    const ContactQuality quality = measure(a);
    EXPECT_TRUE(std::isnan(quality.natural.norm));
    EXPECT_TRUE(std::isnan(quality.scaled.norm));
    EXPECT_TRUE(std::isnan(quality.cone.norm));
    EXPECT_TRUE(std::isnan(quality.relative_cone));
    EXPECT_TRUE(std::isnan(quality.misalignment));
    EXPECT_EQ(quality.natural.contact, 1);
    a.r[4] = 0;
    a.u[3] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(std::isnan(measure(a).min_normal_velocity));
}

// Two routes to one number: the residuals of cone_problem.h. And no allocation when warm.
TEST(ContactQuality, AgreesWithTheResidualsOfTheConeProblem) {
    MatX W(6, 6);
    W << 2, 0, 0, 1, 0, 0, 0, 3, 0, 0, 1, 0, 0, 0, 3, 0, 0, 1,  //
        1, 0, 0, 4, 1, 0, 0, 1, 0, 1, 5, 0, 0, 0, 1, 0, 0, 5;
    ConeProblem problem;
    problem.W = make_block_matrix(W);
    problem.q = VecX::LinSpaced(6, -2, 1.5);
    problem.mu = Eigen::Vector2d(0.3, 0.8);
    ConeResult result;
    result.r = VecX::LinSpaced(6, 1, -0.4);
    multiply_add(problem.W, result.r, problem.q, result.u);
    const ConeResidual expected = residual(problem, result.r, result.u);
    ContactQuality quality;
    VecX weight;
    measure_quality(problem, result, {}, weight, quality);
    EXPECT_NEAR(quality.natural.norm, expected.natural, 1e-15);
    EXPECT_NEAR(quality.scaled.norm, expected.scaled, 1e-15);
    EXPECT_EQ(weight, VecX(Eigen::Vector2d(8.0 / 3, 14.0 / 3)));
    const long before = allocation_count();
    measure_quality(problem, result, {}, weight, quality);
    EXPECT_EQ(allocation_count(), before);
}

}  // namespace
}  // namespace stiction
