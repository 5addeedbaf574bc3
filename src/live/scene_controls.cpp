// scene_controls.cpp - which numbers can be changed, in what range, and where they go.
#include "live/scene_controls.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace stiction {

namespace {

constexpr double kRoom = 2;         // ranges reach this many times the scene's value
constexpr double kMoreForce = 3;    // the same for forces that scripts apply
constexpr double kStandard = 9.81;  // [m/s^2], where the scene has no gravity

// From `low` to kRoom^2 times the scene's value, at least to `least`.
Control upwards(std::string name, std::string unit, double value, double low, double least) {
    Control control;
    control.name = std::move(name);
    control.unit = std::move(unit);
    control.value = value;
    control.low = std::min(low, value);
    control.high = std::max(kRoom * kRoom * value, least);
    return control;
}

// Symmetric about zero, at least `least` wide to each side.
Control both_ways(std::string name, std::string unit, double value, double least) {
    const double reach = std::max(kRoom * std::abs(value), least);
    Control control;
    control.name = std::move(name);
    control.unit = std::move(unit);
    control.value = value;
    control.low = -reach;
    control.high = reach;
    return control;
}

bool turns(const Joint& joint) { return joint.kind == JointKind::kRevolute; }

// A coordinate of the joint: its limits, where it has them.
Control coordinate(std::string name, const Joint& joint, double value) {
    const double least = turns(joint) ? std::numbers::pi : 1;
    Control control = both_ways(std::move(name), turns(joint) ? "rad" : "m", value, least);
    if (!joint.limited) return control;
    control.low = std::min(joint.lower, value);
    control.high = std::max(joint.upper, value);
    return control;
}

double weight(const Model& model, int body) {
    const double g = model.gravity.norm();
    return model.bodies[at(body)].mass * (g > 0 ? g : kStandard);
}

double magnitude(const BodyForce& script) {
    return script.force.norm() > 0 ? script.force.norm() : script.torque.norm();
}

Control of_joint(std::size_t joint, Control control) {
    control.joint = static_cast<int>(joint);
    return control;
}

// A parameter of a gait: where it is, what a slider spans, and how fast it may change.
struct GaitParameter {
    const char* name;
    const char* unit;
    double low, high;
    double rate;  // [1/s]
    double& (*in)(Gait&);
};

constexpr std::array<GaitParameter, 9> kGaitParameters = {{
    {"kind", "", 0, 1, 1, [](Gait& g) -> double& { return g.walk; }},
    {"period", "s", 0.1, 2, 0.5, [](Gait& g) -> double& { return g.period; }},
    {"stance", "of the period", 0.05, 0.95, 0.5, [](Gait& g) -> double& { return g.stance; }},
    {"lift", "m", 0, 0.1, 0.1, [](Gait& g) -> double& { return g.lift; }},
    {"height", "m", 0.02, 0.4, 0.1, [](Gait& g) -> double& { return g.height; }},
    {"spread", "m", -0.1, 0.1, 0.1, [](Gait& g) -> double& { return g.spread; }},
    {"forward", "m/s", -0.5, 0.5, 0.5, [](Gait& g) -> double& { return g.velocity.x(); }},
    {"to the left", "m/s", -0.3, 0.3, 0.5, [](Gait& g) -> double& { return g.velocity.y(); }},
    {"turn", "rad/s", -2, 2, 2, [](Gait& g) -> double& { return g.turn; }},
}};
constexpr int kKind = 0, kPeriod = 1, kHeight = 4;  // of these

// What a straight leg spans, the shortest of them [m].
double reach(const Gait& gait) {
    double shortest = gait.height;
    for (std::size_t i = 0; i < gait.legs.size(); ++i) {
        const double length = gait.legs[i].thigh + gait.legs[i].shank;
        shortest = i == 0 ? length : std::min(shortest, length);
    }
    return shortest;
}

double gait_value(const Gait& gait, const GaitParameter& parameter) {
    Gait copy = gait;
    return parameter.in(copy);
}

// Joints whose motors follow a gait.
std::vector<bool> led_by_gaits(const Model& model, const Controls& controls) {
    std::vector<bool> led(model.joints.size(), false);
    for (const Gait& gait : controls.gaits) {
        for (const Leg& leg : gait.legs) {
            for (const int joint : leg.joint) led[at(joint)] = true;
        }
    }
    return led;
}

// Joints whose whole motors a script of phases gives: what a slider wrote there would not act.
std::vector<bool> led_by_phases(const Model& model, const Controls& controls) {
    std::vector<bool> led(model.joints.size(), false);
    for (const MotorScript& script : controls.motor_scripts) led[at(script.joint)] = true;
    return led;
}

}  // namespace

