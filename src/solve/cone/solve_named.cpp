// solve_named.cpp - checks what a caller gives, then calls the solver.
#include "solve/cone/solve_named.h"

#include <string>
#include <vector>

#include "core/error.h"
#include "core/nearest.h"
#include "solve/cone/cone_solver.h"

namespace stiction {

ConeResult solve_named(std::string_view solver, const ConeProblem& problem,
                       const SolveSettings& settings, const VecX& guess) {
    const std::optional<ConeSolver> found = find_cone_solver(solver);
    if (!found)
        throw InputError("unknown solver '" + std::string(solver) + "'" +
                         suggestion(solver, {kConeSolverNames.begin(), kConeSolverNames.end()}));
    if (!is_valid(problem))
        throw InputError(
            "the problem is none: W must have 3 rows per contact, q three numbers, mu one >= 0, "
            "all "
            "finite");
    if (guess.size() != 0 && guess.size() != problem.q.size())
        throw InputError("the guess has " + std::to_string(guess.size()) + " numbers; expected " +
                         std::to_string(problem.q.size()));
    ConeWorkspace workspace;
    ConeResult result;
    solve_cone(*found, problem, settings, guess, workspace, result);
    return result;
}

}  // namespace stiction
