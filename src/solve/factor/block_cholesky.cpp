// block_cholesky.cpp - minimum-degree ordering, right-looking block factorisation, substitution.
#include "solve/factor/block_cholesky.h"

#include <algorithm>
#include <cmath>

#include "solve/factor/elimination_order.h"

namespace stiction {

namespace {

PatternGraph make_graph(int count, const std::vector<std::pair<int, int>>& edges) {
    PatternGraph graph(at(count));
    for (const auto& [i, j] : edges) {
        graph[at(i)].push_back(j);
        graph[at(j)].push_back(i);
    }
    for (auto& list : graph) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    return graph;
}

// X <- X L^-T, columns left to right.
void divide_by_transpose(const Mat6& L, Mat6& X) {
#pragma GCC unroll 6
    for (int j = 0; j < 6; ++j) {
        Vec6 column = X.col(j);
#pragma GCC unroll 6
        for (int i = 0; i < j; ++i) column -= L(j, i) * X.col(i);
        X.col(j) = column * L(j, j);
    }
}

}  // namespace

int factor6(Mat6& A, double floor) {
    int dropped = 0;
#pragma GCC unroll 6
    for (int j = 0; j < 6; ++j) {
        const double entry = A(j, j);  // already less what the columns before took
        // Relative to the original entry, which the row of the factor gives back.
        double original = entry;
#pragma GCC unroll 6
        for (int k = 0; k < j; ++k) original += A(j, k) * A(j, k);
        double reciprocal = 0;
        if (entry > floor * std::abs(original)) {
            reciprocal = 1.0 / std::sqrt(entry);
        } else {
            ++dropped;
        }
        A(j, j) = reciprocal;
#pragma GCC unroll 6
        for (int i = j + 1; i < 6; ++i) A(i, j) *= reciprocal;
#pragma GCC unroll 6
        for (int k = j + 1; k < 6; ++k) {  // right-looking: columns are contiguous
#pragma GCC unroll 6
            for (int i = k; i < 6; ++i) A(i, k) -= A(i, j) * A(k, j);
        }
    }
    return dropped;
}

void BlockCholesky::analyse(int count, const std::vector<std::pair<int, int>>& edges) {
    PatternGraph graph = make_graph(count, edges);
    node_at_ = minimum_degree_order(graph);
    position_.assign(at(count), 0);
    for (int place = 0; place < count; ++place) position_[at(node_at_[at(place)])] = place;

    column_start_.assign(1, 0);
    row_.clear();
    for (int place = 0; place < count; ++place) {
        const auto first = row_.size();
        for (const int i : graph[at(node_at_[at(place)])]) row_.push_back(position_[at(i)]);
        std::sort(row_.begin() + static_cast<std::ptrdiff_t>(first), row_.end());
        column_start_.push_back(static_cast<int>(row_.size()));
    }
    diagonal_.resize(at(count));
    lower_.resize(row_.size());

    const auto slot_of = [&](int row, int column) {
        const auto begin = row_.begin() + column_start_[at(column)];
        const auto end = row_.begin() + column_start_[at(column + 1)];
        return static_cast<int>(std::lower_bound(begin, end, row) - row_.begin());
    };
    target_.clear();
    for (int k = 0; k < count; ++k) {
        for (int a = column_start_[at(k)]; a < column_start_[at(k + 1)]; ++a) {
            for (int b = a + 1; b < column_start_[at(k + 1)]; ++b) {
                target_.push_back(slot_of(row_[at(b)], row_[at(a)]));
            }
        }
    }
    has_fill_ = lower_.size() > edges.size();
    edges_.clear();
    for (const auto& [i, j] : edges) {
        const bool i_later = position_[at(i)] > position_[at(j)];
        const int row = i_later ? i : j;
        const int column = i_later ? j : i;
        edges_.push_back({slot_of(position_[at(row)], position_[at(column)]), row, column});
    }
}

void BlockCholesky::clear() {
    if (!has_fill_) return;  // every block is set by its edge
    for (Mat6& block : lower_) block.setZero();
}

int BlockCholesky::factor() {
    int dropped = 0;
    const int* target = target_.data();
    for (int k = 0; k < count(); ++k) {
        Mat6& L = diagonal_[at(k)];
        dropped += factor6(L, 0.0);
        const int begin = column_start_[at(k)];
        const int end = column_start_[at(k + 1)];
        for (int a = begin; a < end; ++a) divide_by_transpose(L, lower_[at(a)]);
        for (int a = begin; a < end; ++a) {
            const Mat6& X = lower_[at(a)];
            diagonal_[at(row_[at(a)])].noalias() -= X * X.transpose();
            for (int b = a + 1; b < end; ++b) {
                lower_[at(*target++)].noalias() -= lower_[at(b)] * X.transpose();
            }
        }
    }
    return dropped;
}

void BlockCholesky::solve(std::vector<Vec6>& x) const {
    for (int k = 0; k < count(); ++k) {
        Vec6& x_k = x[at(node_at_[at(k)])];
        forward6(diagonal_[at(k)], x_k);
        for (int a = column_start_[at(k)]; a < column_start_[at(k + 1)]; ++a) {
            x[at(node_at_[at(row_[at(a)])])].noalias() -= lower_[at(a)] * x_k;
        }
    }
    for (int k = count() - 1; k >= 0; --k) {
        Vec6& x_k = x[at(node_at_[at(k)])];
        for (int a = column_start_[at(k)]; a < column_start_[at(k + 1)]; ++a) {
            x_k.noalias() -= lower_[at(a)].transpose() * x[at(node_at_[at(row_[at(a)])])];
        }
        backward6(diagonal_[at(k)], x_k);
    }
}

}  // namespace stiction
