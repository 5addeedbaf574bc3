// joint_error.cpp - errors of joint rows, link by link.
#include "integrate/joint_error.h"

#include <array>
#include <cmath>

#include "dynamics/joint_geometry.h"
#include "problem/link_motion.h"

namespace stiction {

void joint_row_errors(const Model& model, const ContactProblem& problem, std::size_t l,
                      const State& state, std::span<double> errors) {
    const Joint& joint =
        model.joints[at(problem.joints[at(problem.link_rows[l].joint_begin)].joint)];
    const double length = problem.system.links[l].length;
    if (joint.reduced) {  // its one row is that of a mimic
        const double unit = joint.kind == JointKind::kRevolute ? length : 1.0;
        errors[0] = unit * mimic_error(model, state, joint);
        return;
    }
    const JointGeometry geometry = joint_geometry(state, joint, length);
    for (int k = 0; k < geometry.rows; ++k) errors[at(k)] = geometry.error[at(k)];
}

void add_joint_error(const Model& model, const ContactProblem& problem, std::size_t l,
                     const VecX& v, const State& state, JointError& error) {
    const LinkRows& range = problem.link_rows[l];
    const int count = range.joint_end - range.joint_begin;
    if (count == 0) return;
    std::array<double, 6> errors{};
    joint_row_errors(model, problem, l, state, std::span(errors).first(at(count)));
    const Vec6 u = link_velocity(problem.system, problem.system.links[l], v);
    for (int k = 0; k < count; ++k) {
        const JointRow& row = problem.joints[at(range.joint_begin + k)];
        const double position = std::abs(errors[at(k)]);
        const double speed = std::abs(row.g.dot(u) - row.bias);
        if (!(position <= error.position)) {
            error.position = position;
            error.joint = row.joint;
        }
        if (!(speed <= error.speed)) error.speed = speed;
    }
}

}  // namespace stiction
