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
//
// With `step: {events: true}` the step is cut there instead, as the simulator of [D15] does: RK4 as
// far as the gap that closes first, whose root is found by regula falsi on the integration itself;
// then contacts are found anew, an inelastic impact of what touches, and on from there. What closes
// arrives with its speed, and at most kMostEvents times in a step: the rest is stepped as above.
#pragma once

#include <vector>

#include "collide/carried.h"
#include "contact/solve_contact.h"
#include "control/forces.h"
#include "dynamics/tree.h"
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
    std::vector<TreeMotion> trees;  // at a stage, or near it
    std::vector<Twist> prescribed;  // accelerations of kinematic bodies
    std::vector<Twist> mean;        // velocity over the step
    State shifted;
    Rk4Workspace rk4;
    VecX v, momentum;
    std::vector<int> island_scratch;
    std::vector<double> gaps;        // per contact, after the step [m]
    double solve_seconds = 0;        // of the stages' problems
    double share = 1;                // of the step's h that is integrated; 0: on trial
    State start;                     // of what is integrated
    std::vector<double> limit_gaps;  // per limit row, after the step [m or rad]
    ContactSolution impact_solution;
};

struct Simulation;

// The contact model asks for the acceleration level.
[[nodiscard]] bool at_acceleration_level(const ContactModel& model);

inline constexpr int kMostEvents = 100;

// Velocities after the impact, into the state; frame.solution starts with its impulses. `events`:
// of what touches now alone.
void solve_impact(Simulation& sim, bool events);

// The motion of the step, into the state; frame.solution gets h times the weighted forces, and the
// velocities. With `events` it ends where a gap closes. Returns its time [s].
double integrate_accelerations(Simulation& sim, bool events);

}  // namespace stiction
