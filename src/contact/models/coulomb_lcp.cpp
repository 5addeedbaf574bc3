// coulomb_lcp.cpp - polygonal Coulomb friction: which route takes an island.
#include "contact/models/coulomb_lcp.h"

#include <array>

#include "contact/models/solve_island.h"
#include "contact/routes/convex.h"
#include "contact/routes/coupled.h"
#include "contact/routes/ladder.h"
#include "contact/routes/least_impulses.h"
#include "contact/routes/newton.h"
#include "contact/routes/polygon_lcp.h"

namespace stiction {

namespace {

// Each contact in turn on its polygon, from the impulses of the last step.
IslandResult sweep_polygons_to_the_end(const IslandTask& task) {
    build_warm_triples(task);
    return sweep_triples(task, true, &task.workspace.polygon().directions);
}
// The same while it pays.
IslandResult sweep_polygons(const IslandTask& task) {
    build_warm_triples(task);
    return sweep_triples_auto(task, &task.workspace.polygon().directions);
}
IslandResult newton_on_polygons(const IslandTask& task) {
    if (with_trees(task)) build_warm_triples(task);  // else the sweeps have left theirs
    return solve_by_newton(task, {&task.workspace.polygon().directions});
}

IslandResult newton_from_guess(const IslandTask& task) {
    build_warm_triples(task);
    return solve_by_newton(task, {&task.workspace.polygon().directions});
}

bool is_no_pile(const IslandTask& task) { return !is_pile(task.size); }
bool is_for_lemke(const IslandTask& task) {
    return !is_pile(task.size) && task.size.contacts <= kLemkeContacts;
}

constexpr std::array<Rung, 5> kAuto = {{
    {Rung::kChosen, is_no_pile, stick_on_polygons},
    {Rung::kChosen, is_for_lemke, solve_polygon_lcp},
    {Rung::kChosen, of_free_bodies, sweep_polygons},
    {Rung::kChosen, is_for_newton, newton_on_polygons},
    {Rung::kSafe, nullptr, solve_frictionless},
}};
constexpr std::array<Rung, 3> kLemke = {{
    {Rung::kChosen, nullptr, solve_polygon_lcp},
    {Rung::kFallback, nullptr, newton_from_guess},
    {Rung::kSafe, nullptr, solve_frictionless},
}};
constexpr std::array<Rung, 3> kSweeps = {{
    {Rung::kChosen, of_free_bodies, sweep_polygons_to_the_end},
    {Rung::kChosen, with_trees, solve_polygon_lcp},
    {Rung::kSafe, nullptr, solve_frictionless},
}};

std::span<const Rung> rungs(CoulombLcpSolver solver) {
    switch (solver) {
        case CoulombLcpSolver::kLemke:
            return kLemke;
        case CoulombLcpSolver::kPgs:
            return kSweeps;
        case CoulombLcpSolver::kAuto:
            break;
    }
    return kAuto;
}

}  // namespace

IslandResult solve_island(const CoulombLcp& model, const IslandTask& task) {
    set_directions(model.sides, task.workspace.polygon().directions);
    IslandResult result = climb(rungs(model.solver), task);
    lessen_impulses(task, {&task.workspace.polygon().directions}, result);
    return result;
}

}  // namespace stiction
