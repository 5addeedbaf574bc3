// The motor of a joint over the phases of its script: which one holds, how targets move, and that
// nothing but the time counts.
#include "control/phases.h"

#include <gtest/gtest.h>

#include <cmath>

#include "control/controls.h"

namespace stiction {
namespace {

constexpr Motor position_motor(double target) {
    return {.kind = Motor::Kind::kPosition, .target = target, .kp = 100, .kd = 5};
}
constexpr Motor velocity_motor(double target) {
    return {.kind = Motor::Kind::kVelocity, .target = target, .max_force = 2};
}

TEST(Phases, HoldFromTheirStartUpToTheNext) {
    MotorScript script;
    script.phases = {{.start = 0.5, .motor = velocity_motor(3)},
                     {.start = 1, .motor = velocity_motor(-1)}};
    script.phases[1].motor.max_force = 7;
    const Motor before = position_motor(0.2);
    const Motor first = motor_at(script, before, std::nextafter(0.5, 0.0));
    EXPECT_EQ(first.kind, Motor::Kind::kPosition);
    EXPECT_EQ(first.target, 0.2);
    EXPECT_EQ(first.kp, 100);
    for (const double time : {0.5, std::nextafter(1.0, 0.0)}) {
        EXPECT_EQ(motor_at(script, before, time).kind, Motor::Kind::kVelocity);
        EXPECT_EQ(motor_at(script, before, time).target, 3);
        EXPECT_EQ(motor_at(script, before, time).max_force, 2);
    }
    for (const double time : {1.0, 1e6}) {
        EXPECT_EQ(motor_at(script, before, time).target, -1);
        EXPECT_EQ(motor_at(script, before, time).max_force, 7);
    }
}

TEST(Phases, ATargetMovesSmoothlyAndEndsWhereItShould) {
    MotorScript script;
    script.phases = {{.start = 1, .over = 2, .motor = position_motor(0.5)}};
    const Motor before = position_motor(0.1);
    const auto target = [&](double time) { return motor_at(script, before, time).target; };
    EXPECT_EQ(target(1), 0.1);
    EXPECT_DOUBLE_EQ(target(2), 0.3);  // half way
    EXPECT_EQ(target(3), 0.5);
    EXPECT_EQ(target(4), 0.5);
    const double dt = 1e-4;
    double least = 1, fastest = 0;
    for (double time = 1; time < 3; time += dt) {
        const double speed = (target(time + dt) - target(time)) / dt;
        least = std::min(least, speed);
        fastest = std::max(fastest, speed);
    }
    EXPECT_GE(least, 0);
    EXPECT_NEAR(fastest, 2 * 0.4 / 2, 1e-6);  // twice the mean
    EXPECT_LT(std::abs(target(1 + dt) - target(1)) / dt, 1e-6);
    EXPECT_LT(std::abs(target(3) - target(3 - dt)) / dt, 1e-6);
}

// A move that the next phase cuts short goes on from where it is.
TEST(Phases, AMoveCutShortIsContinuous) {
    MotorScript script;
    script.phases = {{.start = 0, .over = 2, .motor = position_motor(1)},
                     {.start = 0.7, .over = 1, .motor = position_motor(0)}};
    const Motor before = position_motor(0);
    const double at_cut = motor_at(script, before, 0.7).target;
    EXPECT_GT(at_cut, 0.1);
    EXPECT_NEAR(motor_at(script, before, std::nextafter(0.7, 0.0)).target, at_cut, 1e-12);
    EXPECT_EQ(motor_at(script, before, 1.7).target, 0);
}

TEST(Phases, ASpeedStartsFromRestAfterAMotorOfAnotherKind) {
    MotorScript script;
    script.phases = {{.start = 0, .over = 1, .motor = velocity_motor(4)}};
    EXPECT_EQ(motor_at(script, position_motor(3), 0).target, 0);
    EXPECT_DOUBLE_EQ(motor_at(script, position_motor(3), 0.5).target, 2);
    EXPECT_EQ(motor_at(script, velocity_motor(4), 0.5).target, 4);
}

TEST(Phases, OnlyTheirJointsChange) {
    Model model;
    model.joints.resize(3);
    for (Joint& joint : model.joints) joint.motor = position_motor(0.5);
    Controls controls;
    controls.motor_scripts = {{.joint = 1, .phases = {{.start = 1, .motor = velocity_motor(2)}}}};
    std::vector<double> scratch;
    std::vector<Motor> motors;
    find_motors(model, controls, 2, scratch, motors);
    ASSERT_EQ(motors.size(), 3U);
    EXPECT_EQ(motors[0].kind, Motor::Kind::kPosition);
    EXPECT_EQ(motors[1].kind, Motor::Kind::kVelocity);
    EXPECT_EQ(motors[1].target, 2);
    EXPECT_EQ(motors[2].target, 0.5);
    find_motors(model, controls, 0.5, scratch, motors);  // back in time
    EXPECT_EQ(motors[1].target, 0.5);
}

}  // namespace
}  // namespace stiction
