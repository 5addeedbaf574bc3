// state.h - everything about the bodies that a step changes.
#pragma once

#include <cstdint>
#include <vector>

#include "core/types.h"
#include "model/model.h"

namespace stiction {

struct State {
    double time = 0;           // [s]
    std::int64_t step = 0;     // steps taken
    std::vector<Pose> pose;    // per body: centre of mass and orientation in the world
    std::vector<Twist> twist;  // per body; prescribed for kinematic bodies, zero for static ones
    // Per body: spin in its principal axes. The integrator of free rotation works on these and
    // derives twist.w: a slender rod's spin about its length, seen in world axes, has its rounding
    // multiplied by the ratio of the moments. Where it does not give twist.w to the last bit (a
    // contact, the position projection or a user has set twist.w since), twist.w counts. May be
    // empty.
    std::vector<Vec3> spin_P;
};

// Spin in the body's principal axes, from spin_P or twist.
[[nodiscard]] Vec3 principal_spin(const Body& body, const State& state, std::size_t i);

// Sets spin_P and with it twist.w, for the orientation that the state has. spin_P has its size.
void set_principal_spin(const Body& body, const Vec3& spin, std::size_t i, State& state);

// Over all positions, orientations and velocities: equal for bit-identical states.
[[nodiscard]] std::uint64_t state_hash(const State& state);

[[nodiscard]] bool is_finite(const State& state);

struct Energy {
    double kinetic = 0;    // [J]
    double potential = 0;  // of gravity, zero at the origin [J]
    [[nodiscard]] double total() const { return kinetic + potential; }
};
[[nodiscard]] Energy energy(const Model& model, const State& state);

struct Momentum {
    Vec3 linear = Vec3::Zero();   // [N s]
    Vec3 angular = Vec3::Zero();  // about the world origin [N m s]
};
[[nodiscard]] Momentum momentum(const Model& model, const State& state);

// The joint's coordinate (revolute: angle within pi of 0, or of the middle of its limits;
// prismatic: distance; 0 for other kinds), its rate, and the joint's axis.
struct JointCoordinate {
    double position = 0;
    double velocity = 0;
    Vec3 axis = Vec3::UnitZ();  // world
};
[[nodiscard]] JointCoordinate joint_coordinate(const State& state, const Joint& joint);

// How far a joint that mimics another is from where it should be [rad or m]. Angles do not count
// turns: where the other turns freely and the multiplier is no whole number there is no telling,
// and the error is 0.
[[nodiscard]] double mimic_error(const Model& model, const State& state, const Joint& joint);

}  // namespace stiction
