// forces.cpp - gravity, scripted forces and the gyroscopic torque.
#include "control/forces.h"

#include "dynamics/free_body.h"

namespace stiction {

void apply_forces(const Model& model, const Controls& controls, double h, State& state,
                  Forces& forces) {
    set_kinematic_twists(model, controls, state);
    forces.wrench.assign(model.bodies.size(), Wrench{});
    forces.gyroscopic.assign(model.bodies.size(), Vec3::Zero());
    add_control_forces(model, controls, state, forces.wrench);
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        const Body& body = model.bodies[i];
        if (body.kind != BodyKind::kDynamic) continue;
        forces.gyroscopic[i] = gyroscopic_torque(body, state.pose[i].q, state.twist[i].w, h);
        forces.wrench[i].force += (body.gravity_scale * body.mass) * model.gravity;
        forces.wrench[i].torque += forces.gyroscopic[i];
    }
}

}  // namespace stiction
