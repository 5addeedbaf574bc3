// newton.h - non-smooth Newton on the function of Alart and Curnier for the Coulomb cone problem of
// cone_problem.h: the textbook method.
//
// Per contact, with y = r - rho u, rho_N = 1 / W_NN, rho_T = 2 / tr W_TT, n = max(0, y_N):
//   F_N = r_N - n,    F_T = r_T - (y_T if |y_T| <= mu n, else mu n y_T / |y_T|)
// F = 0 exactly at the solutions. With D the derivative of the subtracted point by y (one element
// of the generalized Jacobian: 0 where the contact is open, the identity where it sticks, of rank 2
// where it slides) a step solves, all contacts together,
//   (I - D + D rho (W + eps scale)) dr = -F,   scale_a = tr W_aa / 3.
// eps (1e-7) keeps redundant sticking contacts, where W is singular, from a division by zero; the
// residuals are those of the problem as given. Steps are halved until |F / rho|^2 falls enough.
// When no step does, or the matrix is singular, `rescue_sweeps` of sweeps.h move the iterate and
// Newton goes on from there; each further rescue without a better residual has twice the
// sweeps, and after `max_rescues` it gives up. The best iterate by the residuals of cone_problem.h,
// the start included, is what is returned.
//
// Cost of an iteration: one factorisation, dense with row exchanges up to kDenseContacts contacts,
// block-sparse (block_lu.h) beyond. Quadratic near a solution that is not degenerate; no proof from
// afar, and where W is singular with contacts about to slide it may rest on the sweeps alone.
#pragma once

#include <Eigen/LU>
#include <vector>

#include "solve/cone/cone_problem.h"
#include "solve/cone/sweeps.h"
#include "solve/factor/block_lu.h"

namespace stiction {

inline constexpr int kDenseContacts = 16;  // a matrix of 18 kB

struct NewtonSettings {
    SolveSettings stop;      // max_iterations counts factorisations, 0: 200
    int rescue_sweeps = 20;  // Gauss-Seidel sweeps when a step fails, doubled from time to time
    int max_rescues = 8;     // in a row without a better residual
};

struct NewtonWorkspace {
    VecX r, u, F, step;   // 3 nc
    VecX rho;             // 3 nc
    std::vector<Mat3> D;  // nc
    MatX A;               // dense
    Eigen::PartialPivLU<MatX> dense;
    BlockLu<3> sparse;
    std::vector<int> start, column;  // pattern that `sparse` was analysed for
    ConeSweepsWorkspace sweeps;
    ConeResult swept;
};

// Solves from `guess` (3 nc; one that is empty, of another size or not finite counts as zero).
// result.iterations counts steps tried. Blocks of bounded rows are not taken: r = 0,
// kIterationLimit.
void solve_newton(const ConeProblem& problem, const NewtonSettings& settings, const VecX& guess,
                  NewtonWorkspace& workspace, ConeResult& result);
void solve_newton(const ConeProblem& problem, const SolveSettings& settings, const VecX& guess,
                  NewtonWorkspace& workspace, ConeResult& result);

}  // namespace stiction
