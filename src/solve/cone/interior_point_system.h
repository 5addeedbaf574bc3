// interior_point_system.h - the linear system of a Newton step of interior_point.h:
//
//   ( K   C'  ) ( dx)       K = H + D, D the blocks on the diagonal that linearise() sets
//   ( C  -g/v ) (-dv) = ...
//
// by block LU where there are no rows, by dense LU while it is small, else by a sparse LDL' of the
// lower triangle. Tangential unknowns of contacts without a cone are held at zero.
#pragma once

#include "solve/cone/interior_point_workspace.h"

namespace stiction::interior_point {

// Finds an order of elimination, unless the pattern is the one analysed last.
void analyse(const Problem& problem, Workspace& ws);

// Adds to the diagonal where factoring fails; false if that did not help.
[[nodiscard]] bool factor(const Problem& problem, Workspace& ws);

// full <- solution of the factored system; full = (right-hand side, that of the rows) on entry,
// (dx, -dv) on return.
void back_substitute(const Problem& problem, Workspace& ws);

}  // namespace stiction::interior_point
