// joint_rows.h - rows of joints: what holds them in maximal coordinates, and limits, motors and
// friction on their coordinates.
#pragma once

#include <vector>

#include "control/forces.h"
#include "dynamics/tree.h"
#include "model/model.h"
#include "model/state.h"
#include "problem/contact_problem.h"
#include "problem/step_settings.h"

namespace stiction {

// Links and rows of the joints in maximal coordinates.
void assemble_joints(const Model& model, const State& state, const Forces& forces,
                     const StepSettings& settings, const std::vector<TreeMotion>& trees,
                     ContactProblem& problem);

// Links and rows on the coordinates of one tree.
void assemble_tree_rows(const Model& model, const State& state, const Forces& forces,
                        const StepSettings& settings, const Tree& tree, ContactProblem& problem);

// Rows of joints that mimic others: q' - multiplier q'_other = 0 on one link for each.
void assemble_mimics(const Model& model, const State& state, const StepSettings& settings,
                     ContactProblem& problem);

// Joint friction [DS10, QP 4]: the row wants no motion, with |impulse| <= h (mu_c + mu_v |q'|).
[[nodiscard]] double joint_friction(const Joint& joint, const JointCoordinate& coordinate);

}  // namespace stiction
