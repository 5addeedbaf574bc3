// convex.h - the rows of an island as a convex program without dense matrices: by pivoting on links
// (pivoting.h, solver name `sparse_ppm`), in piles by sweeps (sweeps.h), and where these do not end
// by the proximal Newton method (newton.h). No-slip and viscous contact are such programs, and every
// contact without friction.
#pragma once

#include <cstdint>

#include "contact/island/island_task.h"

namespace stiction {

// Rungs. They work on task.workspace.rows from rows.state and the impulses of the last step, to
// task.stop.tolerance, and set rows.c, rows.state and the island's v.
[[nodiscard]] IslandResult pivot(const IslandTask& task);
[[nodiscard]] IslandResult sweep_convex(const IslandTask& task);
[[nodiscard]] IslandResult newton_convex(const IslandTask& task);

// The islands they are for: piles are swept; pivoting is not tried again where Newton's method had
// to take over in the last step.
[[nodiscard]] bool is_pivoted(const IslandTask& task);
[[nodiscard]] bool is_swept(const IslandTask& task);

// All three, as `auto` has them.
[[nodiscard]] IslandResult solve_convex(const IslandTask& task);

// How piles without friction are solved; others always to full accuracy.
enum class PileAccuracy : std::uint8_t {
    kSwept,    // by sweeps alone
    kExactly,  // to full accuracy after them, where they can be factored
    kNearby,   // the same without sweeps: rows.c is nearly the answer
};

// Rows without friction from other velocities than v_free.
[[nodiscard]] IslandResult solve_normal_rows(const IslandTask& task, const VecX& v_from,
                                             IslandRows& rows, VecX& v,
                                             PileAccuracy accuracy = PileAccuracy::kSwept);

// Frictionless impulses from v_free (phase I): the safe answer that ladders end with. Replaces v
// and impulses.
[[nodiscard]] IslandResult solve_frictionless(const IslandTask& task);

// The same by pivoting, whatever comes of it, and with all contacts held where that is asked for:
// masses that differ by more than 1e10 leave no method a residual that it could go by, and the
// factors are the best there is. Replaces v and impulses.
[[nodiscard]] IslandResult pivot_alone(const IslandTask& task, bool held);

}  // namespace stiction
