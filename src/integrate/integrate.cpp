// integrate.cpp - symplectic Euler for free and kinematic bodies and for trees.
#include "integrate/integrate.h"

#include <numbers>

#include "dynamics/free_body.h"
#include "dynamics/tree.h"

namespace stiction {

namespace {

// Turns a body that is not isotropic by w_move and gives it the angular momentum that its spin w,
// mean of the step, stands for. Where nothing but its own inertia acts the turn is known already.
void turn_body(const Body& body, const FreeTurn& turn, bool free, const Vec3& w_move, const Vec3& w,
               double h, std::size_t i, State& state) {
    Quat& q = state.pose[i].q;
    const Quat q_P = q * body.q_BP;
    const Quat turned = (q_P * turn.turn * body.q_BP.conjugate()).normalized();
    if (free) {
        q = turned;
        set_principal_spin(body, turn.end, i, state);
        return;
    }
    const Vec3 mean = q_P * turn.mean;
    const Vec3 L_P = body.moments.cwiseProduct(turn.start + q_P.conjugate() * (w - mean));
    q = turn.parts == 1 ? rotated(q, h * w_move) : rotated(turned, h * (w_move - mean));
    const Vec3 L_P_now = (q * body.q_BP).conjugate() * (q_P * L_P);
    set_principal_spin(body, L_P_now.cwiseQuotient(body.moments), i, state);
}

}  // namespace

void move_freely(const Body& body, double time, std::size_t i, State& state) {
    Pose& pose = state.pose[i];
    Twist& twist = state.twist[i];
    pose.p += time * twist.v;
    if (body.kind == BodyKind::kKinematic || body.isotropic || twist.w.isZero(0.0)) {
        pose.q = rotated(pose.q, time * twist.w);
        return;
    }
    const FreeTurn turn = free_turn(body, principal_spin(body, state, i), time);
    pose.q = (pose.q * body.q_BP * turn.turn * body.q_BP.conjugate()).normalized();
    set_principal_spin(body, turn.end, i, state);
}

int too_fast(const Model& model, double h, const State& state) {
    constexpr double kHalfTurn = std::numbers::pi;
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        const Body& body = model.bodies[i];
        if (body.kind != BodyKind::kDynamic) continue;
        const double gyration = 0.5 * body.moments.sum() / body.mass;  // squared
        if (h * h * state.twist[i].w.squaredNorm() > kHalfTurn * kHalfTurn ||
            h * h * state.twist[i].v.squaredNorm() > kFarthest * kFarthest * gyration)
            return static_cast<int>(i);
    }
    return kNone;
}

void integrate(const Model& model, const ContactProblem& problem, const Forces& forces,
               const std::vector<TreeMotion>& motions, const ContactSolution& solution,
               const std::vector<char>& half, IntegrateWorkspace& workspace, State& state) {
    const double h = problem.h;
    const auto is_half = [&](int body) { return !half.empty() && half[at(body)] != 0; };
    state.spin_P.resize(model.bodies.size(), Vec3::Zero());
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        const Body& body = model.bodies[i];
        Pose& pose = state.pose[i];
        Twist& twist = state.twist[i];
        if (body.kind == BodyKind::kKinematic)
            move_freely(body, is_half(static_cast<int>(i)) ? 0.5 * h : h, i, state);
        if (body.kind != BodyKind::kDynamic || body.tree != kNone) continue;
        const InertiaBlock& block = problem.system.blocks[at(body.block)];
        if (is_half(static_cast<int>(i))) {
            twist = {solution.v.segment<3>(block.offset), solution.v.segment<3>(block.offset + 3)};
            move_freely(body, 0.5 * h, i, state);
            continue;
        }
        pose.p += h * solution.v_move.segment<3>(block.offset);
        twist.v = solution.v.segment<3>(block.offset);
        const Vec3 w_move = solution.v_move.segment<3>(block.offset + 3);
        const Vec3 w = solution.v.segment<3>(block.offset + 3);
        if (body.isotropic) {
            pose.q = rotated(pose.q, h * w_move);
            twist.w = w;
            continue;
        }
        const bool free = forces.wrench[i].torque == forces.gyroscopic[i] && w_move == w &&
                          w == problem.v_free.segment<3>(block.offset + 3);
        turn_body(body, forces.turns[i], free, w_move, w, h, i, state);
    }
    workspace.trees.resize(model.trees.size());
    for (std::size_t t = 0; t < model.trees.size(); ++t) {
        const Tree& tree = model.trees[t];
        const DofBlock& block = model.blocks[at(tree.block)];
        const auto v = solution.v.segment(block.offset, block.size);
        const auto v_move = solution.v_move.segment(block.offset, block.size);
        if (motions[t].takes_coriolis || is_half(tree.nodes.front().body)) {
            move_tree(model, tree, v_move, is_half(tree.nodes.front().body) ? 0.5 * h : h, v,
                      state);
            continue;
        }
        remember_momenta(model, tree, state, motions[t], v, h, workspace.trees[t]);
        move_tree(model, tree, v_move, h, v, state);
        carry_momenta(model, tree, h, v_move == v, workspace.trees[t], state);
    }
    ++state.step;
    state.time += h;
}

}  // namespace stiction
