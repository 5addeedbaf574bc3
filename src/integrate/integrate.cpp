// integrate.cpp - symplectic Euler for free and kinematic bodies and for trees.
#include "integrate/integrate.h"

#include "dynamics/free_body.h"
#include "dynamics/tree.h"

namespace stiction {

void integrate(const Model& model, const ContactProblem& problem, const Forces& forces,
               const ContactSolution& solution, State& state) {
    const double h = problem.h;
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        const Body& body = model.bodies[i];
        Pose& pose = state.pose[i];
        Twist& twist = state.twist[i];
        if (body.kind == BodyKind::kKinematic) {
            pose.p += h * twist.v;
            pose.q = rotated(pose.q, h * twist.w);
        }
        if (body.kind != BodyKind::kDynamic || body.tree != kNone) continue;
        const InertiaBlock& block = problem.system.blocks[at(body.block)];
        pose.p += h * solution.v_move.segment<3>(block.offset);
        pose.q = rotated(pose.q, h * solution.v_move.segment<3>(block.offset + 3));
        twist.v = solution.v.segment<3>(block.offset);
        twist.w = solution.v.segment<3>(block.offset + 3);
        if (body.isotropic || twist.w.isZero(0.0)) continue;
        const Vec3 L = block.inertia * twist.w - h * forces.gyroscopic[i];
        twist.w = pose.q * Vec3(body.inv_inertia_B * (pose.q.conjugate() * L));
    }
    for (const Tree& tree : model.trees) {
        const DofBlock& block = model.blocks[at(tree.block)];
        move_tree(model, tree, solution.v_move.segment(block.offset, block.size), h,
                  solution.v.segment(block.offset, block.size), state);
    }
    ++state.step;
    state.time += h;
}

}  // namespace stiction
