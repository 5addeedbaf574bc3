// integrate.h - State, velocities after the step -> State: symplectic Euler with the quaternion
// exponential.
//
//   x+ = x + h v_move
//   q+ = exp(h w_move) q
//   w <- I(q+)^-1 (I(q) w+ - h tau_gyro)
//
// The last is the spin that the next step starts from: it keeps the angular momentum. tau_gyro, the
// gyroscopic share of the step's torque, took w to the mean spin of the step
// (dynamics/free_body.h); taking it out again leaves the momentum that contacts, joints and applied
// torques have given.
#pragma once

#include "control/forces.h"
#include "model/model.h"
#include "model/state.h"
#include "problem/contact_problem.h"
#include "problem/contact_solution.h"

namespace stiction {

void integrate(const Model& model, const ContactProblem& problem, const Forces& forces,
               const ContactSolution& solution, State& state);

}  // namespace stiction
