// midpoint.h - the second-order integrator: half a step of motion, the step's impulses there, and
// the other half.
//
//   q_m = q (+) h/2 v             every body moves on, turning as free_body.h has it
//   M v+ = M v_m + h f + J'c      with M, f, J of q_m and the time in the middle
//   J (v_m + v+) = 2 J u          joints hold in the mean of both velocities: c does no work, and
//                                 kinetic energy stays; u is what kinematic bodies do
//   q+  = q_m (+) h/2 v+
//
// What a joint's velocity is wrong by at the start is not mirrored but taken out. In a tree
// v_free = v + h H^-1 (S'f - C(q_m, (v + v+)/2)), found by iteration, with v+ = v_free + H^-1 J'c
// for the impulses c that joints, motors and joint friction had in the last step.
//
// Bodies that touch something, and all that joints link to them, are stepped as by symplectic
// Euler: impacts have no second order, and the middle of a step may lie inside the other body. So
// are those whose iteration does not end, and those that tension makes stiff (assemble/tension.h);
// these are counted.
#pragma once

#include <vector>

#include "model/state.h"

namespace stiction {

struct Simulation;
struct StepSettings;

struct MidpointWorkspace {
    std::vector<int> group;   // per body: dynamic bodies that joints link have one number
    std::vector<char> holds;  // per group: not by halves in this step
    std::vector<char> half;   // per body: is in the middle of its step
    State start;              // of the step, prescribed twists of its beginning
    VecX v, mean, impulses;   // of a tree; of all velocities
    int fallbacks = 0;        // groups that were to go by halves and do not
};

// Takes bodies to the middle of the step, sets the forces there, and assembles the problem. The
// state is that at the start of the step, its contacts are found.
void assemble_at_midpoint(Simulation& sim, const StepSettings& settings);

}  // namespace stiction
