// tree.h - bodies in reduced coordinates: a tree whose velocities are those of its base and its
// joints. All spatial quantities are in world axes and about one point O, fixed for the instant, so
// nothing is transformed from link to link:
//
//   velocity of a body   (v_O, w)     of its material point at O, and its spin
//   force on a body      (f, tau_O)
//   S                    6 x n        column k: what a unit of velocity k gives each body beyond it
//
//   H = sum over bodies of S_b' I_b S_b                       composite rigid bodies
//   C = sum of S_b' (I_b a_b + v_b x* I_b v_b), a_b = S'_b v  recursive Newton-Euler at zero v'
//   H v' = S' (applied forces) - C                           steps take C as tree_momentum.h has it
//
// Velocities: a floating base has those of its centre of mass and its spin, a revolute and a
// prismatic joint the rate of its coordinate, a spherical joint the relative spin in world axes.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/types.h"
#include "model/model.h"
#include "model/state.h"
#include "model/wrench.h"

namespace stiction {

// Everything about a tree at one state, refilled without allocation. Spatial vectors are worked on
// by halves: six numbers of which three were just written are slow to read in pairs.
struct TreeMotion {
    struct Spatial {
        Vec3 linear = Vec3::Zero();
        Vec3 angular = Vec3::Zero();
    };
    Vec3 O = Vec3::Zero();                       // [m]
    Eigen::Matrix<double, 6, Eigen::Dynamic> S;  // per velocity
    VecX v;                                      // velocities
    std::vector<Spatial> velocity;               // per node (v_O, w)
    std::vector<Spatial> acceleration;           // per node, S' v: with constant velocities
    std::vector<Spatial> force;                  // per node: what the subtree beyond needs, minus
                                                 // what is applied to it
    struct Inertia {                             // of a body, or of a subtree as one, about O
        double mass = 0;
        Vec3 moment = Vec3::Zero();  // mass times centre
        Mat3 inertia = Mat3::Zero();
    };
    std::vector<Mat3> R;             // per node, of its body
    std::vector<Inertia> body;       // per node
    std::vector<Inertia> composite;  // per node, the subtree beyond it
    bool touches = false;            // something, in this step; set by the caller
    bool stiff = false;              // tension was added to its inertia (assemble/tension.h)
    bool takes_coriolis = false;     // Coriolis forces are part of the step's (is_slow())
    // Scratch of assemble/tension.h, per node.
    std::vector<Spatial> total_acceleration;
    std::vector<Vec3> pull;
    std::vector<Mat3> stiffness;
};

// S, v, and rotations, inertias and velocities of all bodies.
void find_motion(const Model& model, const Tree& tree, const State& state, TreeMotion& motion);

// The entries of H (core/ways.h), armatures included; motion as of find_motion.
void tree_inertia(const Model& model, const Tree& tree, TreeMotion& motion, double* H);

// S' (applied forces) into f; wrench per body of the model, without gyroscopic torque.
void applied_force(const Tree& tree, const State& state, const std::vector<Wrench>& wrench,
                   TreeMotion& motion, Eigen::Ref<VecX> f);

// A body's momentum about O after a step h in which the tree keeps its velocities against the
// Coriolis forces, less what these take: I v - h (I a + v x* I v).
[[nodiscard]] TreeMotion::Spatial momentum_after(const TreeMotion& motion, std::size_t node,
                                                 double h);

// S' (applied forces) - C into f; wrench per body of the model, without gyroscopic torque.
void tree_force(const Tree& tree, const State& state, const std::vector<Wrench>& wrench,
                TreeMotion& motion, Eigen::Ref<VecX> f);

// sign times a velocity's column of the Jacobian of a body that it moves, at point p: velocity of
// the point and length times the spin.
void jacobian_column(const TreeMotion& motion, int velocity, const Vec3& p, double length,
                     double sign, double* column);

// Moves the tree with velocities u for a time and then gives its bodies the velocities v; both in
// the order of the tree's block.
void move_tree(const Model& model, const Tree& tree, Eigen::Ref<const VecX> u, double time,
               Eigen::Ref<const VecX> v, State& state);

// Gives the tree's bodies, which are where `motion` has them, the velocities v.
void set_tree_twists(const Tree& tree, TreeMotion& motion, Eigen::Ref<const VecX> v, State& state);

// Velocities of the tree's block from the twists of its bodies.
void tree_velocities(const Model& model, const Tree& tree, const State& state, Eigen::Ref<VecX> v);

}  // namespace stiction
