// cone_solver.cpp - from a name to the solver it stands for.
#include "solve/cone/cone_solver.h"

#include <algorithm>

#include "solve/cone/interior_point.h"
#include "solve/cone/newton.h"
#include "solve/cone/split.h"
#include "solve/cone/sweeps.h"

namespace stiction {

namespace {

template <typename Workspace>
Workspace& made(std::unique_ptr<Workspace>& workspace) {
    if (!workspace) workspace = std::make_unique<Workspace>();
    return *workspace;
}

}  // namespace

ConeWorkspace::ConeWorkspace() = default;
ConeWorkspace::~ConeWorkspace() = default;
ConeWorkspace::ConeWorkspace(ConeWorkspace&&) noexcept = default;
ConeWorkspace& ConeWorkspace::operator=(ConeWorkspace&&) noexcept = default;

std::optional<ConeSolver> find_cone_solver(std::string_view name) {
    if (name == "auto") return ConeSolver::kProxNewton;
    const auto* const found = std::find(kConeSolverNames.begin(), kConeSolverNames.end(), name);
    if (found == kConeSolverNames.end()) return std::nullopt;
    return static_cast<ConeSolver>(found - kConeSolverNames.begin());
}

void solve_cone(ConeSolver solver, const ConeProblem& problem, const SolveSettings& settings,
                const VecX& guess, ConeWorkspace& workspace, ConeResult& result) {
    switch (solver) {
        case ConeSolver::kProxNewton:
            return solve_prox_newton(problem, settings, guess, workspace.prox_newton, result);
        case ConeSolver::kNewton:
            return solve_newton(problem, settings, guess, made(workspace.newton), result);
        case ConeSolver::kPgs:
            return solve_cone_sweeps(problem, {settings}, guess, made(workspace.pgs), result);
        case ConeSolver::kInteriorPoint:
            return solve_interior_point(problem, settings, guess, made(workspace.interior_point),
                                        result);
        case ConeSolver::kConvexRelaxation:
            return solve_convex_relaxation(problem, settings, guess, made(workspace.interior_point),
                                           result);
        case ConeSolver::kSplit:
            return solve_split(problem, settings, guess, made(workspace.split), result);
    }
}

}  // namespace stiction
