// phases.cpp - the motor of a joint at a time.
#include "control/phases.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stiction {

namespace {

// From 0 to 1 as s goes from 0 to 1, with no speed and no acceleration at the ends.
double smooth(double s) { return s - std::sin(2 * std::numbers::pi * s) / (2 * std::numbers::pi); }

}  // namespace

Motor motor_at(const MotorScript& script, const Motor& before, double time) {
    Motor motor = before;
    for (std::size_t i = 0; i < script.phases.size(); ++i) {
        const MotorPhase& phase = script.phases[i];
        if (phase.start > time) break;
        const double from = motor.kind == phase.motor.kind ? motor.target : 0;
        motor = phase.motor;
        const bool last = i + 1 == script.phases.size();
        const double end = last ? time : std::min(time, script.phases[i + 1].start);
        if (end - phase.start >= phase.over) continue;
        motor.target =
            from + (phase.motor.target - from) * smooth((end - phase.start) / phase.over);
    }
    return motor;
}

}  // namespace stiction
