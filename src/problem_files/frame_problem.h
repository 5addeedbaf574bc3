// frame_problem.h - a frame -> the contact problem that every model and solver takes. Of a frame that
// this program wrote it is the step as it was solved. Of another one it is made of bodies, joints and
// contacts:
//
//   v_free = v + h M^-1 f,   bias = phi/h where phi > 0 (as with stabilisation by projection),   J v+ = -rate
//
// Rows between bounds have impulses h times their forces; one whose bounds are 0 and infinity is a
// limit. Bodies that are not active move as the frame says.
#pragma once

#include <string>
#include <vector>

#include "problem/contact_solution.h"
#include "problem_files/problem_frame.h"

namespace stiction {

struct FrameProblem {
    ContactProblem problem;
    ContactModel model;                // that made the step, or coulomb_cone
    Guess guess;                       // before the step; empty where it is not known
    double restitution_threshold = 0;  // [m/s]
    bool contradicted = false;
    std::vector<int> row_of;    // per contact of the frame; kNone: between bodies that do not move
    std::vector<char> turned;   // per contact of the frame: its row has the normal -n
    std::vector<int> block_of;  // per body of the frame, kNone: moves as prescribed. Empty where
                                // there are trees
};

// `place` stands for the frame in messages. With `public_only` what this program adds to a frame is
// left aside. Throws InputError where rows of a joint push its two bodies out of balance, which no
// joint does.
[[nodiscard]] FrameProblem make_frame_problem(const ProblemFrame& frame, const std::string& place,
                                              bool public_only = false);

// Velocities of the frame's bodies and impulses of its contacts, from a solution of its problem.
[[nodiscard]] FrameAnswer make_answer(const ProblemFrame& frame, const FrameProblem& from,
                                      const ContactSolution& solution);

}  // namespace stiction
