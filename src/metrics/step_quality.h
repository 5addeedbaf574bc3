// step_quality.h - contact_quality.h for one step of a simulation: ContactProblem and
// ContactSolution.
//
// r = (c_n, c_s, c_t), u = (N, S, T) v+ with the bias added to its normal part, q the same with
// v_free, weight = tr(G_a M^-1 G_a') / 3. The impulses of joints, limits and motors are taken as
// they are: with such rows q is not quite u at zero contact impulse, but still the scale of the
// velocities by which the residuals are divided.
#pragma once

#include "metrics/contact_quality.h"
#include "problem/contact_problem.h"
#include "problem/contact_solution.h"

namespace stiction {

struct StepQualityWorkspace {
    VecX mu, r, u, q, weight, phi, bias;
};

void measure_quality(const ContactProblem& problem, const ContactSolution& solution,
                     const QualityThresholds& thresholds, StepQualityWorkspace& workspace,
                     ContactQuality& quality);

}  // namespace stiction
