// joint_error.cpp - errors of joint rows, link by link.
#include "integrate/joint_error.h"

#include "dynamics/joint_geometry.h"

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

}  // namespace stiction
