// anderson.h - Anderson acceleration of a fixed-point iteration x <- g(x): the next x combines the
// last few images so that the combined change f = g(x) - x is least,
//
//   x+ = g - dG gamma,   gamma = argmin |f - dF gamma|,
//
// dF, dG the differences of successive f and g. On a linear iteration that is GMRES. Where the
// iteration is only piecewise smooth (contacts change state) the history misleads: it is dropped
// when |f| grows. Followers y, affine images of x, are moved along but do not count in |f|.
#pragma once

#include "core/types.h"

namespace stiction {

inline constexpr int kAndersonWindow = 5;  // combined for less than half of what a sweep costs

// Kept by the caller: a warm start allocates nothing.
struct AndersonHistory {
    using Window = Eigen::Matrix<double, kAndersonWindow, 1>;

    MatX dF, dG, dY;  // a column per difference, oldest overwritten
    VecX f, g, y;     // of the last call
    Eigen::Matrix<double, kAndersonWindow, kAndersonWindow> gram;  // dF' dF
    Window along;                                                  // dF' f
    double norm = 0;                                               // |f|
    int used = 0;                                                  // columns
    int next = 0;                                                  // column to write
    bool begun = false;                                            // f, g, y are there
};

void start(AndersonHistory& history, Eigen::Index size, Eigen::Index followers);
inline void forget(AndersonHistory& history) { history.used = history.next = history.begun = 0; }

// x = g(before) and its followers y come in; the combination goes out.
void accelerate(AndersonHistory& history, const VecX& before, VecX& x, VecX& y);

}  // namespace stiction
