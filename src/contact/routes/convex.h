// convex.h - the rows of an island as a convex program without dense matrices: by pivoting on links
// (pivoting.h, solver name `sparse_ppm`) or, in piles whose factors fill, by sweeps (sweeps.h).
// No-slip and viscous contact are such programs, and every contact without friction.
#pragma once

#include "contact/island/island_task.h"

namespace stiction {

// Both work on task.workspace.rows from rows.state and the impulses of the last step, to
// task.stop.tolerance (sweeps to 1e-6 at best); they set rows.c, rows.state and the island's v.
[[nodiscard]] IslandResult pivot(const IslandTask& task);
[[nodiscard]] IslandResult sweep_convex(const IslandTask& task);

// What suits the island: sweeps of a large pile; else pivoting, and sweeps where it does not end
// though the island is a pile.
[[nodiscard]] IslandResult solve_convex(const IslandTask& task);

// Rows without friction from other velocities than v_free, to full accuracy but for large piles.
[[nodiscard]] IslandResult solve_normal_rows(const IslandTask& task, const VecX& v_from,
                                             IslandRows& rows, VecX& v);

// Frictionless impulses from v_free (phase I): the safe answer that ladders end with. Replaces v
// and impulses.
[[nodiscard]] IslandResult solve_frictionless(const IslandTask& task);

}  // namespace stiction
