// coulomb_cone.cpp - the Coulomb law on the true cone: sweeps, then a Newton method with W.
#include "contact/models/coulomb_cone.h"

#include <algorithm>
#include <array>

#include "contact/models/solve_island.h"
#include "contact/routes/convex.h"
#include "contact/routes/coupled.h"
#include "contact/routes/ladder.h"

namespace stiction {

namespace {

// What newton and interior_point take.
bool has_contacts_only(const IslandTask& task) {
    const std::vector<Triple>& triples = task.workspace.triples.all;
    return std::all_of(triples.begin(), triples.end(), [](const Triple& t) { return t.cone; });
}

constexpr std::array<Rung, 4> kSweeps = {{
    {Rung::kChosen, of_free_bodies, sweep_to_the_end},
    {Rung::kChosen, with_trees, solve_by<ConeSolver::kPgs>},
    {Rung::kFallback, with_trees, solve_by_prox_newton},
    {Rung::kSafe, nullptr, solve_frictionless},
}};
template <ConeSolver kSolver>
constexpr std::array<Rung, 3> kWithW = {{
    {Rung::kChosen, has_contacts_only, solve_by<kSolver>},
    {Rung::kFallback, nullptr, solve_by_prox_newton},
    {Rung::kSafe, nullptr, solve_frictionless},
}};

std::span<const Rung> rungs(CoulombConeSolver solver) {
    switch (solver) {
        case CoulombConeSolver::kProxNewton:
            return kNewtonAlone;
        case CoulombConeSolver::kNewton:
            return kWithW<ConeSolver::kNewton>;
        case CoulombConeSolver::kInteriorPoint:
            return kWithW<ConeSolver::kInteriorPoint>;
        case CoulombConeSolver::kPgs:
            return kSweeps;
        case CoulombConeSolver::kAuto:
            break;
    }
    return kSweepsThenNewton;
}

}  // namespace

IslandResult solve_island(const CoulombCone& model, const IslandTask& task) {
    build_warm_triples(task);
    return climb(rungs(model.solver), task);
}

}  // namespace stiction
