// prox_newton_matrix.h - the method of prox_newton.h on a given matrix W: the solver of stored
// contact problems, and of islands of few contacts.
//
// 1. Few contacts that all stuck: W r = -q by a dense factor.
// 2. Sweeps. Each contact in turn is solved exactly (one_contact.h). One contact, decoupled ones
//    and well conditioned problems end here. The sweeps stop when the rate at which they converge
//    says that the tolerance is too far away.
// 3. prox_newton.h.
//
// Cost: a sweep is O(blocks of W), a step one factorisation of the pattern of W (block_lu.h). The
// result is the best of all iterates by the worse of the two residuals, the start included.
#pragma once

#include <vector>

#include "solve/cone/prox_newton.h"
#include "solve/factor/block_lu.h"

namespace stiction {

struct MatrixProxNewtonWorkspace {
    VecX D;       // nc, tr W_aa / 3
    VecX lambda;  // nc, guesses of one_contact.h
    ProxNewtonWorkspace newton;
    BlockLu<3> lu;
    std::vector<int> start, column;  // pattern that lu was analysed for
    VecX given;                      // steps of open blocks, while lu works on the others
};

// Solves from `guess` (3 nc; empty, of another size or not finite: from zero).
// settings.max_iterations limits result.iterations = sweeps + factorisations; 0: 6000.
// kIterationLimit: the tolerance was not reached, result is the best found.
void solve_prox_newton(const ConeProblem& problem, const SolveSettings& settings, const VecX& guess,
                       MatrixProxNewtonWorkspace& workspace, ConeResult& result);

}  // namespace stiction
