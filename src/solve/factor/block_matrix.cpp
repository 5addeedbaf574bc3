// block_matrix.cpp - building and multiplying matrices of 3x3 blocks.
#include "solve/factor/block_matrix.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace stiction {

int BlockMatrix::find(int a, int b) const {
    const auto row = at(a);
    const auto begin = column.begin();
    return static_cast<int>(std::lower_bound(begin + start[row], begin + start[row + 1], b) -
                            begin);
}

BlockMatrix make_block_matrix(int n, std::vector<BlockEntry> entries) {
    for (int a = 0; a < n; ++a) entries.push_back({a, a, Mat3::Zero()});
    // Stable: entries of one place are summed in the order given, whatever else is there.
    std::stable_sort(entries.begin(), entries.end(), [](const BlockEntry& x, const BlockEntry& y) {
        return std::pair(x.row, x.column) < std::pair(y.row, y.column);
    });
    BlockMatrix W;
    W.diagonal.assign(at(n), 0);
    W.start.reserve(at(n) + 1);
    std::size_t next = 0;
    for (int a = 0; a < n; ++a) {
        W.start.push_back(W.blocks());
        for (; next < entries.size() && entries[next].row == a; ++next) {
            const BlockEntry& entry = entries[next];
            if (W.blocks() > W.start.back() && W.column.back() == entry.column) {
                W.block.back() += entry.value;
                continue;
            }
            if (entry.column == a) W.diagonal[at(a)] = W.blocks();
            W.column.push_back(entry.column);
            W.block.push_back(entry.value);
        }
    }
    W.start.push_back(W.blocks());
    return W;
}

BlockMatrix make_block_matrix(const MatX& dense) {
    const auto n = static_cast<int>(dense.rows() / 3);
    std::vector<BlockEntry> entries;
    for (int a = 0; a < n; ++a) {
        for (int b = 0; b < n; ++b) {
            const Mat3 value = dense.block<3, 3>(3 * a, 3 * b);
            if (!value.isZero(0)) entries.push_back({a, b, value});
        }
    }
    return make_block_matrix(n, std::move(entries));
}

MatX to_dense(const BlockMatrix& W) {
    MatX dense = MatX::Zero(3 * W.rows(), 3 * W.rows());
    for (int a = 0; a < W.rows(); ++a) {
        for (int k = W.start[at(a)]; k < W.start[at(a) + 1]; ++k) {
            dense.block<3, 3>(3 * a, 3 * W.column[at(k)]) = W.block[at(k)];
        }
    }
    return dense;
}

void set_block_weights(const BlockMatrix& W, VecX& weight) {
    weight.resize(W.rows());
    for (int a = 0; a < W.rows(); ++a) weight[a] = block_weight(W, a);
}

bool is_valid(const BlockMatrix& W, int n) {
    if (W.rows() != n || W.start.size() != at(n) + 1) return false;
    if (W.block.size() != W.column.size()) return false;
    if (W.start.front() != 0 || W.start.back() != W.blocks()) return false;
    double sum = 0;  // not finite if any term is not
    for (int a = 0; a < n; ++a) {
        bool has_diagonal = false;
        for (int k = W.start[at(a)]; k < W.start[at(a) + 1]; ++k) {
            const int b = W.column[at(k)];
            if (b < 0 || b >= n || (k > W.start[at(a)] && b <= W.column[at(k) - 1])) return false;
            has_diagonal = has_diagonal || (b == a && W.diagonal[at(a)] == k);
            sum += W.block[at(k)].sum();
        }
        if (!has_diagonal) return false;
    }
    return std::isfinite(sum);
}

Vec3 row_product(const BlockMatrix& W, int a, const VecX& x) {
    double s0 = 0;
    double s1 = 0;
    double s2 = 0;
    const int end = W.start[at(a) + 1];
    for (int k = W.start[at(a)]; k < end; ++k) {
        const double* const b = W.block[at(k)].data();
        const double* const x_k = x.data() + 3 * W.column[at(k)];
        s0 += b[0] * x_k[0] + b[3] * x_k[1] + b[6] * x_k[2];
        s1 += b[1] * x_k[0] + b[4] * x_k[1] + b[7] * x_k[2];
        s2 += b[2] * x_k[0] + b[5] * x_k[1] + b[8] * x_k[2];
    }
    return {s0, s1, s2};
}

void multiply_add(const BlockMatrix& W, const VecX& x, const VecX& q, VecX& u) {
    u.resize(q.size());
    for (int a = 0; a < W.rows(); ++a) {
        u.segment<3>(3 * a) = q.segment<3>(3 * a) + row_product(W, a, x);
    }
}

}  // namespace stiction
