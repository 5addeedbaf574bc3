// ppm_rows.h - the rows of one island by the paper's route [D15, Algorithms 1 and 2]: FIND-INDICES
// on whitened equality rows, then principal pivoting on the normals (solve/lcp/active_set.h). Dense in the
// velocities, linear in the contacts: nothing of rows x rows is formed.
//
// The unknown is p = L'(v - v_free), M = L L', in which rows x are y = L^-1 x and want b = target
// less their velocity at v_free. Q is an orthonormal basis of the accepted equality rows, whose
// rows are R'Q'. So C = I - Q Q', and with equalities alone p = Q s, s = R'^-1 b. Impulses of the
// accepted rows follow from R c = Q'(p - Y_n'c_n).
#pragma once

#include <vector>

#include "contact/island/island_task.h"
#include "solve/factor/independent_rows.h"
#include "solve/lcp/active_set.h"

namespace stiction {

struct PpmRoute {
    std::vector<int> equalities;    // rows of the island: joints, then tangents contact by contact
    std::vector<int> inequalities;  // normals and limits
    std::vector<int> links;         // per row its link's place in the island
    std::vector<int> local;  // per block of the system: offset of its velocities in the island
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
};

// Rung: task.workspace.rows from rows.state; sets rows.c, rows.state and the island's v. Rows with
// an upper bound are not for it. The residual is the largest violation of the rows' law [m/s];
// rejected rows count too, for they must hold by dependence.
[[nodiscard]] IslandResult solve_by_ppm(const IslandTask& task);

}  // namespace stiction
