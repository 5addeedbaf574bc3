// fold_motors.h - a contact problem without its position motors: their stiffness and damping become
// part of the inertia.
//
// A motor taken implicitly is the soft row  x.v+ + gamma c = target,  |c| <= limit, of the joint's
// coordinate x. Where the limit is not reached, c = (target - x.v+) / gamma can be put into the
// momentum balance M (v+ - v_free) = x c + ...:
//
//   (M + x x'/gamma) v+ = M v_free + x target / gamma + ...
//
// What is left has the contacts as its only unknowns, as in [D15], where the controller's torques
// are forces that are known. A solver without a good way to treat bounded rows (two more unknowns
// each for Lemke's method) is not at a disadvantage then.
#pragma once

#include "problem/contact_problem.h"

namespace stiction {

// Soft bounded rows of trees are folded in; links on which no row is left go. Others stay.
[[nodiscard]] ContactProblem fold_motors(const ContactProblem& problem);

}  // namespace stiction
