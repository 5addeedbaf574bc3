// forces.h - all that acts on the bodies besides contacts and joints, at the start of a step.
#pragma once

#include <vector>

#include "control/controls.h"
#include "core/types.h"
#include "dynamics/free_body.h"
#include "model/model.h"
#include "model/state.h"

namespace stiction {

struct Forces {
    std::vector<Wrench> wrench;         // per body: gravity, scripts and gyroscopic torque
    std::vector<Vec3> gyroscopic;       // per body: the gyroscopic share of the torque [N m]
    std::vector<FreeTurn> turns;        // per body: its rotation over the step without torque
    std::vector<Motor> motors;          // per joint, as they are at the end of the step
    std::vector<double> motor_targets;  // scratch
};

// Also sets the twists of kinematic bodies for this step.
void apply_forces(const Model& model, const Controls& controls, double h, State& state,
                  Forces& forces);

// The forces at an instant, for integrators that look inside a step: the gyroscopic torque is
// -w x I w as it stands, and prescribed twists are left alone.
void forces_at(const Model& model, const Controls& controls, const State& state, Forces& forces);

}  // namespace stiction
