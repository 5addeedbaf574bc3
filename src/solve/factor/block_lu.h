// block_lu.h - LU factorisation of a sparse matrix of 3x3 blocks, without exchange of block rows.
//
// Pivots are taken within the diagonal blocks only, which is sound for matrices whose symmetric
// part is positive definite, and for those near them; factor() reports when it was not.
// analyse() orders the contacts by minimum degree of the symmetrised pattern and finds the fill,
// once per pattern; factor() and solve() allocate nothing.
#pragma once

#include <vector>

#include "core/types.h"
#include "solve/factor/block_matrix.h"

namespace stiction {

class BlockLu {
  public:
    // Pattern of A. Diagonal blocks are part of it.
    void analyse(const BlockMatrix& A);

    // Values, to be set anew before each factor(): entry(k) stands for block k of the matrix of
    // analyse(). clear() zeroes them all and takes every contact in.
    void clear();
    Mat3& entry(int k) { return value_[static_cast<std::size_t>(slot_[at(k)])]; }
    // Leaves contact a out: its row and column count as zero, whatever was set, and solve() gives
    // zero for it.
    void leave_out(int a) { out_[place(a)] = 1; }

    // False if a pivot vanished or is not finite: then solve() must not be called.
    [[nodiscard]] bool factor();

    // x <- A^-1 x, three numbers per contact.
    void solve(VecX& x) const;

    // Blocks of the factors, as a measure of their cost.
    [[nodiscard]] int fill() const { return static_cast<int>(value_.size()); }

  private:
    [[nodiscard]] std::size_t place(int a) const { return static_cast<std::size_t>(place_[at(a)]); }

    std::vector<int> place_;         // contact -> place in the elimination order
    std::vector<int> contact_;       // the inverse
    std::vector<int> column_start_;  // per place k: range of s, the blocks (row_[s], k) of L
    std::vector<int> row_;           // per s: place of its row, > k, ascending within a column
    std::vector<int> target_;        // per pair t < s of a column, in the order of the loop: the s
                                     // of block (row_[s], row_[t])
    std::vector<int> slot_;          // per block of A: index in value_
    std::vector<Mat3> value_;        // diagonal blocks by place (inverted by factor()), then those
                                     // of L by s, then those of U: (k, row_[s]) by s
    std::vector<char> out_;          // per place
};

// X^-1 by elimination with row exchanges; false if X is singular or not finite.
[[nodiscard]] bool invert3(const Mat3& X, Mat3& inverse);

}  // namespace stiction
