// phases.h - a script of motors: from given times on, joints get other motors. What a motor does is
// a function of the time alone, so a state that is loaded goes on with the right phase.
#pragma once

#include <vector>

#include "model/model.h"

namespace stiction {

// The motor of a joint from `start` until its next phase.
struct MotorPhase {
    double start = 0;  // [s]
    double over = 0;   // the target moves smoothly from the one before to the new one [s]
    Motor motor;
};

struct MotorScript {
    int joint = kNone;
    std::vector<MotorPhase> phases;  // starts do not decrease
};

// The motor at this time; `before` is the one it has until the first phase. A target that is to
// move starts from the one before it, also within that one's move; after a motor of another kind it
// starts from 0.
[[nodiscard]] Motor motor_at(const MotorScript& script, const Motor& before, double time);

}  // namespace stiction
