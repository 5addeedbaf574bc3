// leading_triangle.h - an upper triangle R in the leading k rows and columns of a matrix, for
// factors A_FF = R'R, or Y_F = Q R, of a set F that gains and loses one member at a time.
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

// Takes column p out of the k columns of Q R. Without it each later column of R has one entry below
// the diagonal, which a rotation of rows j and j + 1 removes; columns j and j + 1 of Q turn along,
// so that Q R stays what it was. Q may have no rows, where only R'R is wanted.
void remove_column(MatX& Q, MatX& R, Eigen::Index k, Eigen::Index p);

}  // namespace stiction
