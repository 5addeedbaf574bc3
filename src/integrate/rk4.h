// rk4.h - classical Runge-Kutta of fourth order for rigid bodies: q' = v, v' = a(q, v, t).
//
// Orientations stay rotations: within the step a body's is exp(theta) q with
//
//   theta' = w - 1/2 theta x w + 1/12 theta x (theta x w),    theta = 0 at the start
//
// which differs from the exact rate by terms too small to matter for the order (Munthe-Kaas), and
// a body with constant spin turns exactly.
//
// Bodies in reduced coordinates go by these: q' = v of their trees, v' the caller's. Orientations
// of a floating base and of spherical joints are as above, those of joints in their parent's axes.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "model/model.h"
#include "model/state.h"

namespace stiction {

inline constexpr std::array<double, 4> kRk4Weights = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};

struct Rk4Workspace {
    State stage;
    std::vector<Twist> acceleration;                      // per body, of one stage
    std::vector<Twist> velocity_sum, acceleration_sum;    // weighted over the stages
    std::vector<Twist> last_velocity, last_acceleration;  // of the stage before; theta' for w
    // The same of trees, over all generalized velocities: only their blocks are in use. What
    // Accelerations give is in tree_acceleration, the mean velocity of the step in tree_mean.
    VecX tree_v, tree_stage_v, tree_last_v, tree_last_a;
    VecX tree_acceleration, tree_mean, tree_acceleration_sum;
};

// Accelerations of all bodies (zero for static ones) at a stage's state, time included; those of
// trees go to the workspace.
using Accelerations = std::function<void(int stage, const State& state, std::vector<Twist>& a)>;

// Moves every body that is not static by one step. `mean` is the velocity that takes each from its
// old pose to its new one in time h.
void rk4(const Model& model, double h, const Accelerations& accelerations, Rk4Workspace& workspace,
         State& state, std::vector<Twist>& mean);

// state's poses after moving with its own velocities for a time dt; v: those of the trees, in their
// blocks of all generalized velocities.
void drift(const Model& model, const State& state, const VecX& v, double dt, State& moved);

}  // namespace stiction
