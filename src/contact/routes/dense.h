// dense.h - the rows of one island as a dense problem between bounds, for the solvers of solve/lcp:
// the references beside the block-sparse routes, for islands of moderate size.
//
//   A = G M^-1 G' + diag(compliance),  b = G u_free - target,  lo <= c <= hi
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "contact/island/island_task.h"
#include "solve/lcp/active_set.h"
#include "solve/lcp/active_set_rows.h"
#include "solve/lcp/block_pivot.h"
#include "solve/lcp/gradient_projection.h"
#include "solve/lcp/lemke.h"
#include "solve/lcp/pgs.h"
#include "solve/lcp/pgs_sm.h"

namespace stiction {

enum class DenseSolver { kActiveSetQp, kBlockPivot, kPgs, kPgsSm, kGradientProjection, kLemke };
inline constexpr std::array<std::string_view, 6> kDenseSolverNames = {
    "active_set_qp", "block_pivot", "pgs", "pgs_sm", "gradient_projection", "lemke"};

struct DenseRoute {
    BoxLcp lcp;
    std::vector<BoundState> guess;
    VecX z;
    BoxResult result;
    ActiveSetWorkspace active_set;
    std::vector<int> local;  // per block of the system: offset of its velocities in the island
    MatX Y;                  // whitened rows as columns
    ActiveSetRowsWorkspace active_set_rows;
    BlockPivotWorkspace block_pivot;
    PgsWorkspace pgs;
    PgsSmWorkspace pgs_sm;
    PgsSmSettings pgs_sm_cycle;  // sweeps and subspace solves per cycle
    GradientProjectionWorkspace gradient;
    LemkeWorkspace lemke;
    LcpResult lemke_result;
};

// Solves task.workspace.rows from rows.state within task.stop (on the relative residual), and sets
// rows.c, rows.state and the island's v. Rows without lower bound cannot be given to `lemke`:
// kNoSolution, v is v_free.
[[nodiscard]] IslandResult solve_dense_rows(DenseSolver solver, const IslandTask& task);

// The same on the triples, from triples.r, whose answer is committed: W as one dense matrix.
[[nodiscard]] IslandResult solve_dense_triples(DenseSolver solver, const IslandTask& task);

// As rungs.
template <DenseSolver kSolver>
[[nodiscard]] IslandResult solve_rows_by(const IslandTask& task) {
    return solve_dense_rows(kSolver, task);
}
template <DenseSolver kSolver>
[[nodiscard]] IslandResult solve_triples_by(const IslandTask& task) {
    return solve_dense_triples(kSolver, task);
}

// The rows by active_set_rows.h, in whitened velocities: exact where rows nearly depend on one
// another.
[[nodiscard]] IslandResult solve_whitened_rows(const IslandTask& task);

}  // namespace stiction
