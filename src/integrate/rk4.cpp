// rk4.cpp - the four stages.
#include "integrate/rk4.h"

#include "dynamics/free_body.h"
#include "dynamics/tree.h"

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

bool goes_alone(const Body& body) { return body.kind != BodyKind::kStatic && body.tree == kNone; }

struct TreeRk4 {
    const Model& model;
    Rk4Workspace& ws;

    void start(const State& state) {
        for (VecX* x : {&ws.tree_v, &ws.tree_stage_v, &ws.tree_last_v, &ws.tree_last_a,
                        &ws.tree_acceleration, &ws.tree_mean, &ws.tree_acceleration_sum})
            x->setZero(model.nv);
        for (const Tree& tree : model.trees)
            tree_velocities(model, tree, state, stretch(tree, ws.tree_v));
    }

    // The stage's poses and twists, from those of the start.
    void move(const State& state, double dt) {
        ws.tree_stage_v = ws.tree_v + dt * ws.tree_last_a;
        for (const Tree& tree : model.trees) {
            for (const Tree::Node& node : tree.nodes)
                ws.stage.pose[at(node.body)] = state.pose[at(node.body)];
            move_tree(model, tree, stretch(tree, ws.tree_last_v), dt,
                      stretch(tree, ws.tree_stage_v), ws.stage);
        }
    }

    // After a stage: q' in the coordinates of the start, and the sums.
    void add(const State& state, double dt, double weight) {
        for (const Tree& tree : model.trees) set_rates(tree, state, dt);
        ws.tree_last_a = ws.tree_acceleration;
        ws.tree_mean += weight * ws.tree_last_v;
        ws.tree_acceleration_sum += weight * ws.tree_acceleration;
    }

    void finish(double h, State& state) {
        ws.tree_stage_v = ws.tree_v + h * ws.tree_acceleration_sum;
        for (const Tree& tree : model.trees)
            move_tree(model, tree, stretch(tree, ws.tree_mean), h, stretch(tree, ws.tree_stage_v),
                      state);
    }

  private:
    [[nodiscard]] Eigen::Ref<VecX> stretch(const Tree& tree, VecX& x) const {
        const DofBlock& block = model.blocks[at(tree.block)];
        return x.segment(block.offset, block.size);
    }

    void set_rates(const Tree& tree, const State& state, double dt) {
        Eigen::Ref<VecX> u = stretch(tree, ws.tree_last_v);
        const Eigen::Ref<VecX> v = stretch(tree, ws.tree_stage_v);
        for (const Tree::Node& node : tree.nodes) {
            if (node.joint == kNone) {
                const Vec3 theta = dt * u.segment<3>(node.first + 3);
                u.segment<3>(node.first) = v.segment<3>(node.first);
                u.segment<3>(node.first + 3) = rotation_rate(theta, v.segment<3>(node.first + 3));
                continue;
            }
            const Joint& joint = model.joints[at(node.joint)];
            if (joint.kind != JointKind::kSpherical) {
                u.segment(node.first, node.dofs) = v.segment(node.first, node.dofs);
                continue;
            }
            const Vec3 theta = dt * u.segment<3>(node.first);
            Vec3 w = v.segment<3>(node.first);
            if (joint.parent != kNone)
                w = state.pose[at(joint.parent)].q *
                    (ws.stage.pose[at(joint.parent)].q.conjugate() * w);
            u.segment<3>(node.first) = rotation_rate(theta, w);
        }
    }
};

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
    TreeRk4 trees{model, ws};
    trees.start(state);
    for (std::size_t s = 0; s < kRk4Weights.size(); ++s) {
        const double dt = kNodes[s] * h;
        ws.stage.time = state.time + dt;
        for (std::size_t i = 0; i < n; ++i) {
            if (!goes_alone(model.bodies[i])) continue;
            ws.stage.pose[i] = moved(state.pose[i], ws.last_velocity[i], dt);
            ws.stage.twist[i].v = state.twist[i].v + dt * ws.last_acceleration[i].v;
            ws.stage.twist[i].w = state.twist[i].w + dt * ws.last_acceleration[i].w;
        }
        trees.move(state, dt);
        ws.acceleration.assign(n, Twist{});
        accelerations(static_cast<int>(s), ws.stage, ws.acceleration);
        for (std::size_t i = 0; i < n; ++i) {
            if (!goes_alone(model.bodies[i])) continue;
            const Vec3 theta = dt * ws.last_velocity[i].w;
            Twist& velocity = ws.last_velocity[i];
            velocity = {ws.stage.twist[i].v, rotation_rate(theta, ws.stage.twist[i].w)};
            ws.last_acceleration[i] = ws.acceleration[i];
            ws.velocity_sum[i].v += kRk4Weights[s] * velocity.v;
            ws.velocity_sum[i].w += kRk4Weights[s] * velocity.w;
            ws.acceleration_sum[i].v += kRk4Weights[s] * ws.acceleration[i].v;
            ws.acceleration_sum[i].w += kRk4Weights[s] * ws.acceleration[i].w;
        }
        trees.add(state, dt, kRk4Weights[s]);
    }
    mean.assign(ws.velocity_sum.begin(), ws.velocity_sum.end());
    for (std::size_t i = 0; i < n; ++i) {
        if (!goes_alone(model.bodies[i])) continue;
        state.pose[i] = moved(state.pose[i], mean[i], h);
        state.twist[i].v += h * ws.acceleration_sum[i].v;
        state.twist[i].w += h * ws.acceleration_sum[i].w;
    }
    trees.finish(h, state);
    state.time += h;
    ++state.step;
}

void drift(const Model& model, const State& state, const VecX& v, double dt, State& result) {
    result = state;
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        if (goes_alone(model.bodies[i])) result.pose[i] = moved(state.pose[i], state.twist[i], dt);
    }
    for (const Tree& tree : model.trees) {
        const DofBlock& block = model.blocks[at(tree.block)];
        const auto u = v.segment(block.offset, block.size);
        move_tree(model, tree, u, dt, u, result);
    }
}

}  // namespace stiction
