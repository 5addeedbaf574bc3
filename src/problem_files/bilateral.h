// bilateral.h - rows that hold both ways (joints) taken out of a contact problem, as FCLIB has them:
//
//   u = W r + V l + q,   V' r + R l + s = 0     ->     u = (W - V R^-1 V') r + (q - V R^-1 s)
//
// R may be singular where rows are redundant; l is then the one of least norm, u is the same.
#pragma once

#include "solve/cone/cone_problem.h"

namespace stiction {

// W, q of contacts and, after them, of `rows` bilateral rows, padded with zeros to blocks of three; mu
// of the contacts alone. False where bilateral rows contradict one another.
[[nodiscard]] bool take_out_bilateral(const BlockMatrix& W, const VecX& q, const VecX& mu, int rows,
                                      ConeProblem& problem);

// Whether the dense factors of that many rows are made within seconds.
[[nodiscard]] bool can_take_out(Eigen::Index contact_rows, Eigen::Index bilateral_rows);

}  // namespace stiction
