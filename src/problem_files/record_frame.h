// record_frame.h - the step that a simulation has just taken, as a frame of a dataset.
#pragma once

#include "problem_files/problem_frame.h"

namespace stiction {

struct Simulation;

// What a step's solve depends on and leaves changed: to be kept before each step.
struct BeforeStep {
    Guess guess;
    bool contradicted = false;
};
void keep_before_step(const Simulation& sim, BeforeStep& before);

// Whether the simulation's steps are one contact problem each. Those at the acceleration level,
// which solve five, have no frame.
[[nodiscard]] bool has_frames(const Simulation& sim);

// From a step's observer. Bodies are the dynamic and the kinematic ones; static ones are the world.
// Joints of trees are written as rows between their bodies.
[[nodiscard]] ProblemFrame record_frame(const Simulation& sim, const BeforeStep& before);

}  // namespace stiction
