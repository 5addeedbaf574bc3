// dissipation_check.h - is an answer of max_dissipation the one that it claims to be? Its own
// conditions have multipliers that the answer does not hold, so it is compared with two others:
//
//   kappa       sum of c_n over an island is at most that of any answer without friction
//   objective   1/2 v'Mv + (bias + u0).c, u0 what prescribed motion adds to the rows, is at most
//               that without friction, and at most that of the interior point method where that has
//               an answer which meets the constraints with no more normal impulse
#pragma once

#include <vector>

#include "random/island_checks.h"

namespace stiction {

// Solves the step twice more. Nothing for other models, and nothing at islands that are not solved
// or may have rebounded.
void check_dissipation(const CheckedStep& step, std::vector<Violation>& violations);

}  // namespace stiction
