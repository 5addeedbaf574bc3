// cone_frame.h - a problem in W and q (FCLIB, text) as a frame, so that every model and solver takes
// it. It has no bodies: each set of contacts that W couples becomes one block of generalized
// velocities w with M = 1, of which the contacts have the rows G,
//
//   u = G w + q,   w+ = G' r,   G G' = W     so that u = W r + q
//
// The step is one second, gaps are closed, and contacts have no place: in the frame they lie at the
// origin, with the normal e_x, between the world and itself.
#pragma once

#include <string>

#include "problem_files/problem_frame.h"
#include "solve/cone/cone_problem.h"

namespace stiction {

// `place` stands for the problem in messages. Throws InputError where W is not symmetric or not
// positive semi-definite, which no masses make, or too large for dense factors.
[[nodiscard]] ProblemFrame frame_of_cone(const ConeProblem& problem, const std::string& place);

}  // namespace stiction
