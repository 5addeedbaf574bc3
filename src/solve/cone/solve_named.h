// solve_named.h - one Coulomb cone problem by the solver of a name: all that a program needs that
// solves problems now and then, and keeps no workspaces.
#pragma once

#include <string_view>

#include "solve/cone/cone_problem.h"

namespace stiction {

// Solvers: prox_newton (auto), newton, pgs, interior_point, convex_relaxation, split. From `guess`
// (3 nc impulses; empty: from zero). Throws InputError for an unknown name and for a problem whose
// sizes or numbers make no sense; how the solve ended is in the result.
[[nodiscard]] ConeResult solve_named(std::string_view solver, const ConeProblem& problem,
                                     const SolveSettings& settings = {}, const VecX& guess = {});

}  // namespace stiction
