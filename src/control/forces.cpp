// forces.cpp - gravity, scripted forces and the gyroscopic torque.
#include "control/forces.h"

#include <cmath>

namespace stiction {

namespace {

// m v and I w are taken away at these rates [1/s].
void add_drag(const Body& body, double linear, double angular, const Quat& q, const Twist& twist,
              Wrench& wrench) {
    if (linear > 0) wrench.force -= (linear * body.mass) * twist.v;
    if (angular > 0)
        wrench.torque -= angular * (q * Vec3(body.inertia_B * (q.conjugate() * twist.w)));
}

// Gravity, scripts, drag by rate(damping), and the gyroscopic torque that `gyroscopic` gives for
// body i.
template <class Gyroscopic, class Rate>
void add_up(const Model& model, const Controls& controls, const State& state,
            const Gyroscopic& gyroscopic, const Rate& rate, Forces& forces) {
    forces.wrench.assign(model.bodies.size(), Wrench{});
    forces.gyroscopic.assign(model.bodies.size(), Vec3::Zero());
    add_control_forces(model, controls, state, forces.wrench);
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        const Body& body = model.bodies[i];
        if (body.kind != BodyKind::kDynamic) continue;
        // In a tree it is part of the bias forces (dynamics/tree.h).
        if (body.tree == kNone) forces.gyroscopic[i] = gyroscopic(i);
        forces.wrench[i].force += (body.gravity_scale * body.mass) * model.gravity;
        forces.wrench[i].torque += forces.gyroscopic[i];
        add_drag(body, rate(body.linear_damping), rate(body.angular_damping), state.pose[i].q,
                 state.twist[i], forces.wrench[i]);
    }
}

}  // namespace

void apply_forces(const Model& model, const Controls& controls, double h, State& state,
                  Forces& forces) {
    set_kinematic_twists(model, controls, state);
    forces.turns.resize(model.bodies.size());
    const auto over_step = [&](std::size_t i) -> Vec3 {
        const Body& body = model.bodies[i];
        forces.turns[i] = FreeTurn{};
        if (body.isotropic || state.twist[i].w.isZero(0.0)) return Vec3::Zero();
        forces.turns[i] = free_turn(body, principal_spin(body, state, i), h);
        return gyroscopic_torque(body, state.pose[i].q, forces.turns[i], h);
    };
    // What exp(-damping t) takes in a step: exact, and stable for any damping.
    const auto mean_rate = [h](double damping) {
        return damping == 0 ? 0.0 : -std::expm1(-h * damping) / h;
    };
    add_up(model, controls, state, over_step, mean_rate, forces);
    find_motors(model, controls, state.time + h, forces.motor_targets, forces.motors);
}

void forces_at(const Model& model, const Controls& controls, const State& state, Forces& forces) {
    const auto instantaneous = [&](std::size_t i) -> Vec3 {
        const Body& body = model.bodies[i];
        if (body.isotropic) return Vec3::Zero();
        const Quat& q = state.pose[i].q;
        const Vec3 w_B = q.conjugate() * state.twist[i].w;
        return q * Vec3(-w_B.cross(body.inertia_B * w_B));
    };
    add_up(
        model, controls, state, instantaneous, [](double damping) { return damping; }, forces);
    find_motors(model, controls, state.time, forces.motor_targets, forces.motors);
}

}  // namespace stiction
