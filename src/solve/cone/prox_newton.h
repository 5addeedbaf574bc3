// prox_newton.h - a proximal (augmented Lagrangian) semi-smooth Newton method for the laws of
// cone_problem.h, every one of them: cones, polygons, rows between bounds.
//
//   find r:  r = P_K(r - d(u)),   u = W r + q                        per block
//
// 1. Plain steps on F = D (r - answer(r - u / D)), D_a = tr W_aa / 3, where `answer` takes normal and
//    tangential part one after the other [Alart-Curnier]. Full-rank problems near their solution
//    end here in a few steps; the first step that fails to pay ends this stage.
// 2. Proximal steps. W is often singular and Coulomb's law is not monotone, so each outer step
//    solves the problem made regular around the last answer c,
//      find r:  r = gamma(u) at u = W r + q                                                     (1)
//      gamma = answer(c - u / (alpha D))         or         gamma = P_K(c - d(u) / (alpha D))
//    which at r = c is the problem itself, and has the impulse nearest to c where many are right.
//    (1) is solved for y = gamma(W y + q) by Newton steps
//      (alpha D + P' W) dy = alpha D (gamma - y),   P' the derivative of gamma by -u / (alpha D),
//    halved while |D (y - gamma)| does not fall. With the shift d_N - u_N held fixed and W
//    symmetric, (1) in its second form is the optimality condition of
//      min phi(y) = 1/2 y'W y + sum_a alpha D_a (z_a . P_K(z_a) - 1/2 |P_K(z_a)|^2),
//      z_a = c_a - (u_a + shift_a e_N) / (alpha D_a),
//    a convex function with gradient W (y - gamma), whose Newton steps descend from anywhere. Laws
//    without a shift take these steps alone.
//    Quick steps use the first form, and the convex function with the slip of the last answer where
//    that does not converge; careful steps the second. They take turns where nothing is gained.
//    Where the guess is far off, two convex problems without slip come first: what rests is solved
//    by them.
//    alpha shrinks while (1) is easy and grows when it is not; the outer steps converge
//    superlinearly as it shrinks. The unsymmetric part of W, small in practice, enters every step.
//
// One set of constants serves all problems: alpha is relative to D, everything else dimensionless.
// The method sees W through three operations (DelassusOperator): blocks of a stored matrix
// (prox_newton_matrix.h), or bodies and links without any W (contact/routes/body_operator.h).
#pragma once

#include <vector>

#include "solve/cone/cone_problem.h"

namespace stiction {

// W of a problem, three rows per block.
class DelassusOperator {
  public:
    virtual ~DelassusOperator() = default;

    // W_x = W x
    virtual void multiply(const VecX& x, VecX& W_x) = 0;

    // Factors A + B W, A and B block-diagonal; false if it cannot. Blocks that are `open` have no
    // equation: their part of x is given. A step of a law without shift is symmetric in the sense
    // that B = P (alpha D)^-1 A with P symmetric.
    virtual bool factor(const std::vector<Mat3>& A, const std::vector<Mat3>& B,
                        const std::vector<char>& open, bool symmetric) = 0;

    // Solves (A + B W) x = right side, which stands in x.
    virtual void solve(VecX& x) = 0;
};

struct ProxNewtonSettings {
    SolveSettings stop;
    // Residual that is worth one more outer step once the tolerance is met: the next of a series of
    // problems then starts from a better guess.
    double aim = 0;
    bool careful = false;  // begin with careful steps: the better choice where most contacts slide
};

struct ProxNewtonWorkspace {
    VecX r, u;                           // the iterate and its velocity
    VecX center;                         // c
    VecX y, u_y, gamma;                  // inner iterate, its velocity, gamma(y)
    VecX trial_y, trial_u, trial_gamma;  // along the line search
    VecX step, W_step, shift;            // dy, W dy; d_N - u_N
    std::vector<Mat3> A, B;              // nc, a step solves (A + B W) step = right side
    std::vector<char> open;              // nc, blocks that a step leaves at zero
};

// Solves from workspace.r and its velocity workspace.u; the result, which begin() made, holds the
// best known answer and gets a better one. D: weights of the blocks. stop.max_iterations limits
// result.iterations, of which every factorisation is one; 0: 6000.
// kIterationLimit: the tolerance was not reached, result is the best found.
void solve_prox_newton(const ConeLaws& laws, const VecX& q, const VecX& D, DelassusOperator& W,
                       const ProxNewtonSettings& settings, ProxNewtonWorkspace& workspace,
                       ConeResult& result);

inline constexpr int kProxNewtonLimit = 6000;  // three times what the hardest pile at hand needs

}  // namespace stiction
