// elimination.h - equality rows (joints, drives without bounds) taken out of an island's dense
// problem. With E the equalities, U the other rows, W the Delassus matrix and w their velocities:
//
//   W_EE = L L',   Y = L^-1 W_EU,   e = L^-1 w_E
//   A = W_UU - Y'Y = G C G',        b = w_U - Y'e = G v_hat - target
//   c_E = -L'^-1 (e + Y c_U)
//
// J is kept at full row rank the way FIND-INDICES does, so loops and redundant joints work; dropped
// rows get no impulse.
#pragma once

#include <vector>

#include "contact/island/island_rows.h"
#include "solve/factor/independent_rows.h"
#include "solve/lcp/box_lcp.h"

namespace stiction {

struct Elimination {
    std::vector<int> equalities;  // rows E
    std::vector<int> unknowns;    // rows U in the order of A and b, which the caller sets; kNone: a
                                  // place without row, zero in A and b
    MatX L, Y, A;
    VecX e, b, c;            // c: impulses of the equalities
    std::vector<int> local;  // scratch
    MatX whitened;
    VecX y;
    IndependentRows independent;
    IndependentRowsWorkspace independent_workspace;
};

// Equalities among the rows that are not tangential, independent ones only.
void choose_equalities(const LinkSystem& system, const IslandRows& rows, Elimination& elimination);

// A and b of the unknowns; `all` has W and w of every row.
void eliminate(const BoxLcp& all, Elimination& elimination);

// Sets rows.c of the equalities; those of the unknowns stand there, and no others.
void recover_equalities(Elimination& elimination, IslandRows& rows);

}  // namespace stiction
