// controls.h - forces and motions that a scene scripts, as data, and their evaluation at a time.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "control/gait.h"
#include "control/phases.h"
#include "core/types.h"
#include "model/model.h"
#include "model/state.h"
#include "model/wrench.h"

namespace stiction {

// When a script acts: start <= t < end.
struct TimeWindow {
    double start = 0;                                      // [s]
    double end = std::numeric_limits<double>::infinity();  // [s]
    [[nodiscard]] bool holds(double t) const { return start <= t && t < end; }
};

// 1 when frequency is 0, otherwise sin(2 pi frequency (t - start) + phase).
struct Wave {
    double frequency = 0;  // [Hz]
    double phase = 0;      // [rad]
    [[nodiscard]] double at(double t, double start) const;
    [[nodiscard]] double rate(double t, double start) const;  // [1/s]
};

// Force and torque on one body, constant or sinusoidal.
struct BodyForce {
    int body = kNone;
    Vec3 force = Vec3::Zero();    // [N]
    Vec3 torque = Vec3::Zero();   // [N m]
    Vec3 point_B = Vec3::Zero();  // where the force acts, body frame [m]
    bool in_body_frame = false;   // force and torque turn with the body
    Wave wave;
    TimeWindow window;
};

// PD force that pulls a body's centre of mass to a point.
struct BodySpring {
    int body = kNone;
    Vec3 target = Vec3::Zero();                                  // world [m]
    double kp = 0;                                               // [N/m]
    double kd = 0;                                               // [N s/m]
    double max_force = std::numeric_limits<double>::infinity();  // [N]
    TimeWindow window;
};

// Force along a joint's coordinate q: constant or sinusoidal, or PD to a target, which a wave
// multiplies; and the law of joint friction at the acceleration level [DS10, (6)],
//
//   -(mu_c sgn q' + mu_v q'),   sgn 0 = 0
//
// That law is stiff, and shakes where QP 4 (`friction` of a joint) holds still.
struct JointForce {
    int joint = kNone;
    double force = 0;  // [N or N m]
    double mu_c = 0;   // [N or N m]
    double mu_v = 0;   // [N s/m or N m s/rad]
    bool pd = false;
    double target = 0;  // [m or rad]
    double kp = 0;      // [N/m or N m/rad]
    double kd = 0;      // [N s/m or N m s/rad]
    double max_force = std::numeric_limits<double>::infinity();
    Wave wave;
    TimeWindow window;
};

// Prescribed velocity of a kinematic body; velocities of several motions of one body add up.
struct KinematicMotion {
    int body = kNone;
    Twist velocity;  // world
    Wave wave;       // multiplies it
    TimeWindow window;
};

struct Controls {
    std::vector<Gait> gaits;
    std::vector<MotorScript> motor_scripts;  // at most one per joint
    std::vector<BodyForce> body_forces;
    std::vector<BodySpring> body_springs;
    std::vector<JointForce> joint_forces;
    std::vector<KinematicMotion> motions;
};

// Adds every script's force at state.time to wrench[body] = (force at the centre of mass, torque),
// world.
void add_control_forces(const Model& model, const Controls& controls, const State& state,
                        std::vector<Wrench>& wrench);

// The motors of all joints at this time: the model's, with what phases and gaits make of them.
// `targets` is scratch.
void find_motors(const Model& model, const Controls& controls, double time,
                 std::vector<double>& targets, std::vector<Motor>& motors);

// Sets the twists of kinematic bodies for the step that starts at state.time.
void set_kinematic_twists(const Model& model, const Controls& controls, State& state);

// Rates of these twists at `time` within the step that starts at `start` (whose motions are those
// that act): per body, zero for all others [m/s^2, rad/s^2].
void kinematic_accelerations(const Model& model, const Controls& controls, double start,
                             double time, std::vector<Twist>& rates);

}  // namespace stiction
