// bilateral.cpp - a dense Schur complement.
#include "problem_files/bilateral.h"

#include <Eigen/QR>

namespace stiction {

bool can_take_out(Eigen::Index contact_rows, Eigen::Index bilateral_rows) {
    constexpr double kMostWork = 1e10;  // multiplications, some seconds
    const auto n = static_cast<double>(contact_rows), p = static_cast<double>(bilateral_rows);
    return p * (p + n) * (p + n) < kMostWork;
}

bool take_out_bilateral(const BlockMatrix& W, const VecX& q, const VecX& mu, int rows,
                        ConeProblem& problem) {
    constexpr double kContradiction = 1e-8;  // of the largest right-hand side
    const MatX all = to_dense(W);
    const Eigen::Index m = 3 * mu.size();
    const MatX R = all.block(m, m, rows, rows);
    MatX right(rows, m + 1);  // V' and s
    right << all.block(m, 0, rows, m), q.segment(m, rows);
    const Eigen::CompleteOrthogonalDecomposition<MatX> factor(R);
    const MatX x = factor.solve(right);
    const double size = right.size() == 0 ? 0 : right.cwiseAbs().maxCoeff();
    if (!x.allFinite() || (R * x - right).cwiseAbs().maxCoeff() > kContradiction * size)
        return false;
    const MatX V = all.block(0, m, m, rows);
    problem.mu = mu;
    problem.W = make_block_matrix(MatX(all.topLeftCorner(m, m) - V * x.leftCols(m)));
    problem.q = q.head(m) - V * x.col(m);
    return is_valid(problem);
}

}  // namespace stiction
