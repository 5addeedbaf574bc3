// chain.h - a chain of hinged rods that hangs from the origin, for tests.
#pragma once

#include <cmath>
#include <string>

#include "step/simulation.h"

namespace stiction {

struct Chain {
    int links = 10;
    bool reduced = true;
    double h = 1e-3;       // [s]
    double angle = 1.5;    // from straight down, at rest [rad]
    double last_mass = 1;  // the others have 1 kg
    double length = 0.1;   // of a link [m]
    Integrator integrator = Integrator::kSymplecticEuler;
};

// Rods of 1 cm thickness in the plane of x and z, hinges along y.
inline Simulation hanging(const Chain& chain) {
    Model model;
    State state;
    model.materials.push_back({"default", {}});
    const double l = chain.length;
    const Quat turn(Eigen::AngleAxisd(-chain.angle, Vec3::UnitY()));
    for (int i = 0; i < chain.links; ++i) {
        Body body;
        body.name = "link_" + std::to_string(i);
        body.mass = i + 1 == chain.links ? chain.last_mass : 1.0;
        const double across = body.mass * (l * l + 1e-4) / 12;
        body.inertia_B = Vec3(across, across, body.mass * 2e-4 / 12).asDiagonal();
        model.bodies.push_back(body);
        Joint joint;
        joint.name = "hinge_" + std::to_string(i);
        joint.kind = JointKind::kRevolute;
        joint.child = i;
        joint.parent = i - 1;
        joint.reduced = chain.reduced;
        const Quat to_y(Eigen::AngleAxisd(-M_PI / 2, Vec3::UnitX()));  // z of the frame is y
        joint.frame_C = {Vec3(0, 0, l / 2), to_y};
        joint.frame_P = {i == 0 ? Vec3(Vec3::Zero()) : Vec3(0, 0, -l / 2), to_y};
        model.joints.push_back(joint);
        state.pose.push_back({turn * Vec3(0, 0, -(i + 0.5) * l), turn});
    }
    state.twist.resize(model.bodies.size());
    finalize(model);
    StepSettings settings;
    settings.h = chain.h;
    settings.integrator = chain.integrator;
    return make_simulation(model, state, {}, NoSlip{}, settings, 1);
}

// Where the chain ends.
inline Vec3 free_end(const Simulation& sim, double length) {
    return sim.state.pose.back() * Vec3(0, 0, -length / 2);
}

}  // namespace stiction
