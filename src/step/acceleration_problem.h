// acceleration_problem.h - viscous friction at the acceleration level [D15, section IV]: the two
// problems that a step of it solves, both without friction and both of the form of ContactProblem.
//
// Impact, at the start of the step, with every contact and limit that touches:
//
//   M (v+ - v) = N'c_n + J'c_j,   J v+ = bJ,   0 <= c_n  _|_  N v+ >= 0
//
// and N v+ + phi/h >= 0 where there is a gap, so that what would close it within the step arrives
// without going through. It is inelastic.
//
// Accelerations, at each stage of RK4 with its q and v:
//
//   M a = f~ + J'f_j + N'f_n,   f~ = f - S'mu_v S v - T'mu_v T v
//   J a + J. v = 0,             0 <= f_n  _|_  N a + N. v >= 0
//
// over the contacts that hold: they touch and do not separate at the start of the step. N. v and
// J. v are the rates of the row velocities along v, those of prescribed motion included. The
// unknown is h a and the impulses are h f, so that the solvers see the units they see at the
// velocity level.
//
// Every row is written for the velocity it will have after the step, w + h (g a + g. v), w its
// velocity after the impact: a holding contact that opens by what the last step left over, or a
// motor that is not at its speed, gets there in this step. With w = 0 it is the row above. Motors
// and joint friction are bounded rows with |f| <= tau_max, at each stage.
#pragma once

#include <vector>

#include "problem/contact_problem.h"
#include "problem/contact_solution.h"

namespace stiction {

// Some rows of a problem as a problem of their own; all its joints belong to it.
struct RowSubset {
    ContactProblem problem;
    std::vector<int> contacts, limits, bounded;  // per row: which one of the whole problem's it is
};

// One number per row of a problem.
struct RowValues {
    std::vector<double> contacts, joints, limits, bounded;
};

// The impact: v_free is v. `now`: what touches now, and no gap that will close in the step.
void select_impact(const ContactProblem& whole, bool now, std::vector<int>& scratch,
                   RowSubset& impact);

// Whether a limit is met, as touching() of contacts.
[[nodiscard]] bool touches(const ContactProblem& problem, const LimitRow& limit);

// The rows that hold at velocity v, after the impact.
void select_holding(const ContactProblem& whole, const VecX& v, std::vector<int>& scratch,
                    RowSubset& holding);

// g . u of every row at velocity v.
void row_velocities(const ContactProblem& problem, const VecX& v, RowValues& velocities);

// The same, less what the rows' biases and targets ask for: what is to be gone after the step.
void row_errors(const ContactProblem& problem, const VecX& v, RowValues& errors);

// Biases and targets for the unknown h a: `errors` of the start of the step, `rates` the rows'
// g. v.
void set_acceleration_targets(const RowValues& errors, const RowValues& rates,
                              ContactProblem& problem);

// v_free <- h M^-1 f~. Adds `weight` times the impulse of friction over a step to c_s, c_t of the
// whole problem's contacts, along the tangents they have there.
void set_free_acceleration(const ContactProblem& whole, double weight, RowSubset& holding,
                           VecX& momentum, ContactSolution& solution);

// Adds `weight` times a subset's impulses to those of the whole problem, and its counts and status.
void add_part(const RowSubset& subset, const ContactSolution& part, double weight,
              ContactSolution& solution);

}  // namespace stiction
