// sweeps.h - Gauss-Seidel over the 3x3 blocks of a given matrix W: each block in turn is solved for
// its three impulses while the others stand,
//   r_a <- (1 - omega) r_a + omega * solution of  u = W_aa r + (q_a + sum_{b != a} W_ab r_b)
// under its law, exactly (one_contact.h), or nearly where bounds act. It is the solver `pgs` of
// cone_solver.h and the first stage of prox_newton.h.
//
// The solver measures the residual every few sweeps with u formed anew; the best iterate seen, the
// start included, is what is returned. omega starts at 1. It falls when the best has stood for long
// (sweeps of strong friction may go in circles), and when the residual has grown far beyond the
// best or is not finite: then the sweeps go on from the best. They end at the tolerance, at the
// limit, when a sweep changes nothing, or when omega has become small.
// For cones they converge where friction is not too large, linearly, slowly when masses differ much
// or contacts are redundant. No random numbers, no threads: same input, same bits.
#pragma once

#include "solve/cone/cone_problem.h"

namespace stiction {

struct ConeSweepsSettings {
    SolveSettings stop;   // max_iterations counts sweeps, 0: 5000
    int judge_every = 5;  // sweeps between measurements, each of which costs nearly a sweep
};

struct ConeSweepsWorkspace {
    VecX r, u;    // the iterate
    VecX lambda;  // nc, of sliding contacts, guesses of one_contact.h
    VecX weight;  // nc, block_weight()
};

// Solves from `guess` (3 nc; one that is empty, of another size or not finite counts as zero).
// result.iterations counts sweeps.
void solve_cone_sweeps(const ConeProblem& problem, const ConeSweepsSettings& settings,
                       const VecX& guess, ConeSweepsWorkspace& workspace, ConeResult& result);

// One sweep with omega = 1. Returns |D dr|, D_a = weight[a]: a velocity that estimates the
// residual.
double cone_sweep(const ConeProblem& problem, const VecX& weight, VecX& lambda, VecX& r);

}  // namespace stiction
