// active_set_rows.h - the program of active_set.h where the rows behind its matrix are known,
//   min 1/2 |Y c|^2 + b'c,   lo <= c <= hi,   A = Y'Y of box_lcp.h, one column of Y per unknown.
// In: the problem (A for measuring the answer), Y, settings, a guess of the states. Out: BoxResult.
//
// A squares the condition of Y: of a row that is independent of the others by 1e-6 of its length,
// 1e-12 is left in A, below what tells it from rounding. No-slip contacts whose heights differ by
// micrometres are like that, and they matter: taken as dependent, they leave a program without
// minimum, or steps that climb. So here F is factored as Y_F = Q R (two Gram-Schmidt passes, Givens
// rotations when a row leaves), and p = Y c is the unknown beside c. On a set F it has a closed
// form that does not lean on the large, ill-determined c_F:
//   R'q = -b_F,   p = Q q + (I - Q Q') p_B,   R c_F = q - Q'p_B,   p_B = sum of y_i c_i outside F.
// The passes are those of active_set.h.
#pragma once

#include "solve/lcp/box_lcp.h"

namespace stiction {

struct ActiveSetRowsSettings {
    SolveSettings stop = kLcpStop;  // max_iterations: pivots, 0: max(1000, 20 n)
    double row_tolerance = 1e-11;   // |rest| of a dependent row over its length
};

struct ActiveSetRowsWorkspace {
    std::vector<int> free;        // F, in the order of the factor
    MatX Q, R;                    // as many columns as the rank can have, the leading |F| in use
    VecX z, w, p;                 // the point: n, n, rows of Y
    VecX best_z, best_w, best_p;  // the point of least residual, which is the answer
    VecX z_F, p_F, q;             // minimiser over F
    VecX r, c, rest;              // one row: Q'y, R^-1 Q'y, (I - Q Q') y
    std::vector<double> length;   // |y_i|
    std::vector<char> role;
    std::vector<BoundState> state;  // copy: the guess may live in the result
};

// iterations counts passes, pivots the changes of F.
void solve_active_set_rows(const BoxLcp& problem, const MatX& Y,
                           const ActiveSetRowsSettings& settings,
                           const std::vector<BoundState>& guess, ActiveSetRowsWorkspace& workspace,
                           BoxResult& result);

}  // namespace stiction
