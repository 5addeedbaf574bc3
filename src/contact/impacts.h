// impacts.h - impacts one after another, `step: {impacts: sequential}`.
//
// Of the contacts that close in the step the one that approaches fastest rebounds alone, then the
// one that does so in the velocities that it leaves, until none does. For contact i
//
//   v <- v + (1 + eps) (v_i - v),      v_i: nearest to v (in M) with n_i . u_i = 0, J v_i = J v
//
// where v_i is a projection of v: with eps = 1 every impact keeps the energy, and momentum always
// stays. A blow passes along a row of balls as it does along Newton's cradle; rebounds at one
// moment (restitution.h) share it among all. Impacts have no friction: that of the step acts on
// what they leave.
#pragma once

#include <vector>

#include "contact/island/island_task.h"
#include "problem/contact_problem.h"
#include "problem/contact_solution.h"

namespace stiction {

struct ImpactWorkspace {
    IslandRows rows;
    Made<PivotingWorkspace> pivoting;
    VecX v, v_stopped, momentum;
    std::vector<double> c_n, c_j;  // impulses of the impacts [N s]
};

// Takes the impacts of contacts that approach faster than the threshold [m/s]: what they change is
// added to problem.v_free. Returns how many there were.
int take_impacts(double threshold, ImpactWorkspace& workspace, ContactProblem& problem);

// Adds the impulses of the last impacts to the solution of the problem that they left.
void add_impact_impulses(const ImpactWorkspace& workspace, ContactSolution& solution);

}  // namespace stiction