SceneControls::SceneControls(const Model& model, const Controls& controls) : start_(controls) {
    add_motor_targets(model, controls);
    add_joint_forces(model, controls);
    add_body_forces(model, controls);
    add_springs(model, controls);
    add_motions(model, controls);
    add_gains(model, controls);
    add_gaits(controls);
}

void SceneControls::add(Place place, Control control) {
    places_.push_back(place);
    list_.push_back(std::move(control));
}

void SceneControls::add_motor_targets(const Model& model, const Controls& controls) {
    const std::vector<bool> led = led_by_gaits(model, controls);
    const std::vector<bool> scripted = led_by_phases(model, controls);
    for (std::size_t i = 0; i < model.joints.size(); ++i) {
        if (scripted[i]) continue;
        const Joint& joint = model.joints[i];
        const double target = joint.motor.target;
        if (joint.motor.kind == Motor::Kind::kVelocity) {
            add({Kind::kMotorTarget, i},
                of_joint(i, both_ways(joint.name + ": motor speed", turns(joint) ? "rad/s" : "m/s",
                                      target, turns(joint) ? std::numbers::pi : 1)));
        } else if (joint.motor.kind == Motor::Kind::kPosition && !led[i]) {
            add({Kind::kMotorTarget, i},
                of_joint(i, coordinate(joint.name + ": motor target", joint, target)));
        }
    }
}

void SceneControls::add_joint_forces(const Model& model, const Controls& controls) {
    for (std::size_t i = 0; i < controls.joint_forces.size(); ++i) {
        const JointForce& script = controls.joint_forces[i];
        const Joint& joint = model.joints[at(script.joint)];
        if (script.pd) {
            add({Kind::kJointTarget, i},
                of_joint(static_cast<std::size_t>(script.joint),
                         coordinate(joint.name + ": target", joint, script.target)));
            continue;
        }
        const double least = script.force == 0 ? weight(model, joint.child) : 0;
        add({Kind::kJointForce, i},
            of_joint(static_cast<std::size_t>(script.joint),
                     both_ways(joint.name + (turns(joint) ? ": torque" : ": force"),
                               turns(joint) ? "N m" : "N", script.force, least)));
    }
}

// The direction stays, the magnitude changes: a script of size 0 has none.
void SceneControls::add_body_forces(const Model& model, const Controls& controls) {
    for (std::size_t i = 0; i < controls.body_forces.size(); ++i) {
        const BodyForce& script = controls.body_forces[i];
        const double size = magnitude(script);
        if (size <= 0) continue;
        const bool force = script.force.norm() > 0;
        Control control;
        control.name = model.bodies[at(script.body)].name + (force ? ": force" : ": torque");
        control.unit = force ? "N" : "N m";
        control.value = size;
        control.high = kMoreForce * size;
        add({Kind::kBodyForce, i}, std::move(control));
    }
}

void SceneControls::add_springs(const Model& model, const Controls& controls) {
    for (std::size_t i = 0; i < controls.body_springs.size(); ++i) {
        const BodySpring& script = controls.body_springs[i];
        const std::string& body = model.bodies[at(script.body)].name;
        for (int axis = 0; axis < 3; ++axis) {
            const double value = script.target[axis];
            Control control;
            control.name = body + ": spring " + "xyz"[axis];
            control.unit = "m";
            control.value = value;
            control.low = value - 1;
            control.high = value + 1;
            add({Kind::kSpring, i, axis}, std::move(control));
        }
    }
}

void SceneControls::add_motions(const Model& model, const Controls& controls) {
    for (std::size_t i = 0; i < controls.motions.size(); ++i) {
        const int body = controls.motions[i].body;
        add({Kind::kMotion, i}, both_ways(model.bodies[at(body)].name + ": motion", "times", 1, 1));
    }
}

// A motor's gain of zero is none: kp keeps a hundredth.
void SceneControls::add_gains(const Model& model, const Controls& controls) {
    const std::vector<bool> scripted = led_by_phases(model, controls);
    for (std::size_t i = 0; i < model.joints.size(); ++i) {
        const Joint& joint = model.joints[i];
        const Motor& motor = joint.motor;
        const auto offer = [&](Kind kind, const char* what, const char* unit, double value,
                               double low, double least) {
            add({kind, i}, of_joint(i, upwards(joint.name + what, unit, value, low, least)));
        };
        const char* force = turns(joint) ? "N m" : "N";
        const char* viscous = turns(joint) ? "N m s/rad" : "N s/m";
        if (motor.kind == Motor::Kind::kPosition && !scripted[i]) {
            offer(Kind::kMotorKp, ": kp", turns(joint) ? "N m/rad" : "N/m", motor.kp,
                  0.01 * motor.kp, 0);
            offer(Kind::kMotorKd, ": kd", viscous, motor.kd, 0, 0.1 * motor.kp);
        }
        if (motor.kind != Motor::Kind::kOff && !scripted[i] && std::isfinite(motor.max_force))
            offer(Kind::kMotorForce, turns(joint) ? ": most torque" : ": most force", force,
                  motor.max_force, 0, 0);
        if (joint.friction > 0) offer(Kind::kFriction, ": friction", force, joint.friction, 0, 0);
        if (joint.damping > 0) offer(Kind::kDamping, ": damping", viscous, joint.damping, 0, 0);
    }
}

