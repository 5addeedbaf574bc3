// controls.cpp - evaluation of the scripted forces and motions.
#include "control/controls.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stiction {
namespace {

void add_force(const BodyForce& script, const State& state, std::vector<Wrench>& wrench) {
    if (!script.window.holds(state.time)) return;
    const Pose& pose = state.pose[at(script.body)];
    const double scale = script.wave.at(state.time, script.window.start);
    Vec3 force = scale * script.force;
    Vec3 torque = scale * script.torque;
    if (script.in_body_frame) {
        force = pose.q * force;
        torque = pose.q * torque;
    }
    wrench[at(script.body)].force += force;
    wrench[at(script.body)].torque += torque + (pose.q * script.point_B).cross(force);
}

void add_force(const BodySpring& script, const State& state, std::vector<Wrench>& wrench) {
    if (!script.window.holds(state.time)) return;
    Vec3 force = script.kp * (script.target - state.pose[at(script.body)].p) -
                 script.kd * state.twist[at(script.body)].v;
    const double size = force.norm();
    if (size > script.max_force) force *= script.max_force / size;
    wrench[at(script.body)].force += force;
}

double friction_along(const JointForce& script, double velocity) {
    const double sign = velocity > 0 ? 1 : velocity < 0 ? -1 : 0;
    return -script.mu_c * sign - script.mu_v * velocity;
}

double force_along(const JointForce& script, const JointCoordinate& q, double time) {
    const double wave = script.wave.at(time, script.window.start);
    if (!script.pd) return script.force * wave + friction_along(script, q.velocity);
    const double force = script.kp * (script.target * wave - q.position) - script.kd * q.velocity;
    return std::clamp(force, -script.max_force, script.max_force);
}

// The child gets the force, the parent its opposite, both on one line, so that a prismatic joint's
// pair makes no net torque. The axis is the joint frame's z, seen from the parent.
void add_force(const JointForce& script, const Model& model, const State& state,
               std::vector<Wrench>& wrench) {
    if (!script.window.holds(state.time)) return;
    const Joint& joint = model.joints[at(script.joint)];
    const JointCoordinate q = joint_coordinate(state, joint);
    const Vec3 load = force_along(script, q, state.time) * q.axis;
    if (joint.kind == JointKind::kRevolute) {
        wrench[at(joint.child)].torque += load;
        if (joint.parent != kNone) wrench[at(joint.parent)].torque -= load;
        return;
    }
    const Pose& child = state.pose[at(joint.child)];
    const Vec3 point = child * joint.frame_C.p;
    wrench[at(joint.child)].force += load;
    wrench[at(joint.child)].torque += (point - child.p).cross(load);
    if (joint.parent != kNone) {
        wrench[at(joint.parent)].force -= load;
        wrench[at(joint.parent)].torque -= (point - state.pose[at(joint.parent)].p).cross(load);
    }
}

}  // namespace

double Wave::at(double t, double start) const {
    if (frequency == 0) return 1;
    return std::sin(2 * std::numbers::pi * frequency * (t - start) + phase);
}

double Wave::rate(double t, double start) const {
    const double w = 2 * std::numbers::pi * frequency;
    return w == 0 ? 0 : w * std::cos(w * (t - start) + phase);
}

void add_control_forces(const Model& model, const Controls& controls, const State& state,
                        std::vector<Wrench>& wrench) {
    for (const BodyForce& script : controls.body_forces) add_force(script, state, wrench);
    for (const BodySpring& script : controls.body_springs) add_force(script, state, wrench);
    for (const JointForce& script : controls.joint_forces) add_force(script, model, state, wrench);
}

void find_motors(const Model& model, const Controls& controls, double time,
                 std::vector<double>& targets, std::vector<Motor>& motors) {
    motors.resize(model.joints.size());
    for (std::size_t j = 0; j < motors.size(); ++j) motors[j] = model.joints[j].motor;
    for (const MotorScript& script : controls.motor_scripts)
        motors[at(script.joint)] = motor_at(script, model.joints[at(script.joint)].motor, time);
    if (controls.gaits.empty()) return;
    targets.resize(motors.size());
    for (std::size_t j = 0; j < motors.size(); ++j) targets[j] = motors[j].target;
    for (const Gait& gait : controls.gaits) set_gait_targets(gait, time, targets);
    for (std::size_t j = 0; j < motors.size(); ++j) motors[j].target = targets[j];
}

void set_kinematic_twists(const Model& model, const Controls& controls, State& state) {
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        if (model.bodies[b].kind == BodyKind::kKinematic) state.twist[b] = Twist{};
    }
    for (const KinematicMotion& motion : controls.motions) {
        if (!motion.window.holds(state.time)) continue;
        const double scale = motion.wave.at(state.time, motion.window.start);
        state.twist[at(motion.body)].v += scale * motion.velocity.v;
        state.twist[at(motion.body)].w += scale * motion.velocity.w;
    }
}

void kinematic_accelerations(const Model& model, const Controls& controls, double start,
                             double time, std::vector<Twist>& rates) {
    rates.assign(model.bodies.size(), Twist{});
    for (const KinematicMotion& motion : controls.motions) {
        if (!motion.window.holds(start)) continue;
        const double rate = motion.wave.rate(time, motion.window.start);
        rates[at(motion.body)].v += rate * motion.velocity.v;
        rates[at(motion.body)].w += rate * motion.velocity.w;
    }
}

}  // namespace stiction
