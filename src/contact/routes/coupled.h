// coupled.h - the triples of an island under their law: by sweeps without any matrix (sweeps.h), or
// by a solver of cone problems on the sparse Delassus matrix W. All work on task.workspace.triples
// from triples.r, to task.stop, and leave their answer there and in the solution.
#pragma once

#include <array>

#include "contact/island/delassus.h"
#include "contact/routes/convex.h"
#include "contact/routes/ladder.h"
#include "solve/cone/cone_solver.h"
#include "solve/cone/friction_law.h"

namespace stiction {

// What a solve with W keeps.
struct NewtonRoute {
    DelassusWorkspace delassus;
    ConeProblem problem;
    ConeWorkspace solvers;
    ConeResult result;
};

// Gauss-Seidel; contacts on the polygon if there is one, else on the cone. `to_the_end`: even where
// the rate says it will take long.
[[nodiscard]] IslandResult sweep_triples(const IslandTask& task, bool to_the_end,
                                         const FrictionDirections* polygon = nullptr);
// The same for `auto`: while they pay; in islands too large to factor helped by Newton steps.
[[nodiscard]] IslandResult sweep_triples_auto(const IslandTask& task,
                                              const FrictionDirections* polygon = nullptr);

[[nodiscard]] IslandResult solve_with_W(ConeSolver solver, const IslandTask& task);

// By the proximal Newton method: on W where there are few triples, else on bodies (newton.h).
[[nodiscard]] IslandResult solve_by_prox_newton(const IslandTask& task);

// As rungs.
[[nodiscard]] inline IslandResult sweep_to_the_end(const IslandTask& task) {
    return sweep_triples(task, true);
}
[[nodiscard]] inline IslandResult sweep_while_it_pays(const IslandTask& task) {
    return sweep_triples_auto(task);
}
template <ConeSolver kSolver>
[[nodiscard]] IslandResult solve_by(const IslandTask& task) {
    return solve_with_W(kSolver, task);
}

// A table that several models have.
inline constexpr std::array<Rung, 2> kNewtonAlone = {{
    {Rung::kChosen, nullptr, solve_by_prox_newton},
    {Rung::kSafe, nullptr, solve_frictionless},
}};

}  // namespace stiction
