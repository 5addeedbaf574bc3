// gait.h - makes a four-legged robot walk: feet follow paths in the body's frame, inverse
// kinematics turns them into joint angles, and the joints' position motors follow these.
//
// Each leg has three revolute joints: roll (about x), pitch (about y), knee (about y), with x
// forward and z up in the robot's zero pose. In that pose the leg hangs straight: thigh and shank
// point down from the pitch joint, which stands beside the roll joint.
//
//   stance   the foot goes straight back with the ground, at the body's speed
//   swing    it comes forward on half a sine, `lift` high
//
// A foot's cycle starts with its stance; `offset` says which part of a period later than the first
// leg's.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "core/types.h"
#include "model/model.h"
#include "model/state.h"

namespace stiction {

inline constexpr std::array<std::string_view, 2> kGaitNames = {"trot", "walk"};

// Geometry of a leg in the zero pose, from the model.
struct Leg {
    std::array<int, 3> joint{kNone, kNone, kNone};  // roll, pitch, knee
    Vec3 hip = Vec3::Zero();                        // roll joint in the frame of the body [m]
    Vec3 to_pitch = Vec3::Zero();                   // from it to the pitch joint [m]
    double thigh = 0, shank = 0;                    // lengths [m]
    bool knee_forward = false;                      // which way it bends
};

struct Gait {
    std::vector<Leg> legs;  // front left, front right, rear left, rear right
    double walk =
        0;  // which leg follows which: 0 trot, 1 walk, or on the way from one to the other
    double period = 0.5;  // of a cycle [s]
    double phase = 0;     // that the cycle is ahead, in periods: keeps feet where they are when the
                          // period changes
    double stance = 0.6;  // share of the period that a foot is on the ground [-]
    double lift = 0.02;   // of a foot in its swing [m]
    double height = 0.15;            // of the hips above the feet [m]
    double spread = 0;               // of the feet, sideways beyond the hips [m]
    Eigen::Vector2d velocity{0, 0};  // of the body, forward and to the left [m/s]
    double turn = 0;                 // to the left [rad/s]
    double start = 0.5;              // stands until then, and takes up speed over a period [s]
};

// Joint angles that put the foot at p (frame of the body). Beyond the leg's reach the leg is
// stretched towards p.
[[nodiscard]] Vec3 leg_angles(const Leg& leg, const Vec3& p);
// Where the foot is at these angles.
[[nodiscard]] Vec3 foot_position(const Leg& leg, const Vec3& angles);

// Where the foot of leg `i` should be at this time, frame of the body.
[[nodiscard]] Vec3 foot_target(const Gait& gait, std::size_t i, double time);

// Writes the wanted angles of all legs' joints into `targets`, per joint of the model.
void set_gait_targets(const Gait& gait, double time, std::vector<double>& targets);

}  // namespace stiction
