// Inverse kinematics of a leg against its forward kinematics, and the paths of the feet.
#include "control/gait.h"

#include <gtest/gtest.h>

#include "core/random.h"

namespace stiction {
namespace {

Leg some_leg(bool left, bool forward) {
    Leg leg;
    leg.joint = {0, 1, 2};
    leg.hip = Vec3(0.1, left ? 0.06 : -0.06, 0);
    leg.to_pitch = Vec3(0.01, left ? 0.05 : -0.05, -0.005);
    leg.thigh = 0.11;
    leg.shank = 0.1;
    leg.knee_forward = forward;
    return leg;
}

TEST(Leg, AnglesPutTheFootWhereItIsWanted) {
    Random random(7);
    for (int i = 0; i < 1000; ++i) {
        const Leg leg = some_leg(i % 2 == 0, i % 3 == 0);
        const double knee = random.uniform(0.2, 1.6) * (leg.knee_forward ? 1 : -1);
        const Vec3 angles(random.uniform(-0.6, 0.6), random.uniform(-0.8, 0.8), knee);
        const Vec3 p = foot_position(leg, angles);
        const Vec3 found = leg_angles(leg, p);
        EXPECT_LT((foot_position(leg, found) - p).norm(), 1e-12);
        EXPECT_LT((found - angles).norm(), 1e-9) << angles.transpose();
    }
}

TEST(Leg, StretchesTowardsWhatIsOutOfReach) {
    const Leg leg = some_leg(true, false);
    const Vec3 far = leg.hip + leg.to_pitch + Vec3(0.1, 0, -1);
    const Vec3 foot = foot_position(leg, leg_angles(leg, far));
    EXPECT_TRUE(foot.allFinite());
    EXPECT_NEAR((foot - leg.hip - leg.to_pitch).norm(), leg.thigh + leg.shank, 1e-3);
}

Gait some_gait(double walk) {
    Gait gait;
    for (const bool left : {true, false, true, false}) gait.legs.push_back(some_leg(left, false));
    gait.walk = walk;
    gait.velocity = {0.2, 0.05};
    gait.turn = 0.3;
    return gait;
}

// On the ground a foot goes back as fast as the body goes on, at constant height; paths have no
// jumps.
TEST(Gait, FeetGoBackWithTheGround) {
    for (const double walk : {0.0, 0.4, 1.0}) {
        const Gait gait = some_gait(walk);
        constexpr double dt = 1e-4;
        for (std::size_t leg = 0; leg < 4; ++leg) {
            const Vec3 rest = foot_target(gait, leg, 0);
            double on_ground = 0;
            for (double t = gait.start + 2 * gait.period; t < gait.start + 3 * gait.period;
                 t += dt) {
                const Vec3 here = foot_target(gait, leg, t);
                const Vec3 rate = (foot_target(gait, leg, t + dt) - here) / dt;
                EXPECT_LT(rate.norm() * dt, 1e-3);
                if (here.z() != rest.z()) continue;
                on_ground += dt;
                if (foot_target(gait, leg, t + dt).z() != rest.z()) continue;
                const Vec3 body(gait.velocity.x() - gait.turn * rest.y(),
                                gait.velocity.y() + gait.turn * rest.x(), 0);
                EXPECT_LT((rate + body).norm(), 1e-6) << "leg " << leg << " at " << t;
            }
            EXPECT_NEAR(on_ground, gait.stance * gait.period, 2 * dt);
        }
    }
}

TEST(Gait, StandsUntilItStarts) {
    const Gait gait = some_gait(0);
    std::vector<double> targets(3, -9);
    set_gait_targets(gait, 0.1, targets);
    const std::vector<double> first = targets;
    set_gait_targets(gait, gait.start, targets);
    EXPECT_EQ(first, targets);
}

}  // namespace
}  // namespace stiction
