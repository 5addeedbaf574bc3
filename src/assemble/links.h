// links.h - the unknowns of a step and what couples them: blocks of velocities with their inertia,
// and the links between bodies (problem/link_system.h).
#pragma once

#include <vector>

#include "control/forces.h"
#include "dynamics/tree.h"
#include "model/model.h"
#include "model/state.h"
#include "problem/contact_problem.h"

namespace stiction {

// M, v, f and v_free of all blocks; also what the trees' links will need.
void assemble_blocks(const Model& model, const State& state, const Forces& forces, double h,
                     std::vector<TreeMotion>& trees, ContactProblem& problem);

// The same at another state, in place: links and their sides stay where they are. Trees have their
// Coriolis forces with the others, and no tension in their inertia.
void update_blocks(const Model& model, const State& state, const Forces& forces, double h,
                   std::vector<TreeMotion>& trees, ContactProblem& problem);

// Radius of gyration of the lighter-to-turn of the link's unknown bodies: a length natural to the
// pair.
[[nodiscard]] double natural_length(const Model& model, const LinkSystem& system, int body_a,
                                    int body_b);

// Link between two bodies (kNone: the world) with reference point p, without what needs its length.
[[nodiscard]] Link make_link(const Model& model, const State& state, int body_a, int body_b,
                             const Vec3& p);

// What its length is needed for: Jacobians of trees, and the motion of kinematic bodies.
void complete_link(const Model& model, const State& state, const std::vector<TreeMotion>& trees,
                   int body_a, int body_b, const Vec3& p, Link& link, LinkSystem& system);

// Jacobians of trees of a link that complete_link() has made, for p and the trees' motions of now;
// refresh_responses() of the system is left to the caller.
void update_sides(const Model& model, const std::vector<TreeMotion>& trees, int body_a, int body_b,
                  const Vec3& p, const Link& link, LinkSystem& system);

// Needs link.length. Bodies that are no unknowns move as prescribed (static ones not at all).
void add_prescribed_motion(const Model& model, const std::vector<Twist>& twists, int body_a,
                           int body_b, Link& link);

// Room for `count` numbers, set to zero; gives where they start.
int take_from_pool(LinkSystem& system, int count);

}  // namespace stiction
