// joint_error.h - how far joints are from where they should be after a step.
//
//   position   largest |g(q+)| over the joint rows, at the positions after the projection [m]
//   speed      largest |g.u+ - bias| over the same rows, with the rows and velocities of the solve
//              [m/s]: what the solver left
//
// Rows of rotation carry the length of their link, so all are in metres (joint_geometry.h). A
// mimic's row counts as a joint's. Reduced joints have no rows and cannot come apart.
//
// A joint is torn where one of them is beyond the tolerance: position > tolerance, or
// h speed > tolerance, which is how far such a speed takes it in a step. A fast mechanism has errors
// of its own below that: a link that turns by 0.1 rad in a step leaves 1e-4 of its length.
#pragma once

#include <span>

#include "model/model.h"
#include "model/state.h"
#include "problem/contact_problem.h"

namespace stiction {

struct JointError {
    double position = 0;  // [m]
    double speed = 0;     // [m/s]
    int joint = kNone;    // whose position error is the largest; kNone where there is none

    [[nodiscard]] bool torn(double tolerance, double h) const {
        return !(position <= tolerance && h * speed <= tolerance);  // NaN is torn
    }
};

// g(q) of the joint rows of link l, which has some, into errors [m], one per row.
void joint_row_errors(const Model& model, const ContactProblem& problem, std::size_t l,
                      const State& state, std::span<double> errors);

}  // namespace stiction
