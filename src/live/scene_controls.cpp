// scene_controls.cpp - which numbers can be changed, in what range, and where they go.
#include "live/scene_controls.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stiction {

namespace {

constexpr double kRoom = 2;         // ranges reach this many times the scene's value
constexpr double kMoreForce = 3;    // the same for forces that scripts apply
constexpr double kStandard = 9.81;  // [m/s^2], where the scene has no gravity

// Symmetric about zero, at least `least` wide to each side.
Control both_ways(std::string name, std::string unit, double value, double least) {
    const double reach = std::max(kRoom * std::abs(value), least);
    return {std::move(name), std::move(unit), value, -reach, reach};
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
    return model.bodies[static_cast<std::size_t>(body)].mass * (g > 0 ? g : kStandard);
}

double magnitude(const BodyForce& script) {
    return script.force.norm() > 0 ? script.force.norm() : script.torque.norm();
}

}  // namespace

SceneControls::SceneControls(const Model& model, const Controls& controls) : start_(controls) {
    add_motors(model);
    add_joint_forces(model, controls);
    add_body_forces(model, controls);
    add_springs(model, controls);
    add_motions(model, controls);
}

void SceneControls::add(Place place, Control control) {
    places_.push_back(place);
    list_.push_back(std::move(control));
}

void SceneControls::add_motors(const Model& model) {
    for (std::size_t i = 0; i < model.joints.size(); ++i) {
        const Joint& joint = model.joints[i];
        const double target = joint.motor.target;
        if (joint.motor.kind == Motor::Kind::kVelocity) {
            add({Kind::kMotor, i},
                both_ways(joint.name + ": motor speed", turns(joint) ? "rad/s" : "m/s", target,
                          turns(joint) ? std::numbers::pi : 1));
        } else if (joint.motor.kind == Motor::Kind::kPosition) {
            add({Kind::kMotor, i}, coordinate(joint.name + ": motor target", joint, target));
        }
    }
}

void SceneControls::add_joint_forces(const Model& model, const Controls& controls) {
    for (std::size_t i = 0; i < controls.joint_forces.size(); ++i) {
        const JointForce& script = controls.joint_forces[i];
        const Joint& joint = model.joints[static_cast<std::size_t>(script.joint)];
        if (script.pd) {
            add({Kind::kJointTarget, i}, coordinate(joint.name + ": target", joint, script.target));
            continue;
        }
        const double least = script.force == 0 ? weight(model, joint.child) : 0;
        add({Kind::kJointForce, i}, both_ways(joint.name + (turns(joint) ? ": torque" : ": force"),
                                              turns(joint) ? "N m" : "N", script.force, least));
    }
}

// The direction stays, the magnitude changes: a script of size 0 has none.
void SceneControls::add_body_forces(const Model& model, const Controls& controls) {
    for (std::size_t i = 0; i < controls.body_forces.size(); ++i) {
        const BodyForce& script = controls.body_forces[i];
        const double size = magnitude(script);
        if (size <= 0) continue;
        const bool force = script.force.norm() > 0;
        add({Kind::kBodyForce, i}, {model.bodies[static_cast<std::size_t>(script.body)].name +
                                        (force ? ": force" : ": torque"),
                                    force ? "N" : "N m", size, 0, kMoreForce * size});
    }
}

void SceneControls::add_springs(const Model& model, const Controls& controls) {
    for (std::size_t i = 0; i < controls.body_springs.size(); ++i) {
        const BodySpring& script = controls.body_springs[i];
        const std::string& body = model.bodies[static_cast<std::size_t>(script.body)].name;
        for (int axis = 0; axis < 3; ++axis) {
            const double value = script.target[axis];
            add({Kind::kSpring, i, axis},
                {body + ": spring " + "xyz"[axis], "m", value, value - 1, value + 1});
        }
    }
}

void SceneControls::add_motions(const Model& model, const Controls& controls) {
    for (std::size_t i = 0; i < controls.motions.size(); ++i) {
        const int body = controls.motions[i].body;
        add({Kind::kMotion, i},
            both_ways(model.bodies[static_cast<std::size_t>(body)].name + ": motion", "times", 1,
                      1));
    }
}

void SceneControls::apply(const std::vector<double>& values, Model& model,
                          Controls& controls) const {
    for (std::size_t k = 0; k < places_.size(); ++k) {
        const Place& place = places_[k];
        const std::size_t i = place.index;
        switch (place.kind) {
            case Kind::kMotor:
                model.joints[i].motor.target = values[k];
                break;
            case Kind::kJointForce:
                controls.joint_forces[i].force = values[k];
                break;
            case Kind::kJointTarget:
                controls.joint_forces[i].target = values[k];
                break;
            case Kind::kBodyForce: {
                const BodyForce& script = start_.body_forces[i];
                const double factor = values[k] / magnitude(script);
                controls.body_forces[i].force = factor * script.force;
                controls.body_forces[i].torque = factor * script.torque;
                break;
            }
            case Kind::kSpring:
                controls.body_springs[i].target[place.axis] = values[k];
                break;
            case Kind::kMotion:
                controls.motions[i].velocity.v = values[k] * start_.motions[i].velocity.v;
                controls.motions[i].velocity.w = values[k] * start_.motions[i].velocity.w;
                break;
        }
    }
}

}  // namespace stiction
