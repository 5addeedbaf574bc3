// tension.h - bodies that joints pull at, implicitly.
//
// A joint that pulls at a body with force F at lever r resists its turning: K = (F.r) 1 - (r F' + F
// r')/2, the symmetric part of the torque's change r x F as the body turns. A chain of N links of
// mass m and length l swings at up to omega^2 = K/I, about 12 N g / l, and a step that takes F as
// it is gains energy beyond h omega = 2. Where h^2 K exceeds the body's inertia, so h omega > 1,
// the step takes the pull at its end:
//
//   (M + h^2 K) v_free = M v + h f
//
// with the part of K that is not negative. That damps, and is done nowhere else. In reduced
// coordinates F follows from the accelerations of the bodies without contacts; in maximal
// coordinates it is that of the last step.
#pragma once

#include <span>
#include <vector>

#include "control/forces.h"
#include "dynamics/tree.h"
#include "problem/contact_problem.h"

namespace stiction {

// Could a body of the tree be stiff? Cheap, and on the safe side but for forces of contacts, motors
// and scripts. motion as of tree_inertia().
[[nodiscard]] bool may_be_stiff(const Model& model, const Tree& tree, const State& state, double h,
                                const TreeMotion& motion);

// Adds h^2 K to the bodies' inertias in `motion` where it is to be; false: nowhere. `acceleration`:
// of the tree's velocities, without contacts.
bool add_tension(const Model& model, const Tree& tree, const State& state, const Forces& forces,
                 double h, const double* acceleration, TreeMotion& motion);

// The same for the free bodies of a problem, from the joint impulses of the step before, per joint
// row: their blocks, v_free and f. `stiff`: per block, whether it is; empty where none is.
void add_joint_tension(std::span<const double> joint_impulses, std::vector<Mat3>& scratch,
                       std::vector<char>& stiff, ContactProblem& problem);

}  // namespace stiction
