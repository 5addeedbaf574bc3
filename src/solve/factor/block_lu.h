// block_lu.h - LU factorisation of a sparse matrix of square blocks, without exchange of block
// rows: 3x3 over contacts (W), 6x6 over bodies, 12x12 over pairs of velocities of a body.
//
// Pivots are taken within the diagonal blocks only, which is sound for matrices whose symmetric
// part is positive definite, and for those near them; factor() reports when it was not.
// analyse() orders the nodes by minimum degree of the symmetrised pattern and finds the fill, once
// per pattern; factor() and solve() allocate nothing.
#pragma once

#include <span>
#include <vector>

#include "core/types.h"
#include "solve/factor/block_matrix.h"

namespace stiction {

template <int kSize>
class BlockLu {
  public:
    using Block = Eigen::Matrix<double, kSize, kSize>;

    // Pattern by rows: node a has entries with the nodes column[start[a]] .. column[start[a + 1] -
    // 1], itself among them.
    void analyse(std::span<const int> start, std::span<const int> column);
    void analyse(const BlockMatrix& A) { analyse(A.start, A.column); }

    // Values, to be set anew before each factor(): entry(k) stands for entry k of the pattern.
    // clear() zeroes them all and takes every node in.
    void clear();
    Block& entry(int k) { return value_[static_cast<std::size_t>(slot_[at(k)])]; }
    // Leaves node a out: its row and column count as zero, whatever was set, and solve() gives zero
    // for it.
    void leave_out(int a) { out_[place(a)] = 1; }

    // False if a pivot vanished or is not finite: then solve() must not be called. Of a symmetric
    // matrix only one half is worked on.
    [[nodiscard]] bool factor(bool symmetric = false);

    // x <- A^-1 x, kSize numbers per node.
    void solve(VecX& x) const;

    // Blocks of the factors, as a measure of their cost.
    [[nodiscard]] int fill() const { return static_cast<int>(value_.size()); }

  private:
    [[nodiscard]] std::size_t place(int a) const { return static_cast<std::size_t>(place_[at(a)]); }
    void find_targets();
    void eliminate(int k, bool symmetric, const int*& target);

    std::vector<int> place_;         // node -> place in the elimination order
    std::vector<int> node_;          // the inverse
    std::vector<int> column_start_;  // per place k: range of s, the blocks (row_[s], k) of L
    std::vector<int> row_;           // per s: place of its row, > k, ascending within a column
    std::vector<int> target_;        // per pair t < s of a column, in the order of the loop: the s
                                     // of block (row_[s], row_[t])
    std::vector<int> slot_;          // per entry of the pattern: index in value_
    std::vector<Block> value_;       // diagonal blocks by place (inverted by factor()), then those
                                     // of L by s, then those of U: (k, row_[s]) by s
    std::vector<char> out_;          // per place
};

extern template class BlockLu<3>;
extern template class BlockLu<6>;
extern template class BlockLu<12>;

// X^-1 by elimination with row exchanges; false if X is singular or not finite.
[[nodiscard]] bool invert3(const Mat3& X, Mat3& inverse);

}  // namespace stiction
