// rk4.cpp - the four stages.
#include "integrate/rk4.h"

#include "dynamics/free_body.h"

namespace stiction {

namespace {

constexpr std::array<double, 4> kNodes = {0, 0.5, 0.5, 1};

// theta' for spin w at theta.
Vec3 rotation_rate(const Vec3& theta, const Vec3& w) {
    if (theta.isZero(0.0)) return w;
    const Vec3 turned = theta.cross(w);
    return w - 0.5 * turned + (1.0 / 12) * theta.cross(turned);
}

Pose moved(const Pose& pose, const Twist& velocity, double dt) {
    return {pose.p + dt * velocity.v, rotated(pose.q, dt * velocity.w)};
}

}  // namespace

void rk4(const Model& model, double h, const Accelerations& accelerations, Rk4Workspace& workspace,
         State& state, std::vector<Twist>& mean) {
    Rk4Workspace& ws = workspace;
    const std::size_t n = model.bodies.size();
    ws.stage = state;
    ws.velocity_sum.assign(n, Twist{});
    ws.acceleration_sum.assign(n, Twist{});
    ws.last_velocity.assign(n, Twist{});
    ws.last_acceleration.assign(n, Twist{});
    for (std::size_t s = 0; s < kRk4Weights.size(); ++s) {
        const double dt = kNodes[s] * h;
        ws.stage.time = state.time + dt;
        for (std::size_t i = 0; i < n; ++i) {
            if (model.bodies[i].kind == BodyKind::kStatic) continue;
            ws.stage.pose[i] = moved(state.pose[i], ws.last_velocity[i], dt);
            ws.stage.twist[i].v = state.twist[i].v + dt * ws.last_acceleration[i].v;
            ws.stage.twist[i].w = state.twist[i].w + dt * ws.last_acceleration[i].w;
        }
        ws.acceleration.assign(n, Twist{});
        accelerations(static_cast<int>(s), ws.stage, ws.acceleration);
        for (std::size_t i = 0; i < n; ++i) {
            if (model.bodies[i].kind == BodyKind::kStatic) continue;
            const Vec3 theta = dt * ws.last_velocity[i].w;
            Twist& velocity = ws.last_velocity[i];
            velocity = {ws.stage.twist[i].v, rotation_rate(theta, ws.stage.twist[i].w)};
            ws.last_acceleration[i] = ws.acceleration[i];
            ws.velocity_sum[i].v += kRk4Weights[s] * velocity.v;
            ws.velocity_sum[i].w += kRk4Weights[s] * velocity.w;
            ws.acceleration_sum[i].v += kRk4Weights[s] * ws.acceleration[i].v;
            ws.acceleration_sum[i].w += kRk4Weights[s] * ws.acceleration[i].w;
        }
    }
    mean.assign(ws.velocity_sum.begin(), ws.velocity_sum.end());
    for (std::size_t i = 0; i < n; ++i) {
        if (model.bodies[i].kind == BodyKind::kStatic) continue;
        state.pose[i] = moved(state.pose[i], mean[i], h);
        state.twist[i].v += h * ws.acceleration_sum[i].v;
        state.twist[i].w += h * ws.acceleration_sum[i].w;
    }
    state.time += h;
    ++state.step;
}

void drift(const Model& model, const State& state, double dt, State& result) {
    result = state;
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        if (model.bodies[i].kind != BodyKind::kStatic)
            result.pose[i] = moved(state.pose[i], state.twist[i], dt);
    }
}

}  // namespace stiction
