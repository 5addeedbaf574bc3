// block_cholesky.h - Cholesky factorisation of a sparse symmetric positive definite matrix made of
// 6x6 blocks.
//
// analyse() orders the nodes by minimum degree and finds the fill once per sparsity pattern;
// factor() and solve() then cost O(blocks of fill), linear in the nodes for a chain, and allocate
// nothing. Nodes of fewer than six unknowns are padded with the identity by the caller.
#pragma once

#include <utility>
#include <vector>

#include "core/types.h"

namespace stiction {

class BlockCholesky {
  public:
    // Nodes 0 .. count-1, an edge (i, j), i != j, for every off-diagonal block that may be
    // non-zero.
    void analyse(int count, const std::vector<std::pair<int, int>>& edges);

    [[nodiscard]] int count() const { return static_cast<int>(diagonal_.size()); }

    // Values, to be set anew before each factor(). off_diagonal(e) is the block of edge e of
    // analyse(); it holds A(row, column) with (row, column) = orientation(e). Fill that belongs to
    // no edge is cleared by clear().
    void clear();
    Mat6& diagonal(int node) { return diagonal_[position_of(node)]; }
    Mat6& off_diagonal(int edge) { return lower_[static_cast<std::size_t>(edges_[at(edge)].slot)]; }
    [[nodiscard]] std::pair<int, int> orientation(int edge) const {
        const Edge& e = edges_[at(edge)];
        return {e.row, e.column};
    }

    // Factors in place. A pivot that is not positive is taken as infinite: its unknown becomes
    // zero, and the return value counts such pivots.
    int factor();

    // x <- A^-1 x, one Vec6 per node.
    void solve(std::vector<Vec6>& x) const;

    [[nodiscard]] int fill() const { return static_cast<int>(lower_.size()); }

  private:
    struct Edge {
        int slot = 0, row = 0, column = 0;
    };
    [[nodiscard]] std::size_t position_of(int node) const {
        return static_cast<std::size_t>(position_[at(node)]);
    }

    std::vector<int> position_;      // node -> place in the elimination order
    std::vector<int> node_at_;       // the inverse
    std::vector<int> column_start_;  // per place: range of its blocks below the diagonal
    std::vector<int> row_;           // per block: place of its row, ascending within a column
    std::vector<int>
        target_;  // where each product of two blocks of a column goes: slot, in loop order
    std::vector<Edge> edges_;
    bool has_fill_ = false;       // blocks that belong to no edge
    std::vector<Mat6> diagonal_;  // per place; after factor(): lower factor, reciprocals of its
                                  // pivots on the diagonal
    std::vector<Mat6> lower_;     // per block
};

// In place lower Cholesky factor of the lower triangle of A with reciprocal pivots on the diagonal.
// Pivots below floor * (the original diagonal entry) get reciprocal 0; returns how many.
int factor6(Mat6& A, double floor);
// x <- L^-1 x
inline void forward6(const Mat6& L, Vec6& x) {
#pragma GCC unroll 6
    for (int j = 0; j < 6; ++j) {
        x[j] *= L(j, j);
#pragma GCC unroll 6
        for (int i = j + 1; i < 6; ++i) x[i] -= L(i, j) * x[j];
    }
}

// x <- L^-T x
inline void backward6(const Mat6& L, Vec6& x) {
#pragma GCC unroll 6
    for (int j = 5; j >= 0; --j) {
        double sum = x[j];
#pragma GCC unroll 6
        for (int i = j + 1; i < 6; ++i) sum -= L(i, j) * x[i];
        x[j] = sum * L(j, j);
    }
}

}  // namespace stiction
