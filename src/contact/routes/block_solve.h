// block_solve.h - what the models that work on row blocks (row_blocks.h) share: sweeps, solves with
// W, and the end of an island. All act on task.workspace.cone.
#pragma once

#include "contact/solve_contact.h"

namespace stiction {

// Sweeps of islands too large to factor, unless told: while a pile falls, many steps would need far
// more, and gain little by it.
inline constexpr int kPileSweeps = 300;

struct BlockSettings {
    double tolerance = 1e-8;                      // on both residuals of cone_problem.h
    int max_iterations = 0;                       // 0: the solver's own limit
    const FrictionDirections* polygon = nullptr;  // law of the contacts; else the cone
};

// Row blocks of the island with last step's impulses as their first guess.
void build_warm_row_blocks(const IslandTask& task);

// Gauss-Seidel from rows.r (sweeps.h); `to_the_end`: even where the rate says it will take long.
[[nodiscard]] IslandResult sweep_blocks(const BlockSettings& settings, bool to_the_end,
                                        const IslandTask& task);

// Forms W and solves from rows.r.
[[nodiscard]] IslandResult solve_blocks(const BlockSettings& settings, ConeSolver solver,
                                        const IslandTask& task);

// What `auto` does: sweeps, and where they are slow prox_newton; islands too large to factor are
// swept to the end.
[[nodiscard]] IslandResult solve_blocks_auto(const BlockSettings& settings, const IslandTask& task);

// Velocities and impulses of rows.r, or those without friction where the residual is useless; after
// a spent budget only where it is worse than that of no impulses at all.
[[nodiscard]] IslandResult finish_blocks(IslandResult result, const IslandTask& task);

}  // namespace stiction
