// contact_solution.h - what a contact model makes of a ContactProblem.
#pragma once

#include <string_view>
#include <vector>

#include "core/solve_report.h"
#include "core/types.h"

namespace stiction {

struct ContactProblem;

// How one island was solved.
struct IslandResult : SolveReport {  // the residual is that of the model's own law
    std::string_view solver;         // that answered, by its user-visible name
    bool fallback = false;           // not the one that was asked for
    int pivots = 0;
    int passes = 1;  // no_slip: solves until no contact had to be released
};

// Impulses [N s]. A positive c_n pushes body A along n; c_s, c_t push it along s, t; B gets the
// opposite.
struct ContactSolution {
    VecX v;       // velocity after the step
    VecX v_move;  // mean velocity of the step, which moves the bodies: v, but where an impact with
                  // restitution lies inside the step the approach counts for its share of the time
    std::vector<double> c_n, c_s, c_t;  // per contact
    std::vector<double> c_j, c_l, c_b;  // per joint, limit, bounded row
    std::vector<IslandResult> islands;

    // Over all islands:
    SolveStatus status = SolveStatus::kSolved;  // the worst
    std::string_view solver = "none";           // of the largest island
    int iterations = 0;                         // sums
    int pivots = 0;
    int passes = 0;       // largest
    int failures = 0;     // islands without status solved
    int fallbacks = 0;    // islands answered by a fallback
    double residual = 0;  // largest
};

// One impulse of zero per row of the problem.
void set_zero_impulses(const ContactProblem& problem, ContactSolution& solution);

}  // namespace stiction
