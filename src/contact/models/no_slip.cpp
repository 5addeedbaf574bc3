// no_slip.cpp - contact without slip: tangential velocity is zero at every contact that presses.
// In: the rows of one island. Out: its velocities and impulses. Follows [D15, section VI];
// no_slip.h has the equations.
#include "contact/models/no_slip.h"

#include <algorithm>
#include <array>

#include "contact/island/operators.h"
#include "contact/island/row_states.h"
#include "contact/models/held_contacts.h"
#include "contact/models/held_rows.h"
#include "contact/models/solve_island.h"
#include "contact/routes/convex.h"
#include "contact/routes/dense.h"
#include "contact/routes/ladder.h"
#include "contact/routes/ppm_rows.h"

namespace stiction {

namespace {

constexpr int kPilePasses = 30;  // of large piles: twice what those at hand need
constexpr int kMostRaises = 6;   // of the bound on friction: as many digits of levers

bool has_few_velocities(const IslandTask& task) { return task.size.velocities <= kDenseVelocities; }

// One pass with the tangential rows as they are. sparse_ppm may cycle where rows depend on one
// another; active_set_rows is exact where they nearly do, the Newton method serves islands of any
// size.
constexpr std::array<Rung, 4> kAuto = {{
    {Rung::kChosen, is_pivoted, pivot},
    {Rung::kChosen, has_few_velocities, solve_whitened_rows},
    {Rung::kChosen, is_swept, sweep_convex},
    {Rung::kChosen, is_for_newton, newton_convex},
}};
constexpr std::array<Rung, 3> kSparse = {{
    {Rung::kChosen, nullptr, pivot},
    {Rung::kFallback, has_few_velocities, solve_whitened_rows},
    {Rung::kFallback, nullptr, newton_convex},
}};
template <ReducedSolver kSolver>
constexpr std::array<Rung, 4> kReduced = {{
    {Rung::kChosen, nullptr, solve_reduced_by<kSolver>},
    {Rung::kFallback, nullptr, pivot},
    {Rung::kFallback, has_few_velocities, solve_whitened_rows},
    {Rung::kFallback, nullptr, newton_convex},
}};

std::span<const Rung> rungs(NoSlipSolver solver) {
    switch (solver) {
        case NoSlipSolver::kPpm:
            return kReduced<ReducedSolver::kPpm>;
        case NoSlipSolver::kActiveSetQp:
            return kReduced<ReducedSolver::kActiveSetQp>;
        case NoSlipSolver::kSparsePpm:
            return kSparse;
        case NoSlipSolver::kAuto:
            break;
    }
    return kAuto;
}

// Large piles are swept. What is held changes often there, and preparing rows anew is dear: they have
// those of all contacts, and the ones that are not held have no room between their bounds.
bool has_all_rows(const NoSlip& model, const IslandTask& task) {
    return model.release_separating && model.solver == NoSlipSolver::kAuto &&
           is_large_pile(task.size);
}

// Rows of the contacts that are held, with the states of the guess.
void build_held_rows(const NoSlip& model, const IslandTask& task, double most,
                     std::span<const std::uint64_t> contacts,
                     std::span<const std::uint64_t> joints) {
    if (has_all_rows(model, task)) {
        build_rows(task, {.all_tangential = true});
    } else {
        build_rows(task, {.tangential = task.shared.tangential});
    }
    bound_tangential(task, most);
    guess_row_states(task, contacts, joints, task.workspace.rows);
}

// Between sweeps.
class HeldRevision final : public RowRevision {
  public:
    HeldRevision(const NoSlip& model, const IslandTask& task, bool frictional_only, double most)
        : model_(model), task_(task), frictional_only_(frictional_only), most_(most) {}
    bool revise() override {
        if (passes_ == kPilePasses || !revise_tangential(model_, task_, frictional_only_))
            return false;
        ++passes_;
        bound_tangential(task_, most_);
        return true;
    }
    [[nodiscard]] int passes() const { return passes_; }

  private:
    const NoSlip& model_;
    const IslandTask& task_;
    bool frictional_only_;
    double most_;  // friction [N s]
    int passes_ = 0;
};

void add_pass(const IslandResult& pass, IslandResult& total) {
    const IslandResult before = total;
    total = pass;
    total.fallback = before.fallback || pass.fallback;
    total.iterations += before.iterations;
    total.pivots += before.pivots;
    total.passes = before.passes + pass.passes;
}

struct Held {
    IslandResult result;
    double more = 0;  // friction that it should have been held with; 0: it is [N s]
};

// With friction of at most so much.
Held solve_held(const NoSlip& model, const IslandTask& task, bool frictional_only, double most) {
    IslandTask own = task;
    own.stop.tolerance = model.tolerance;
    HeldRevision revision(model, task, frictional_only, most);
    if (has_all_rows(model, task)) own.revision = &revision;
    IslandRows& rows = task.workspace.rows;
    choose_tangential(model, task, frictional_only);
    build_held_rows(model, task, most, task.shared.guess.bits, task.guess.joints);
    IslandResult total = climb(rungs(model.solver), own);
    const bool pile = is_large_pile(task.size);
    while (model.release_separating && revise_tangential(model, task, frictional_only)) {
        const bool late = spent(task, total.iterations);
        if (late || (pile && total.passes + revision.passes() >= kPilePasses)) {
            total.status =  // not the model's answer yet
                worse(total.status, late ? SolveStatus::kBudget : SolveStatus::kIterationLimit);
            break;
        }
        keep_row_states(task, rows);
        if (pile) keep_impulses(task, rows);
        build_held_rows(model, task, most, task.shared.next_contacts, task.shared.next_joints);
        add_pass(climb(rungs(model.solver), after(own, total.iterations)), total);
    }
    total.passes += revision.passes();
    const double more = more_friction(task, most);
    set_impulses(task, rows);
    keep_row_states(task, rows);
    return {total, more};
}

}  // namespace

IslandResult solve_sticking(const NoSlip& model, const IslandTask& task, bool frictional_only) {
    return solve_held(model, task, frictional_only, most_friction(task)).result;
}

// An answer whose friction is at its bound though other rows transmit more is not solved.
IslandResult solve_island(const NoSlip& model, const IslandTask& task) {
    Held held = solve_held(model, task, false, most_friction(task));
    IslandResult& result = held.result;
    for (int i = 0; held.more > 0 && result.status == SolveStatus::kSolved; ++i) {
        const bool late = spent(task, result.iterations);
        if (late || i == kMostRaises) {
            result.status = late ? SolveStatus::kBudget : SolveStatus::kIterationLimit;
            break;
        }
        const Held next = solve_held(model, after(task, result.iterations), false, held.more);
        add_pass(next.result, result);
        held.more = next.more;
    }
    return result;
}

}  // namespace stiction
