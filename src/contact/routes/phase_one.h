// phase_one.h - phase I of max_dissipation.h for one island: impulses without friction and kappa,
// their sum over the contacts.
//
// Where these impulses are not unique (a body in a groove) the solution of least sum is sought: the
// set of pressing rows is found with every gap allowed to close at a tiny speed e, which adds
// e 1'c_n to the objective, and taken if it gives the same velocity; else kappa is the sum of the
// first solution found.
#pragma once

#include "contact/island/island_task.h"
#include "contact/models/max_dissipation.h"

namespace stiction {

// Leaves v and impulses in the solution, v in shared.v_plus too, impulses and kappa in
// workspace.phase_two().
[[nodiscard]] IslandResult solve_phase_one(PhaseOneSolver solver, const IslandTask& task);

[[nodiscard]] double sum_of_normals(const IslandRows& rows);

}  // namespace stiction
