// coulomb_cone.cpp - the Coulomb law on the true cone: sweeps, then a Newton method with W.
#include "contact/models/coulomb_cone.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "contact/island/row_states.h"
#include "contact/models/held_contacts.h"
#include "contact/models/solve_island.h"
#include "contact/routes/convex.h"
#include "contact/routes/coupled.h"
#include "contact/routes/ladder.h"
#include "contact/routes/least_impulses.h"
#include "contact/routes/pivoting.h"

namespace stiction {

namespace {

// What newton and interior_point take.
bool has_contacts_only(const IslandTask& task) {
    const std::vector<Triple>& triples = task.workspace.triples.all;
    return std::all_of(triples.begin(), triples.end(), [](const Triple& t) { return t.cone; });
}

// Without contacts all laws are one, a linear system but for limits and bounds: pivoting solves it to
// rounding, with doubled and dependent rows by rank.
bool has_no_contacts(const IslandTask& task) { return task.size.contacts == 0; }

IslandResult pivot_joints(const IslandTask& task) {
    IslandRows& rows = task.workspace.rows;
    guess_row_states(task, task.shared.guess.bits, task.guess.joints, rows);
    IslandTask exact = task;
    exact.stop.tolerance = kPivotingTolerance;
    const IslandResult result = pivot(exact);
    set_impulses(task, rows);
    keep_row_states(task, rows);
    return result;
}

// Where friction is so large that the cone is nearly a half space, iterations on it hardly move: the
// normal direction weighs 1 / mu. There the answer without slip is the one to try first.
constexpr double kVeryRough = 100;

bool is_very_rough(const IslandTask& task) {
    bool rough = false;
    for_each_contact(
        task, [&](int i) { rough = rough || task.problem.contacts[at(i)].mu_c > kVeryRough; });
    return rough;
}

// Without slip, with every impulse inside its cone, it solves the law.
bool sticks(const IslandTask& task) {
    const ContactSolution& x = task.solution;
    bool inside = true;
    for_each_contact(task, [&](int i) {
        const double mu = task.problem.contacts[at(i)].mu_c;
        const bool held = task.shared.tangential[at(i)] != 0 || x.c_n[at(i)] <= 0 || mu <= 0;
        inside = inside && held && std::hypot(x.c_s[at(i)], x.c_t[at(i)]) <= mu * x.c_n[at(i)];
    });
    return inside;
}

IslandResult stick_on_cones(const IslandTask& task) {
    IslandResult result = solve_sticking(NoSlip{}, task, true);
    result.solver = "stick";
    if (result.status == SolveStatus::kSolved && all_rest(task) && sticks(task)) return result;
    clear_impulses(task);
    build_warm_triples(task);  // of the rungs that follow
    const IslandResult none = no_answer();
    result.status = none.status;
    result.residual = none.residual;
    result.fallback = false;
    return result;
}

constexpr std::array<Rung, 5> kAuto = {{
    {Rung::kChosen, has_no_contacts, pivot_joints},
    {Rung::kChosen, is_very_rough, stick_on_cones},
    {Rung::kChosen, of_free_bodies, sweep_while_it_pays},
    {Rung::kChosen, is_for_newton, solve_by_prox_newton},
    {Rung::kSafe, nullptr, solve_frictionless},
}};
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

// The dense matrix of normals and joints limits what the splitting takes.
bool is_for_split(const IslandTask& task) {
    return task.workspace.triples.all.size() <= at(kDenseRows);
}

constexpr std::array<Rung, 3> kSplitting = {{
    {Rung::kChosen, is_for_split, solve_by<ConeSolver::kSplit>},
    {Rung::kFallback, nullptr, solve_by_prox_newton},
    {Rung::kSafe, nullptr, solve_frictionless},
}};

std::span<const Rung> rungs(CoulombConeSolver solver) {
    switch (solver) {
        case CoulombConeSolver::kSplit:
            return kSplitting;
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
    return kAuto;
}

}  // namespace

IslandResult solve_island(const CoulombCone& model, const IslandTask& task) {
    build_warm_triples(task);
    IslandResult result = climb(rungs(model.solver), task);
    lessen_impulses(task, {}, result);
    return result;
}

}  // namespace stiction
