// grasp_problems.h - the problems that friction_box has solved in a step, taken out of the
// simulation, for solvers to be timed on.
//
//   as rows         the island's problem between bounds as it was: contacts, limits, motors
//   contacts only   the same answer with contacts alone as unknowns: limits and motors that ended
//                   at a bound give known impulses, the others are eliminated with their rows
//   Coulomb LCP     the contacts alone with the four-sided friction pyramid of Stewart and Trinkle
//                   in place of the box: the problem that [ALM09] gave to Lemke's method
#pragma once

#include <vector>

#include "contact/solve_contact.h"
#include "solve/lcp/box_lcp.h"
#include "solve/lcp/lcp.h"

namespace stiction {

struct GraspProblem {
    BoxLcp box;
    VecX guess;              // impulses of the last step
    std::vector<double> mu;  // per contact, whose rows n, s, t are 3 i, 3 i + 1, 3 i + 2
};

// Of one island, after it was solved with a dense solver of friction_box (pgs_sm, block_pivot,
// lemke). Contacts come first. Rows that only fill a block are left out.
[[nodiscard]] GraspProblem take_rows(const IslandWorkspace& island);

[[nodiscard]] GraspProblem keep_contacts(const GraspProblem& rows, const VecX& answer);

// The island's answer in the order of take_rows.
[[nodiscard]] VecX take_answer(const IslandWorkspace& island);

// Unknowns: per contact c_n, then beta along s, -s, t, -t, then lambda.
[[nodiscard]] Lcp make_coulomb_lcp(const GraspProblem& contacts);

// Where the guess is at its bounds, for solvers that pivot.
[[nodiscard]] std::vector<BoundState> guess_states(const GraspProblem& problem);

}  // namespace stiction
