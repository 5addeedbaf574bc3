// Rotation without torque: the gyroscopic torque of a step, and what has to stay as it is.
#include "dynamics/free_body.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"
#include "dynamics/random_rotation.h"

namespace stiction {
namespace {

Body body_of(const Mat3& inertia) {
    Body body;
    body.kind = BodyKind::kDynamic;
    body.mass = 2;
    body.inertia_B = inertia;
    set_principal_axes(body);
    return body;
}

Body brick() { return body_of(Vec3(1, 2, 3).asDiagonal()); }

TEST(PrincipalAxes, GiveTheInertiaBack) {
    Random random(3);
    for (int i = 0; i < 20; ++i) {
        const Mat3 R = random_rotation(random).toRotationMatrix();
        const Mat3 I = R * Mat3(Vec3(1, 2, 2.5).asDiagonal()) * R.transpose();
        const Body body = body_of(I);
        const Mat3 R_BP = body.q_BP.toRotationMatrix();
        EXPECT_LT((R_BP * body.moments.asDiagonal() * R_BP.transpose() - I).norm(), 1e-14);
        EXPECT_LE(body.coupling.cwiseAbs().maxCoeff(), 1);
    }
    EXPECT_EQ(brick().q_BP.coeffs(), Quat::Identity().coeffs());
    EXPECT_EQ(brick().moments, Vec3(1, 2, 3));
}

TEST(GyroscopicTorque, IsZeroForASteadySpin) {
    const Vec3 w(0, 3, 0);
    const FreeTurn turn = free_turn(brick(), w, 0.01);
    EXPECT_EQ(gyroscopic_torque(brick(), Quat::Identity(), turn, 0.01), Vec3::Zero());
    EXPECT_EQ(turn.end, w);
    EXPECT_LT(turn.turn.angularDistance(Quat(Eigen::AngleAxisd(0.03, Vec3::UnitY()))), 1e-15);
}

TEST(GyroscopicTorque, TendsToHalfOfMinusOmegaCrossLAtFirstOrder) {
    Random random(1);
    for (int i = 0; i < 20; ++i) {
        const Quat q = random_rotation(random);
        const Vec3 w(random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(-3, 3));
        const Mat3 I = q.toRotationMatrix() * brick().inertia_B * q.toRotationMatrix().transpose();
        // The mean over the step of a torque-free spin: half of the change of w over the step
        // counts.
        const Vec3 expected = -0.5 * w.cross(I * w);
        const auto error = [&](double h) {
            const FreeTurn turn = free_turn(brick(), q.conjugate() * w, h);
            return (gyroscopic_torque(brick(), q, turn, h) - expected).norm();
        };
        EXPECT_LT(error(1e-3), 0.1);
        EXPECT_NEAR(error(1e-3) / error(5e-4), 2.0, 0.05);
    }
}

struct Drift {
    double energy = 0;    // largest relative change
    double momentum = 0;  // the same in world axes
    bool resolved = true;
};

// n steps of length h from w in principal axes.
Drift turn_freely(const Body& body, const Vec3& w, double h, int n) {
    const Vec3 L0 = body.moments.cwiseProduct(w);
    const double T0 = w.dot(L0);
    Quat q = Quat::Identity();
    Vec3 spin = w;
    Drift drift;
    for (int i = 0; i < n; ++i) {
        const FreeTurn turn = free_turn(body, spin, h);
        spin = turn.end;
        q = (q * turn.turn).normalized();
        const Vec3 L = body.moments.cwiseProduct(spin);
        drift.energy = std::max(drift.energy, std::abs(spin.dot(L) / T0 - 1));
        drift.momentum = std::max(drift.momentum, (q * L - L0).norm() / L0.norm());
        drift.resolved = drift.resolved && turn.resolved;
    }
    return drift;
}

// Slender, flat and general bodies with moments up to 1e8 apart, about all axes, with turns up to
// 1 rad a step and beyond. Rounding alone is left: 1e-16 a step, and less than the square root of
// the number of steps times that where it does not all go one way.
TEST(FreeTurn, KeepsEnergyAndAngularMomentum) {
    for (const Vec3& moments : {Vec3(1e-8, 1, 1), Vec3(1, 1e-8, 1 - 0.9e-8), Vec3(1, 1, 2),
                                Vec3(1, 2, 3), Vec3(1, 1e8, 1e8 + 0.5), Vec3(1e-4, 1, 1.00005)}) {
        const Body body = body_of(moments.asDiagonal());
        for (const Vec3& axis : {Vec3(1, 0, 0), Vec3(0.6, 0.8, 0), Vec3(1, 1e-3, 0), Vec3(1, 2, 3),
                                 Vec3(1e-3, 1e-3, 1), Vec3(1e-6, 1, 1e-6)}) {
            for (const double turn : {1e-2, 0.3, 1.0, 7.0}) {
                const Drift drift = turn_freely(body, turn * axis.normalized(), 1, 10000);
                EXPECT_LT(drift.energy, 1e-11)
                    << moments.transpose() << ", " << axis.transpose() << ", " << turn;
                EXPECT_LT(drift.momentum, 1e-11)
                    << moments.transpose() << ", " << axis.transpose() << ", " << turn;
                EXPECT_TRUE(drift.resolved);
            }
        }
    }
}

TEST(FreeTurn, KeepsThemToo_WhereItCannotFollow) {
    const Drift drift = turn_freely(brick(), 1e5 * Vec3(1, 2, 3), 1, 100);
    EXPECT_FALSE(drift.resolved);
    EXPECT_LT(drift.energy, 1e-14);
    EXPECT_LT(drift.momentum, 1e-13);
}

// A symmetric body precesses: in its own axes the spin turns about the symmetry axis at rate
// (I_3 - I_1)/I_1 w_3. Second order.
TEST(FreeTurn, SymmetricBodyPrecessesAtTheKnownRate) {
    const Body body = body_of(Vec3(1, 1, 1.7).asDiagonal());
    const Vec3 w(0.5, 0, 2);
    const auto error = [&](int n) {
        Vec3 spin = w;
        for (int i = 0; i < n; ++i) spin = free_turn(body, spin, 1.0 / n).end;
        const double angle = 0.7 * w[2];
        return (spin - Vec3(0.5 * std::cos(angle), 0.5 * std::sin(angle), 2)).norm();
    };
    EXPECT_LT(error(100), 1e-4);
    EXPECT_NEAR(error(100) / error(200), 4.0, 0.05);
}

TEST(Rotated, TurnsByTheRotationVector) {
    const Quat q = rotated(Quat::Identity(), Vec3(0, 0, M_PI / 2));
    EXPECT_LT((q * Vec3::UnitX() - Vec3::UnitY()).norm(), 1e-15);
    for (const double angle :
         {1e-12, 1e-5, 1e-4, 0.9e-4, 1.1e-4, 1.0}) {  // both branches of the series
        const Quat turned = rotated(Quat::Identity(), Vec3(angle, 0, 0));
        EXPECT_NEAR(turned.x(), std::sin(angle / 2), 1e-16 + 1e-15 * angle);
    }
}

}  // namespace
}  // namespace stiction
