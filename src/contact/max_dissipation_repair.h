// max_dissipation_repair.h - phase II from an answer that does not quite keep its constraints.
#pragma once

#include "contact/solve_contact.h"

namespace stiction {

// Friction of the row blocks' impulses (workspace.cone.rows) as far as the constraints of phase II
// allow: normal impulses are solved for again without friction, and friction is cut back where it
// lies outside its cone or the sum exceeds kappa. True if the solution is set.
[[nodiscard]] bool repair_phase_two(double kappa, const IslandTask& task);

}  // namespace stiction