void SceneControls::add_gaits(const Controls& controls) {
    for (std::size_t i = 0; i < controls.gaits.size(); ++i) {
        const Gait& gait = controls.gaits[i];
        const std::string which = controls.gaits.size() > 1 ? "gait " + std::to_string(i) : "gait";
        for (int k = 0; k < static_cast<int>(kGaitParameters.size()); ++k) {
            const GaitParameter& parameter = kGaitParameters[at(k)];
            Control control;
            control.name = which + ": " + parameter.name;
            control.unit = parameter.unit;
            control.value = gait_value(gait, parameter);
            control.low = std::min(parameter.low, control.value);
            control.high = std::max(k == kHeight ? reach(gait) : parameter.high, control.value);
            control.gait = static_cast<int>(i);
            if (k == kKind) control.names = kGaitNames;
            add({Kind::kGait, i, k, parameter.rate}, std::move(control));
        }
    }
}

std::vector<double> SceneControls::start() const {
    std::vector<double> values;
    for (const Control& control : list_) values.push_back(control.value);
    for (const Gait& gait : start_.gaits) values.push_back(gait.phase);
    return values;
}

double SceneControls::allowed(std::size_t control, double value) const {
    switch (places_[control].kind) {
        case Kind::kMotorKp:
        case Kind::kMotorKd:
        case Kind::kMotorForce:
        case Kind::kFriction:
        case Kind::kDamping:
        case Kind::kGait:
            return std::clamp(value, list_[control].low, list_[control].high);
        default:
            return value;
    }
}

bool SceneControls::approach(const std::vector<double>& asked, double time, double h,
                             std::vector<double>& acting) const {
    bool changed = false;
    for (std::size_t k = 0; k < places_.size(); ++k) {
        const Place& place = places_[k];
        if (place.rate <= 0 || acting[k] == asked[k]) continue;
        const double before = acting[k];
        const double most = place.rate * h;
        const double way = asked[k] - before;
        acting[k] = std::abs(way) <= most ? asked[k] : before + std::copysign(most, way);
        changed = true;
        const double since = time - start_.gaits[place.index].start;
        if (place.axis == kPeriod && since > 0)
            acting[list_.size() + place.index] += since / before - since / acting[k];
    }
    return changed;
}

void SceneControls::apply(const std::vector<double>& acting, Model& model,
                          Controls& controls) const {
    for (std::size_t k = 0; k < places_.size(); ++k) {
        const Place& place = places_[k];
        const std::size_t i = place.index;
        const double value = acting[k];
        switch (place.kind) {
            case Kind::kMotorTarget:
                model.joints[i].motor.target = value;
                break;
            case Kind::kMotorKp:
                model.joints[i].motor.kp = value;
                break;
            case Kind::kMotorKd:
                model.joints[i].motor.kd = value;
                break;
            case Kind::kMotorForce:
                model.joints[i].motor.max_force = value;
                break;
            case Kind::kFriction:
                model.joints[i].friction = value;
                break;
            case Kind::kDamping:
                model.joints[i].damping = value;
                break;
            case Kind::kJointForce:
                controls.joint_forces[i].force = value;
                break;
            case Kind::kJointTarget:
                controls.joint_forces[i].target = value;
                break;
            case Kind::kBodyForce: {
                const BodyForce& script = start_.body_forces[i];
                const double factor = value / magnitude(script);
                controls.body_forces[i].force = factor * script.force;
                controls.body_forces[i].torque = factor * script.torque;
                break;
            }
            case Kind::kSpring:
                controls.body_springs[i].target[place.axis] = value;
                break;
            case Kind::kMotion:
                controls.motions[i].velocity.v = value * start_.motions[i].velocity.v;
                controls.motions[i].velocity.w = value * start_.motions[i].velocity.w;
                break;
            case Kind::kGait:
                kGaitParameters[at(place.axis)].in(controls.gaits[i]) = value;
                break;
        }
    }
    for (std::size_t i = 0; i < start_.gaits.size(); ++i)
        controls.gaits[i].phase = acting[list_.size() + i];
}

}  // namespace stiction
