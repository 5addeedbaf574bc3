// max_dissipation_phase_two.h - phase II of max_dissipation.h for one island: two ways to solve it,
// and a repair for answers that do not quite keep its constraints.
#pragma once

#include "contact/models/max_dissipation.h"
#include "contact/solve_contact.h"

namespace stiction {

struct PhaseTwoResult {
    IslandResult island;
    bool usable = false;  // the solution's v and impulses are those of phase II
};

// Phase II for the whole island; on entry the solution holds the answer of phase I. max_iterations
// 0: the solver's own limit.
[[nodiscard]] PhaseTwoResult solve_phase_two_dense(const MaxDissipation& model, double kappa,
                                                   int max_iterations, const IslandTask& task);
[[nodiscard]] PhaseTwoResult solve_phase_two_first_order(const MaxDissipation& model, double kappa,
                                                         int max_iterations,
                                                         const IslandTask& task);

// Friction of the row blocks' impulses (workspace.cone.rows) as far as the constraints of phase II
// allow: normal impulses are solved for again without friction, and friction is cut back where it
// lies outside its cone or the sum exceeds kappa. True if the solution is set.
[[nodiscard]] bool repair_phase_two(double kappa, const IslandTask& task);

}  // namespace stiction
