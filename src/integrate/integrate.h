// integrate.h - State, velocities after the step -> State: symplectic Euler with the quaternion
// exponential.
//
//   x+ = x + h v_move
//   q+ = exp(h w_move) q
//   w <- I(q+)^-1 I(q) (w + w+ - m)
//
// The last is the spin that the next step starts from: it keeps the angular momentum. m is the mean
// spin of the step without torque (dynamics/free_body.h), which contacts, joints and applied
// torques have changed to w+: w + w+ - m is the spin at the start of the step and what they have
// added. A body on which none of them acts turns as free_body.h has it, to the last bit. Where that
// took several parts, q+ = exp(h (w_move - m)) q turn.
//
// Trees move with the velocities of base and joints, and what their own inertia does to these in
// the step follows at its end (dynamics/tree_momentum.h).
#pragma once

#include <vector>

#include "control/forces.h"
#include "dynamics/tree_momentum.h"
#include "model/model.h"
#include "model/state.h"
#include "problem/contact_problem.h"
#include "problem/contact_solution.h"

namespace stiction {

// Kept by the caller, so that a warm call allocates nothing.
struct IntegrateWorkspace {
    std::vector<TreeMomenta> trees;  // per tree of the model
};

// `motions`: of the trees at the start of the step, as assemble() leaves them. `half`: per body,
// whether it is in the middle of its step already (step/midpoint.h); may be empty.
void integrate(const Model& model, const ContactProblem& problem, const Forces& forces,
               const std::vector<TreeMotion>& motions, const ContactSolution& solution,
               const std::vector<char>& half, IntegrateWorkspace& workspace, State& state);

// Moves a kinematic body, or a free body on which nothing acts, for a time.
void move_freely(const Body& body, double time, std::size_t i, State& state);

// A body that turns by more than half a turn in a step, or moves by more than kFarthest radii of
// gyration, goes where the step cannot follow: shapes that it passes may be missed, and contacts
// see it from one side only.
inline constexpr double kFarthest = 10;
// The first such body, or kNone.
[[nodiscard]] int too_fast(const Model& model, double h, const State& state);

}  // namespace stiction
