// block_krylov.h - solves with a sparse matrix of square blocks by iteration, where its factors would
// fill: 3-D piles of bodies.
//
// A = L + D + U by block rows in the order of the nodes, scaled so that D = I. With the symmetric
// Gauss-Seidel split as preconditioner a product costs one pass over the blocks [E81]:
//
//   (I + L)^-1 A (I + U)^-1 z = t + (I + L)^-1 (z - t),      t = (I + U)^-1 z
//
// Conjugate gradients where A is symmetric, BiCGSTAB [V92] otherwise. Blocks that are
// zero cost nothing. solve() ends when what is left of the right side would move the unknowns, if
// only a diagonal metric held them, by a given share of the solution,
//
//   |rest| in the metric's inverse  <=  accuracy |x| in the metric
//
// which for A = M + .. with a stiff rest and metric M is what the impulses behind it need to be
// right. prepare() and solve() allocate nothing once they have run at their largest.
#pragma once

#include <span>
#include <vector>

#include "core/types.h"

namespace stiction {

template <int kSize>
class BlockKrylov {
  public:
    using Block = Eigen::Matrix<double, kSize, kSize>;

    // Pattern by rows: node a has entries with the nodes column[start[a]] .. column[start[a + 1] -
    // 1], ascending, itself among them.
    void analyse(std::span<const int> start, std::span<const int> column);

    // Values, to be set anew before each prepare(): entry(k) stands for entry k of the pattern.
    void clear();
    Block& entry(int k) { return value_[at(k)]; }

    // False if a diagonal block is singular, or not positive definite where A is symmetric.
    [[nodiscard]] bool prepare(bool symmetric);

    // x <- A^-1 x, approximately; returns the products it took. The best it has found where it does
    // not converge.
    int solve(const VecX& metric, double accuracy, VecX& x);

  private:
    // The blocks of one triangle, by rows.
    struct Triangle {
        std::vector<int> start, column;
        std::vector<Block> block;
    };
    void scale(bool symmetric, int i, const Block& D);
    void multiply(const VecX& z, VecX& product);  // of the preconditioned matrix
    void solve_upper(const VecX& z, VecX& t) const;
    void solve_lower(VecX& z) const;
    // Unknowns of y_, into x_; whether they are accurate enough.
    bool settled(const VecX& metric, double accuracy);
    int iterate_symmetric(const VecX& metric, double accuracy);
    int iterate_general(const VecX& metric, double accuracy);

    [[nodiscard]] int nodes() const { return static_cast<int>(start_.size()) - 1; }

    std::vector<int> start_, column_;
    std::vector<Block> value_;
    bool symmetric_ = false;
    Triangle lower_, upper_;
    std::vector<Block> left_, right_, back_;  // scaled A = left A right, back = left^-1
    VecX y_, r_;                              // preconditioned unknowns, what is left
    VecX x_, t_;
    VecX p_, q_, s_, w_, shadow_;
};

extern template class BlockKrylov<6>;
extern template class BlockKrylov<12>;

}  // namespace stiction
