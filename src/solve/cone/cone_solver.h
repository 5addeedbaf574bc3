// cone_solver.h - the solvers of the Coulomb cone problem by name, behind one call.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string_view>

#include "solve/cone/cone_problem.h"
#include "solve/cone/prox_newton_matrix.h"

namespace stiction {

enum class ConeSolver { kProxNewton, kNewton, kPgs, kInteriorPoint, kConvexRelaxation, kSplit };

inline constexpr std::array<std::string_view, 6> kConeSolverNames = {
    "prox_newton", "newton", "pgs", "interior_point", "convex_relaxation", "split"};

[[nodiscard]] constexpr std::string_view name(ConeSolver solver) {
    return kConeSolverNames[static_cast<std::size_t>(solver)];
}
[[nodiscard]] std::optional<ConeSolver> find_cone_solver(std::string_view name);  // "auto" too

// What the solvers keep between calls; of the less usual ones, made when first asked for.
struct NewtonWorkspace;
struct ConeSweepsWorkspace;
struct InteriorPointWorkspace;
struct SplitWorkspace;
struct ConeWorkspace {
    ConeWorkspace();
    ~ConeWorkspace();
    ConeWorkspace(ConeWorkspace&&) noexcept;
    ConeWorkspace& operator=(ConeWorkspace&&) noexcept;

    MatrixProxNewtonWorkspace prox_newton;
    std::unique_ptr<NewtonWorkspace> newton;
    std::unique_ptr<ConeSweepsWorkspace> pgs;
    std::unique_ptr<InteriorPointWorkspace> interior_point;
    std::unique_ptr<SplitWorkspace> split;
};

// Solves from `guess` (3 nc impulses; empty: from zero). convex_relaxation leaves mu |u_T| out and
// so reaches the tolerance of the Coulomb law only where nothing slides.
void solve_cone(ConeSolver solver, const ConeProblem& problem, const SolveSettings& settings,
                const VecX& guess, ConeWorkspace& workspace, ConeResult& result);

}  // namespace stiction
