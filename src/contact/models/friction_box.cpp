// friction_box.cpp - box friction with bounds from the last step.
#include "contact/models/friction_box.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "contact/models/solve_island.h"
#include "contact/routes/convex.h"
#include "contact/routes/coupled.h"
#include "contact/routes/dense.h"
#include "contact/routes/ladder.h"
#include "contact/routes/least_impulses.h"

namespace stiction {

namespace {

// c~_n of every contact of the island, in solution.c_n: that of the last step, or of a solve
// without friction where a contact is new.
void set_last_impulses(const IslandTask& task) {
    bool any_new = false;
    const auto is_new = [&](int i) { return task.shared.guess.bits[at(i)] == kNoGuess; };
    for_each_contact(task, [&](int i) { any_new = any_new || is_new(i); });
    if (any_new) (void)solve_frictionless(task);
    for_each_contact(task, [&](int i) {
        if (is_new(i)) return;
        const Vec3 n = task.problem.contacts[at(i)].n.head<3>();
        task.solution.c_n[at(i)] = std::max(0.0, n.dot(task.shared.guess.impulses[at(i)]));
    });
}

// Contacts become rows between bounds; every row gets the CFM.
void bound_contacts(const FrictionBox& model, const IslandTask& task) {
    IslandRows& rows = task.workspace.rows;
    rows.filler = model.cfm;
    for (std::size_t r = 0; r < rows.rows.size(); ++r) {
        Row& row = rows.rows[r];
        row.compliance += model.cfm;
        if (!is_tangential(rows.source[r])) continue;
        const std::size_t i = at(rows.source[r].index);
        row.hi = task.problem.contacts[i].mu_c * task.solution.c_n[i];
        row.lo = -row.hi;
    }
    for (Triple& triple : task.workspace.triples.all) triple.cone = false;
}

// Whether some friction is at its bound. Then how the normal impulses are shared out is what bounds
// friction in the next step, where contacts come and go: it stays as it is.
bool slides(const IslandTask& task) {
    const IslandRows& rows = task.workspace.rows;
    const Triples& triples = task.workspace.triples;
    for (std::size_t a = 0; a < triples.all.size(); ++a) {
        for (std::size_t k = 0; k < 3; ++k) {
            const int r = triples.all[a].row[k];
            if (r == kNone || !is_tangential(rows.source[at(r)])) continue;
            const double c = triples.r[static_cast<Eigen::Index>(3 * a + k)];
            if (rows.rows[at(r)].hi > 0 && std::abs(c) >= rows.rows[at(r)].hi) return true;
        }
    }
    return false;
}

// Rows of motors far stiffer than the contacts' can leave the Newton method in a circle of states;
// pivoting ends.
bool is_for_pivoting(const IslandTask& task) { return task.size.links <= kPileLinks; }

constexpr std::array<Rung, 4> kAuto = {{
    {Rung::kChosen, of_free_bodies, sweep_while_it_pays},
    {Rung::kChosen, is_for_newton, solve_by_prox_newton},
    {Rung::kFallback, is_for_pivoting, solve_triples_by<DenseSolver::kBlockPivot>},
    {Rung::kSafe, nullptr, solve_frictionless},
}};
constexpr std::array<Rung, 4> kSweeps = {{
    {Rung::kChosen, of_free_bodies, sweep_to_the_end},
    {Rung::kChosen, with_trees, solve_triples_by<DenseSolver::kPgs>},
    {Rung::kFallback, with_trees, solve_by_prox_newton},
    {Rung::kSafe, nullptr, solve_frictionless},
}};
template <DenseSolver kSolver>
constexpr std::array<Rung, 3> kDense = {{
    {Rung::kChosen, nullptr, solve_triples_by<kSolver>},
    {Rung::kFallback, nullptr, solve_by_prox_newton},
    {Rung::kSafe, nullptr, solve_frictionless},
}};

std::span<const Rung> rungs(FrictionBoxSolver solver) {
    switch (solver) {
        case FrictionBoxSolver::kPgs:
            return kSweeps;
        case FrictionBoxSolver::kPgsSm:
            return kDense<DenseSolver::kPgsSm>;
        case FrictionBoxSolver::kBlockPivot:
            return kDense<DenseSolver::kBlockPivot>;
        case FrictionBoxSolver::kLemke:
            return kDense<DenseSolver::kLemke>;
        case FrictionBoxSolver::kProxNewton:
            return kNewtonAlone;
        case FrictionBoxSolver::kAuto:
            break;
    }
    return kAuto;
}

}  // namespace

IslandResult solve_island(const FrictionBox& model, const IslandTask& task) {
    set_last_impulses(task);
    build_warm_triples(task);
    bound_contacts(model, task);
    if (model.solver == FrictionBoxSolver::kPgsSm) {
        task.workspace.dense().pgs_sm_cycle.k_pgs = model.k_pgs;
        task.workspace.dense().pgs_sm_cycle.k_sm = model.k_sm;
    }
    IslandResult result = climb(rungs(model.solver), task);
    if (!slides(task)) lessen_impulses(task, {}, result);
    for_each_contact(task, [&](int i) { task.shared.next_contacts[at(i)] = 0; });
    return result;
}

}  // namespace stiction
