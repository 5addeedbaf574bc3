// lemke_tableau.h - the tableau x_B = q + T x_N of lemke.h, its exchanges, and a run of them from
// z0 entering to z0 leaving.
#pragma once

#include "core/deadline.h"
#include "core/status.h"
#include "solve/lcp/lemke.h"

namespace stiction::lemke {

// Smallest pivot that is divided by where entries are near 1: hundreds of roundings, for here a
// basis that is nearly singular is better than none.
inline constexpr double kSingular = 1e-13;

struct Start {
    double regularisation = 0;  // l, relative to the diagonal
    bool graded_cover = false;  // d between 1 and 2 instead of all ones
};

// x_B = q + T x_N for x_B = w, x_N = (z, z0): T = (S A S + l I, d), q = S b / b_scale.
void build_tableau(const Lcp& lcp, double b_scale, const Start& start, LemkeWorkspace& ws);

// Principal pivot transform on the guess: w_B out, z_B in, then z_j and w_j trade names for j in B.
// False where that is singular.
[[nodiscard]] bool pivot_to_guess(LemkeWorkspace& ws, int n, int& pivots);

// From what, and every how many exchanges, the tableau is built anew.
struct Renewal {
    const Lcp& lcp;
    double b_scale;
    const Start& start;
    int interval;
};

// The first exchange brings z0 in, the following ones the complement of what left. kSolved: z0 is
// out of the basis. Without a renewal rounding errors stay in the tableau.
[[nodiscard]] SolveStatus run_tableau(LemkeWorkspace& ws, int n, int most_pivots,
                                      const Deadline& deadline, const Renewal* renewal,
                                      int& pivots);

// Basic set of the tableau and the values of z that it holds.
void read_tableau(LemkeWorkspace& ws, int n, double b_scale);

}  // namespace stiction::lemke
