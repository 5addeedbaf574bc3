// interior_point.h - primal-dual interior point for convex programs over friction cones
// (cone_qp.h), for the convex relaxation of the Coulomb cone problem, and for that problem itself.
//
// Per contact the cone is turned into the Lorentz cone L = { y : |y_T| <= y_0 } and its multiplier
// into another element of L:
//
//   y = (mu x_N + s, x_T),   Y = diag(mu, 1, 1)       z in L,  y . z = 0
//   x_N >= 0 with multiplier n >= 0, where s > 0 or mu = 0 (elsewhere y_0 >= 0 says it)
//   g = C x - d >= 0 with multiplier v >= 0, one per row
//   F = H x + c - Y z - n e_N - C'v  ( + mu |z_T| e_N  for Coulomb's law )  =  0
//
// The last term makes the difference between the relaxation and Coulomb's law (z_T = u_T at the
// solution); its derivative is part of the Newton matrix, so that no outer loop over mu |u_T| is
// needed and the end is quadratic. A contact with mu = s = 0 has x_T = 0 and no cone.
//
// An iteration linearises F = 0 and y o z = sigma m e (m: mean of all y.z, n x_N, v g; o: the
// Jordan product of L) in the scaling of Nesterov and Todd, P y = z with P symmetric,
//
//   ( H + T P Y + n/x_N e e'   -C'  ) (dx)         T = Y, for Coulomb's law Y - mu e_N z_T'/|z_T|
//   ( C                        g/v  ) (dv)  = ...
//
// once for sigma = 0 and once with the second-order terms of that step (Mehrotra). H is used as it
// is, symmetric or not: block LU without rows, dense LU or LDL' of the quasi-definite form with.
// Cones are kept feasible, rows need not be: there may be no point with C x > d. Small proximal
// terms on dx and dv keep the system regular then, and where H is singular; they do not change the
// solution, only the way.
//
// Three things make 1e-8 possible where contacts slide, y and z both at the boundary of L:
// - the gaps y_0 - |y_T|, z_0 - |z_T| are unknowns of their own, updated without cancellation;
// - dz comes from the linearised F where P is stiff, else from y o z;
// - y o z = m e bounds the angle between y_T and -z_T only by sqrt(m): when the residual is well
//   above that of a centred point with the same m, steps are for centring only (sigma = 1).
//
// Cost per iteration: one factorisation, four solves. From 5 to 30 iterations are usual. Coulomb's
// law is not monotone: its path may end at a fold, and then the status is kIterationLimit.
// On random bodies that happens in about one case of a hundred, in four with masses up to 1e8
// apart; to convex programs in one or two of a hundred where the masses are so or multipliers
// unbounded. Blocks of bounded rows (ConeProblem::bounded) are not taken: r = 0, kIterationLimit.
// What is returned is never worse, by its own residual, than the guess or zero.
#pragma once

#include "solve/cone/cone_problem.h"
#include "solve/cone/cone_qp.h"
#include "solve/cone/interior_point_workspace.h"

namespace stiction {

// kNoSolution: the multipliers found show that the rows contradict the cones or one another.
void solve_interior_point(const ConeQp& qp, const SolveSettings& settings,
                          InteriorPointWorkspace& workspace, ConeQpResult& result);

// The residuals of cone_problem.h without mu |u_T|: those of the convex relaxation.
[[nodiscard]] ConeResidual relaxed_residual(const ConeProblem& problem, const VecX& r,
                                            const VecX& u);

// Solves the relaxation; status and iterations refer to its own law (both residuals of
// relaxed_residual), result.residual to Coulomb's.
void solve_convex_relaxation(const ConeProblem& problem, const SolveSettings& settings,
                             const VecX& guess, InteriorPointWorkspace& workspace,
                             ConeResult& result);

// Coulomb's law. The guess (3 nc, or empty) is returned if it is good enough, or better than what
// was found; it does not shorten the way.
void solve_interior_point(const ConeProblem& problem, const SolveSettings& settings,
                          const VecX& guess, InteriorPointWorkspace& workspace, ConeResult& result);

}  // namespace stiction
