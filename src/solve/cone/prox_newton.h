// prox_newton.h - the solver for the Coulomb cone problem of cone_problem.h that `auto` takes:
// Gauss-Seidel sweeps, then a proximal (augmented Lagrangian) semi-smooth Newton method.
//
// 1. Sweeps. Each contact in turn is solved exactly (one_contact.h). One contact, decoupled ones
// and
//    well conditioned problems end here. The sweeps stop when the rate at which they converge says
//    that the tolerance is too far away.
// 2. Alart-Curnier steps. On the states open, sticking, sliding of y = D r - u, D_a = tr W_aa / 3,
//    one Newton step on  F = D r - P(y)  with open contacts left out. Full-rank problems end here
//    in a few steps; the first step that fails to pay ends this stage.
// 3. Proximal Newton. W is often singular and what is left is not monotone, so each outer step
//    solves the problem made regular around the last answer c,
//      find r:  r = P_K(c - (u + mu |u_T| e_N) / (alpha D)),   u = W r + q,                     (1)
//    which at r = c is the problem itself, and has the impulse nearest to c where many are right.
//    (1) is solved for y = gamma(y), gamma the right side at u = W y + q, by Newton steps
//      (alpha D + P' (I + mu e_N t') W) dy = alpha D (gamma - y),   t = u_T / |u_T|,
//    P' the derivative of the projection at its argument, halved while |D (y - gamma)| does not
//    fall. With s = mu |u_T| held fixed and W symmetric, (1) is the optimality condition of
//      min phi(y) = 1/2 y'W y + sum_a alpha D_a (z_a . P_K(z_a) - 1/2 |P_K(z_a)|^2),
//      z_a = c_a - (u_a + s_a e_N) / (alpha D_a),
//    a convex function with gradient W (y - gamma), whose Newton step is the one above without the
//    term of t: it descends from anywhere. So when halving fails, two such steps with a line
//    search on phi are made.
//    alpha shrinks while (1) is easy and grows when it is not; the outer steps converge
//    superlinearly as it shrinks. The unsymmetric part of W, small in practice, enters every step.
//
// One set of constants serves all problems: alpha is relative to D, everything else dimensionless.
// Cost: a sweep is O(blocks of W), a step one factorisation of the pattern of W (block_lu.h). The
// result is the best of all iterates by the worse of the two residuals, the start included.
#pragma once

#include <vector>

#include "solve/cone/cone_problem.h"
#include "solve/factor/block_lu.h"

namespace stiction {

struct ProxNewtonWorkspace {
    VecX D;                              // nc, tr W_aa / 3
    VecX lambda;                         // nc, guesses of one_contact.h
    VecX r, u;                           // the iterate and its velocity
    VecX center;                         // c
    VecX y, u_y, gamma;                  // inner iterate, its velocity, gamma(y)
    VecX trial_y, trial_u, trial_gamma;  // along the line search
    VecX step, W_step, shift;            // dy, W dy; s
    std::vector<Mat3> A, B;              // nc, a step solves (A + B W) step = right side
    std::vector<char> open;              // nc, contacts that a step leaves at zero
    BlockLu lu;
    std::vector<int> start, column;  // pattern that lu was analysed for
};

// Solves from `guess` (3 nc; empty, of another size or not finite: from zero).
// settings.max_iterations limits result.iterations = sweeps + factorisations; 0: 6000.
// kIterationLimit: the tolerance was not reached, result is the best found.
void solve_prox_newton(const ConeProblem& problem, const SolveSettings& settings, const VecX& guess,
                       ProxNewtonWorkspace& workspace, ConeResult& result);

}  // namespace stiction
