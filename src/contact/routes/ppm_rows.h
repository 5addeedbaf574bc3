// ppm_rows.h - the rows of one island by the paper's route [D15, Algorithms 1 and 2]: FIND-INDICES
// on whitened equality rows, which are eliminated, then a problem of the normals, limits, motors and
// joint friction alone. Principal pivoting solves it without forming anything of rows x rows
// (solve/lcp/active_set.h): dense in the velocities, linear in the contacts. For comparison other
// methods get the matrix.
//
// The unknown is p = L'(v - v_free), M = L L', in which rows x are y = L^-1 x and want b = target
// less their velocity at v_free. Soft equalities (viscous friction) become part of the inertia, as
// [D15] has S'mu_v S: with H = 1 + sum y y'/g = R_h R_h', g their compliance,
//
//   p = p_h + R_h'^-1 p',   p_h = H^-1 sum y b/g,   y' = R_h^-1 y,   b' = b - y.p_h
//
// and what follows is said of the primed ones. Q is an orthonormal basis of the accepted equality
// rows, whose rows are R'Q'. So C = I - Q Q', and with equalities alone p = Q s, s = R'^-1 b.
// Impulses of the accepted rows follow from R c = Q'(p - Y_n'c_n). A soft row between bounds has a
// further coordinate of its own, sqrt(g) c.
#pragma once

#include <vector>

#include "contact/island/island_task.h"
#include "solve/factor/independent_rows.h"
#include "solve/lcp/active_set.h"
#include "solve/lcp/box_lcp.h"
#include "solve/lcp/lemke.h"

namespace stiction {

struct PpmRoute {
    std::vector<int> soft;          // rows of the island that become part of the inertia
    std::vector<int> equalities;    // joints, then tangents contact by contact
    std::vector<int> inequalities;  // normals, limits, bounded rows
    std::vector<int> links;         // per row its link's place in the island
    std::vector<int> local;  // per block of the system: offset of its velocities in the island
    MatX H, root;            // of the soft rows; root empty: there are none
    MatX Y_soft;             // as columns, not primed
    VecX b_soft, p_soft;     // p_h
    MatX Y;                  // equality rows, whitened
    VecX b;                  // what they want
    MatX R, Z;               // accepted rows Z = Q R, as columns
    VecX s, p, rest, y;
    IndependentRows accepted;
    IndependentRowsWorkspace independent;
    PpmProblem ppm;  // K = I - Q Q'
    ActiveSetWorkspace pivoting;
    LcpBasis guess;
    LcpResult result;
    // For methods that are given the matrix.
    MatX NK;
    BoxLcp box;
    std::vector<BoundState> states;
    BoxResult box_result;
    LemkeWorkspace lemke;
    LcpResult lemke_result;
};

// What solves the problem that is left.
enum class ReducedSolver { kPpm, kActiveSetQp, kLemke };

// Rungs: task.workspace.rows from rows.state; sets rows.c, rows.state and the island's v. Bounds on
// tangential rows and on joints are left out of account. The residual is the largest violation of
// the rows' law [m/s]; rejected rows count too, for they must hold by dependence.
[[nodiscard]] IslandResult solve_reduced(ReducedSolver solver, const IslandTask& task);
template <ReducedSolver kSolver>
[[nodiscard]] IslandResult solve_reduced_by(const IslandTask& task) {
    return solve_reduced(kSolver, task);
}

}  // namespace stiction
