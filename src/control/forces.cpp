// forces.cpp - gravity, scripted forces and the gyroscopic torque.
#include "control/forces.h"

#include "dynamics/free_body.h"

namespace stiction {

namespace {

// Gravity, scripts and the gyroscopic torque that `gyroscopic` gives for body i.
template <class Gyroscopic>
void add_up(const Model& model, const Controls& controls, const State& state,
            const Gyroscopic& gyroscopic, Forces& forces) {
    forces.wrench.assign(model.bodies.size(), Wrench{});
    forces.gyroscopic.assign(model.bodies.size(), Vec3::Zero());
    add_control_forces(model, controls, state, forces.wrench);
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        const Body& body = model.bodies[i];
        if (body.kind != BodyKind::kDynamic) continue;
        forces.gyroscopic[i] = gyroscopic(body, state.pose[i].q, state.twist[i].w);
        forces.wrench[i].force += (body.gravity_scale * body.mass) * model.gravity;
        forces.wrench[i].torque += forces.gyroscopic[i];
    }
}

}  // namespace

void apply_forces(const Model& model, const Controls& controls, double h, State& state,
                  Forces& forces) {
    set_kinematic_twists(model, controls, state);
    const auto over_step = [h](const Body& body, const Quat& q, const Vec3& w) {
        return gyroscopic_torque(body, q, w, h);
    };
    add_up(model, controls, state, over_step, forces);
}

void forces_at(const Model& model, const Controls& controls, const State& state, Forces& forces) {
    const auto instantaneous = [](const Body& body, const Quat& q, const Vec3& w) -> Vec3 {
        if (body.isotropic) return Vec3::Zero();
        const Vec3 w_B = q.conjugate() * w;
        return q * Vec3(-w_B.cross(body.inertia_B * w_B));
    };
    add_up(model, controls, state, instantaneous, forces);
}

}  // namespace stiction
