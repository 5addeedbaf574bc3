// assemble.h - Model, State, forces, contacts -> ContactProblem: blocks, links, rows, biases,
// islands.
#pragma once

#include <vector>

#include "control/forces.h"
#include "dynamics/tree.h"
#include "model/model.h"
#include "model/state.h"
#include "problem/contact_problem.h"
#include "problem/contact_set.h"
#include "problem/step_settings.h"

namespace stiction {

// Bias of a unilateral row at distance phi, once for all velocity-level models: phi > 0: phi/h (may
// approach until it touches); phi <= 0: what the stabilisation asks for.
[[nodiscard]] double unilateral_bias(const StepSettings& settings, double phi);

// Approach speed above which a contact rebounds; below it restitution would make resting bodies
// hover.
[[nodiscard]] double restitution_threshold(const StepSettings& settings, double gravity);
// That of the solve: infinite where impacts come one after another, before it.
[[nodiscard]] double rebound_in_solve(const StepSettings& settings, double gravity);

// Kept by the caller, so that a warm call allocates nothing.
struct AssembleWorkspace {
    std::vector<int> islands;
    std::vector<TreeMotion> trees;  // per tree of the model
    std::vector<Mat3> tension;      // per block
    std::vector<char> stiff;        // per block, or empty: add_joint_tension()
};

// Clears and refills `problem`. The tension of joints in maximal coordinates is not in it
// (add_joint_tension() of assemble/tension.h).
void assemble(const Model& model, const State& state, const Forces& forces,
              const ContactSet& contacts, const StepSettings& settings,
              AssembleWorkspace& workspace, ContactProblem& problem);

// The same problem at another state, for integrators that look inside a step: its rows, links and
// islands stay, and so do biases, targets and the lengths of links. `contacts` are those of the
// problem, in its order.
//
// M, v, f; the motions of the trees are found anew. Trees have their Coriolis forces with the others,
// and no tension is taken implicitly.
void move_blocks(const Model& model, const State& state, const Forces& forces,
                 std::vector<TreeMotion>& trees, ContactProblem& problem);
// Levers, directions, gaps, the bounds of joint friction, and u0 of links with prescribed motion.
// `trees`: their motions at that state. What the links respond with is left as it was
// (refresh_responses() of problem/link_system.h).
void move_rows(const Model& model, const State& state, const ContactSet& contacts,
               const std::vector<TreeMotion>& trees, ContactProblem& problem);
// u0 of every link, from these twists of the kinematic bodies.
void set_prescribed_motion(const Model& model, const std::vector<Twist>& twists,
                           const ContactSet& contacts, ContactProblem& problem);

}  // namespace stiction
