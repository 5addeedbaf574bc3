// leading_triangle.cpp - the deletion of a column by Givens rotations; see leading_triangle.h.
#include "solve/factor/leading_triangle.h"

#include <Eigen/Jacobi>

namespace stiction {

void remove_column(MatX& Q, MatX& R, Eigen::Index k, Eigen::Index p) {
    for (Eigen::Index j = p; j + 1 < k; ++j) R.col(j).head(j + 2) = R.col(j + 1).head(j + 2);
    for (Eigen::Index j = p; j + 1 < k; ++j) {
        Eigen::JacobiRotation<double> rotation;
        double length = 0;
        rotation.makeGivens(R(j, j), R(j + 1, j), &length);
        R(j, j) = length;
        R(j + 1, j) = 0;
        for (Eigen::Index c = j + 1; c + 1 < k; ++c) {
            const double upper = R(j, c), lower = R(j + 1, c);
            R(j, c) = rotation.c() * upper - rotation.s() * lower;
            R(j + 1, c) = rotation.s() * upper + rotation.c() * lower;
        }
        for (Eigen::Index i = 0; i < Q.rows(); ++i) {
            const double left = Q(i, j), right = Q(i, j + 1);
            Q(i, j) = rotation.c() * left - rotation.s() * right;
            Q(i, j + 1) = rotation.s() * left + rotation.c() * right;
        }
    }
}

}  // namespace stiction
