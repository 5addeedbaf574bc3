// dense_rows.h - the rows of one island as a dense problem between bounds, for the solvers of
// box_lcp.h: the reference beside the block-sparse ones, for islands of moderate size.
//
//   A = G M^-1 G' + diag(compliance),  b = G u_free - target,  lo <= c <= hi
#pragma once

#include <array>
#include <string_view>

#include "contact/solve_contact.h"

namespace stiction {

enum class DenseSolver { kActiveSetQp, kBlockPivot, kPgs, kPgsSm, kGradientProjection, kLemke };
inline constexpr std::array<std::string_view, 6> kDenseSolverNames = {
    "active_set_qp", "block_pivot", "pgs", "pgs_sm", "gradient_projection", "lemke"};

// Solves workspace.lcp into workspace.result from workspace.guess or workspace.z.
void solve_box(DenseSolver solver, const SolveSettings& stop, DenseRowsWorkspace& workspace);

// The dense problem of task.workspace.rows.
void make_box_lcp(const IslandTask& task, BoxLcp& lcp);

// Solves it within the island's budget and sets rows.c, rows.state and the island's v. `tolerance`
// is on the relative residual. Rows without lower bound cannot be given to `lemke`: kNoSolution, v
// is v_free.
[[nodiscard]] IslandResult solve_dense_rows(DenseSolver solver, double tolerance,
                                            const IslandTask& task);

// The same by active_set_rows.h, from the rows in whitened velocities: the most robust, and right
// where rows nearly depend on one another.
[[nodiscard]] IslandResult solve_whitened_rows(double tolerance, const IslandTask& task);

[[nodiscard]] BoundState box_state(RowState state);
[[nodiscard]] RowState row_state(BoundState state);

}  // namespace stiction
