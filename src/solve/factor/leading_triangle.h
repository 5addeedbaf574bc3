// leading_triangle.h - solves with the leading k rows and columns of an upper triangle R, for
// factors that grow and shrink in place.
#pragma once

#include "core/types.h"

namespace stiction {

// x <- R^-T x.
inline void solve_transposed(const MatX& R, Eigen::Index k, VecX& x) {
    for (Eigen::Index j = 0; j < k; ++j) {
        x[j] = (x[j] - R.col(j).head(j).dot(x.head(j))) / R(j, j);
    }
}

// x <- R^-1 x.
inline void solve_upper(const MatX& R, Eigen::Index k, VecX& x) {
    for (Eigen::Index j = k - 1; j >= 0; --j) {
        x[j] /= R(j, j);
        x.head(j) -= x[j] * R.col(j).head(j);
    }
}

}  // namespace stiction
