// acceleration_step.h - the solve and integrate stages of a step at the acceleration level
// (step/acceleration_problem.h): an inelastic impact, then RK4 with a complementarity
// problem at each of its stages.
//
// The contacts are those of the start of the step; they are carried with the bodies
// (collide/carried.h) and the rows are rebuilt at each stage. The rate of a row's velocity along v
// is a central difference over 2 kDifference h: its error is of second order in kDifference h and
// stays far below that of RK4. A gap that closes within the step is left to the next one: the
// impact has slowed it so that it closes at the step's end but for what forces add, of order h^2,
// which the projection removes.
#pragma once

#include <vector>

#include "collide/carried.h"
#include "contact/solve_contact.h"
#include "control/forces.h"
#include "integrate/rk4.h"
#include "problem/step_settings.h"
#include "step/acceleration_problem.h"

namespace stiction {

// Kept between steps.
struct AccelerationWorkspace {
    std::vector<CarriedContact> contacts, holding_contacts;
    ContactSet carried;  // at a stage, or at the end of the step
    RowSubset impact, holding;
    ContactWorkspace impact_workspace;
    ContactSolution part;  // of the impact or of a stage
    Guess no_guess;
    RowValues errors, ahead, behind;
    Forces forces;
    std::vector<Twist> prescribed;  // accelerations of kinematic bodies
    std::vector<Twist> mean;        // velocity over the step
    State shifted;
    Rk4Workspace rk4;
    VecX v, momentum;
    std::vector<int> island_scratch;
    std::vector<double> gaps;  // per contact, after the step [m]
    double solve_seconds = 0;  // of the stages' problems
};

struct Simulation;

// The contact model asks for the acceleration level.
[[nodiscard]] bool at_acceleration_level(const ContactModel& model);

// Velocities after the impact, into the state; frame.solution starts with its impulses.
void solve_impact(Simulation& sim);

// The motion of the step, into the state; frame.solution gets h times the weighted forces, and the
// velocities.
void integrate_accelerations(Simulation& sim);

}  // namespace stiction
