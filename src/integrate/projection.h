// projection.h - removes position drift after a step without touching momenta: velocities stay, so
// no kinetic energy is added, but for the spin of a body whose axes of inertia are turned.
//
//   min 1/2 d' M d   subject to   J d = -g(q),   N d + phi >= 0,   L d + phi_l >= 0
//   q <- q (+) d
//
// with the rows of the step and the errors after it: joint errors are evaluated at the new
// configuration, gaps by carrying the witness points of the step's contacts with their bodies.
// Islands without drift are left alone. The correction of a gap is at most h max_depenetration per
// step, and less where that would move a body farther than this, so bodies that start inside one
// another part gently. Large piles are corrected by a few
// sweeps per step (contact/routes/sweeps.h): what is left is corrected in the next one, and the
// status says that the sweeps ended at their limit.
//
// Where links turn fast the rows of the step leave part of a joint's error: up to seven more rounds
// for joints follow, with the errors that the last one left, until they are 5e-4 of the
// tolerance on joints; gaps are only kept from closing in these.
//
// Rows are linear in d and may contradict one another, so not every island can be solved. A
// correction that is not solved is taken only as far as it moves no body by more than
// h max_depenetration, and not at all where it would make the worst error worse (that of sweeps,
// which are on their way, is).
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "contact/island/island_rows.h"
#include "contact/routes/newton.h"
#include "contact/routes/pivoting.h"
#include "contact/routes/sweeps.h"
#include "core/deadline.h"
#include "model/model.h"
#include "model/state.h"
#include "problem/contact_problem.h"
#include "problem/contact_set.h"
#include "problem/step_settings.h"

namespace stiction {

struct ProjectionResult {
    int islands = 0;            // islands that were corrected
    int unsolved = 0;           // islands whose correction is no solution, or cut short
    int refused = 0;            // of these: whose correction would have made the worst error worse
    double largest_move = 0;    // farthest that a centre of mass was moved [m]
    double unsolved_move = 0;   // the same, by corrections that are no solution
    double potential_gain = 0;  // potential energy added by the lift [J]
    SolveStatus status = SolveStatus::kSolved;
};

struct ProjectionWorkspace {
    std::vector<double> gaps;          // per contact, after the step [m]
    std::vector<double> joint_errors;  // per joint row [m]
    std::vector<double> limit_gaps;    // per limit row [m]
    IslandRows rows;  // of one island; targets and the answer are displacements [m]
    std::vector<PivotingWorkspace> islands;
    BodyNewton newton;      // of islands where pivoting does not end
    SweepWorkspace sweeps;  // of piles that are swept instead of factored
    std::vector<int> links_per_block;
    VecX zero, momentum, d;
    VecX tree_v;                                        // velocities of one tree
    std::vector<Vec3> tree_before;                      // where its bodies were
    std::vector<std::pair<Pose, Twist>> bodies_before;  // of the island, before a move is tried
    std::vector<double> tried_errors;                   // of one link's joint rows after it
};

// v_move is the velocity that took `before` to `state`; `gaps` are those of the contacts at `state`
// where the caller knows them better than they can be measured here, otherwise empty. After the
// deadline an island gets one iteration: what drift is left is corrected in the next step.
[[nodiscard]] ProjectionResult project_positions(const Model& model, const ContactSet& contacts,
                                                 const ContactProblem& problem, const VecX& v_move,
                                                 std::span<const double> gaps,
                                                 const StepSettings& settings, const State& before,
                                                 ProjectionWorkspace& workspace, State& state,
                                                 Deadline deadline = {});

}  // namespace stiction
