// convergence.h - how the solver came to the answer of the last step: its problem is solved again
// from the same warm start with more and more iterations.
#pragma once

#include "contact/island/guess.h"
#include "live/snapshot.h"
#include "step/simulation.h"

namespace stiction {

// Of the step that `sim` has just taken from `guess`. Without points where the step has no such
// problem: nothing touches, or the model acts at the acceleration level.
[[nodiscard]] Convergence trace_convergence(Simulation& sim, const Guess& guess);

}  // namespace stiction
