// block_matrix.h - a square sparse matrix of 3x3 blocks by rows: the Delassus matrix W of a set of
// contacts, one block row per contact, in the order normal, tangent 1, tangent 2.
// W need not be symmetric; its pattern need not be either.
#pragma once

#include <vector>

#include "core/types.h"

namespace stiction {

struct BlockMatrix {
    std::vector<int> start;     // n + 1, blocks start[a] .. start[a+1]-1 belong to row a
    std::vector<int> column;    // per block, ascending within a row
    std::vector<int> diagonal;  // n, place of the diagonal block of row a: always stored
    std::vector<Mat3> block;    // per block

    [[nodiscard]] int rows() const { return static_cast<int>(diagonal.size()); }
    [[nodiscard]] int blocks() const { return static_cast<int>(column.size()); }
    [[nodiscard]] const Mat3& at_diagonal(int a) const { return block[at(diagonal[at(a)])]; }
    // Place of the block of row a and column b, which must be stored.
    [[nodiscard]] int find(int a, int b) const;
};

// One block to be added to a matrix; several for the same place add up.
struct BlockEntry {
    int row = 0, column = 0;
    Mat3 value = Mat3::Zero();
};

// Rows 0 .. n-1. A diagonal block that no entry names is zero, but stored.
[[nodiscard]] BlockMatrix make_block_matrix(int n, std::vector<BlockEntry> entries);
[[nodiscard]] BlockMatrix make_block_matrix(const MatX& dense);  // zero blocks are left out
[[nodiscard]] MatX to_dense(const BlockMatrix& W);

// The inverse mass that stands for block a in residuals and steps: tr W_aa / 3, or 1 where that is
// not positive.
[[nodiscard]] inline double block_weight(const BlockMatrix& W, int a) {
    const double trace = W.at_diagonal(a).trace();
    return trace > 0 ? trace / 3 : 1.0;
}
void set_block_weights(const BlockMatrix& W, VecX& weight);

// It has n rows, columns ascend and lie in range, diagonal blocks are in place, numbers are finite.
[[nodiscard]] bool is_valid(const BlockMatrix& W, int n);

// Row a of W x, and u = W x + q.
[[nodiscard]] Vec3 row_product(const BlockMatrix& W, int a, const VecX& x);
void multiply_add(const BlockMatrix& W, const VecX& x, const VecX& q, VecX& u);

}  // namespace stiction
