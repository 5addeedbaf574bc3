// The gyroscopic torque: zero where it must be, first-order law, and the mean spin it leads to.
#include "dynamics/free_body.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"
#include "dynamics/random_rotation.h"

namespace stiction {
namespace {

Body brick() {
    Body body;
    body.kind = BodyKind::kDynamic;
    body.mass = 2;
    body.inertia_B = Vec3(1, 2, 3).asDiagonal();
    body.inv_inertia_B = Vec3(1, 0.5, 1.0 / 3).asDiagonal();
    return body;
}

TEST(GyroscopicTorque, IsZeroForIsotropicAndForRestingBodies) {
    Body ball = brick();
    ball.isotropic = true;
    EXPECT_EQ(gyroscopic_torque(ball, Quat::Identity(), Vec3(1, 2, 3), 0.01), Vec3::Zero());
    EXPECT_EQ(gyroscopic_torque(brick(), Quat::Identity(), Vec3::Zero(), 0.01), Vec3::Zero());
}

TEST(GyroscopicTorque, TendsToMinusOmegaCrossLAtFirstOrder) {
    Random random(1);
    for (int i = 0; i < 20; ++i) {
        const Quat q = random_rotation(random);
        const Vec3 w(random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(-3, 3));
        const Mat3 I = q.toRotationMatrix() * brick().inertia_B * q.toRotationMatrix().transpose();
        // The mean over the step of a torque-free spin: half of the change of w over the step
        // counts.
        const Vec3 expected = -0.5 * w.cross(I * w);
        const double coarse = (gyroscopic_torque(brick(), q, w, 1e-3) - expected).norm();
        const double fine = (gyroscopic_torque(brick(), q, w, 5e-4) - expected).norm();
        EXPECT_LT(coarse, 0.1);
        EXPECT_NEAR(coarse / fine, 2.0, 0.05);
    }
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
