// shown_joints_test.cpp - forces of motors and joint friction as the window shows them.
#include "live/shown_joints.h"

#include <cmath>

#include "live/live_scenes.h"

namespace stiction {
namespace {

int joint_named(const Model& model, const std::string& name) {
    for (std::size_t j = 0; j < model.joints.size(); ++j) {
        if (model.joints[j].name == name) return static_cast<int>(j);
    }
    return kNone;
}

// A position motor's force is kp (target - q+) - kd q'+ with the values at the end of the step.
TEST(ShownJoints, TheForceOfAMotorIsThatOfItsLaw) {
    LiveScene live(shipped_scene("motors"), 1);
    const Model& model = live.scene().model;
    EXPECT_TRUE(look_at(live).drives.empty());  // nothing was solved yet
    const int holding = joint_named(model, "holding");
    ASSERT_NE(holding, kNone);
    forward(live, 300);
    const Snapshot now = look_at(live);
    ASSERT_EQ(now.drives.size(), model.joints.size());
    const ShownDrive& drive = now.drives[at(holding)];
    const Motor& motor = model.joints[at(holding)].motor;
    const JointCoordinate& q = now.joints[at(holding)];
    EXPECT_EQ(drive.kind, Motor::Kind::kPosition);
    EXPECT_EQ(drive.target, motor.target);
    EXPECT_EQ(drive.most, motor.max_force);
    EXPECT_LT(std::abs(drive.force), motor.max_force);
    EXPECT_GT(std::abs(drive.force), 0.1);
    // The step's own rounding of the angle and its projection: far below a thousandth.
    EXPECT_NEAR(drive.force, motor.kp * (motor.target - q.position) - motor.kd * q.velocity,
                1e-3 * std::abs(drive.force));
}

TEST(ShownJoints, FrictionIsNoMoreThanItsBound) {
    LiveScene live(shipped_scene("motors"), 1);
    const Model& model = live.scene().model;
    const int falling = joint_named(model, "falling");
    double most = 0;
    for (int i = 0; i < 200; ++i) {
        forward(live, 1);
        const ShownDrive drive = look_at(live).drives[at(falling)];
        EXPECT_EQ(drive.kind, Motor::Kind::kOff);
        EXPECT_EQ(drive.force, 0);
        most = std::max(most, std::abs(drive.friction));
    }
    EXPECT_NEAR(most, model.joints[at(falling)].friction, 1e-9);
}

}  // namespace
}  // namespace stiction
