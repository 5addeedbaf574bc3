// tree_momentum.h - what a tree's own inertia does to its velocities over a step: its Coriolis and
// gyroscopic forces, taken so that kinetic energy cannot grow.
//
// A step gives the tree velocities v+ at q and moves it to q+. Each body would keep its momentum on
// the way: p = (m v_com, I(R+) w'), v_com its velocity S(q) v+, w' its spin after rotation without
// torque (free_body.h). The joints let through the part of it that they allow at q+, nearest in the
// kinetic metric:
//
//   v_M = H(q+)^-1 S(q+)' p                  no more energy than v+ has, some is lost: a pendulum
//                                            that turns by d in a step goes on with cos d
//   v_A = v+ - h H(q+)^-1 C(q+, v+)          explicit Coriolis forces: nothing is lost on average,
//                                            but energy may grow where h |w| is not small
//   v   = v_M + t (v_A - v_M),   0 <= t <= 1
//
// Both are right to first order in h. t is the largest that keeps
//
//   T(v) <= T(v+)   and   T(v) + h/2 g.v + V(q+) <= T(v+) - h/2 g.v+ + V(q)
//
// with g the generalized force of gravity at either place and V its potential: symplectic Euler
// keeps T + h/2 g.v + V at the start of a step, up to the third order of h. Where not even t = 0
// keeps it, the joints' velocities are scaled down. Under tension beyond h omega = 2 no explicit
// step does without that. The second condition is for trees with more than one velocity, for a
// single one can neither gain energy nor fall apart, and it is left out where the tree did not move
// with v+.
//
// A floating base keeps the tree's linear and angular momentum about O: v_A - v_M is taken without
// the motion of the tree as a whole.
//
// All that takes H at q+. A tree that touches something and hardly turns in a step (is_slow())
// takes explicit Coriolis forces with the others instead, as v_A does from q: a robot that stands
// is stepped at two thirds of the cost. Such forces may gain energy, of the order of (h |w|)^2 / 2
// of the kinetic energy in a step, below 1e-6.
#pragma once

#include <vector>

#include "dynamics/tree.h"

namespace stiction {

// Refilled without allocation.
struct TreeMomenta {
    // At the start, from remember_momenta().
    std::vector<Vec3> velocity;  // per node, of the centre of mass [m/s]
    std::vector<Vec3> spin_P;  // per node, after rotation without torque, in principal axes of then
    double kinetic = 0;        // [J]
    double balance = 0;        // T(v+) - h/2 g.v+ + V(q) [J]
    // At the end.
    TreeMotion motion;
    std::vector<double> H;  // entries of H, then those of its root
    std::vector<TreeMotion::Spatial> momentum, change, weight;  // per node, of the subtree beyond
    VecX r_M, r_d, g;  // H v_M, H (v_A - v_M), force of gravity
    VecX v_M, d;
};

// Coriolis forces of this step may be explicit; motion as of find_motion().
[[nodiscard]] bool is_slow(const TreeMotion& motion, double h);

// Before the tree moves: `motion` of where it is, v the velocities that the step has given it.
void remember_momenta(const Model& model, const Tree& tree, const State& state,
                      const TreeMotion& motion, Eigen::Ref<const VecX> v, double h,
                      TreeMomenta& momenta);

// After it has moved, and has velocities v: sets those that the next step starts from. `moved_so`:
// it moved with v.
void carry_momenta(const Model& model, const Tree& tree, double h, bool moved_so,
                   TreeMomenta& momenta, State& state);

}  // namespace stiction
