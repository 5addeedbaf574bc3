// block_lu.cpp - right-looking block factorisation on a fixed pattern, and substitution.
#include "solve/factor/block_lu.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "solve/factor/elimination_order.h"

namespace stiction {

namespace {

PatternGraph symmetric_pattern(std::span<const int> start, std::span<const int> column) {
    PatternGraph graph(start.size() - 1);
    for (std::size_t a = 0; a + 1 < start.size(); ++a) {
        for (int k = start[a]; k < start[a + 1]; ++k) {
            const std::size_t b = at(column[at(k)]);
            if (a == b) continue;
            graph[a].push_back(static_cast<int>(b));
            graph[b].push_back(static_cast<int>(a));
        }
    }
    for (auto& list : graph) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    return graph;
}

// A -= L U
template <int kSize>
inline void subtract_product(const Eigen::Matrix<double, kSize, kSize>& L,
                             const Eigen::Matrix<double, kSize, kSize>& U,
                             Eigen::Matrix<double, kSize, kSize>& A) {
    if constexpr (kSize != 3) {
        A.noalias() -= L * U;
        return;
    }
    const double* l = L.data();
    const double* u = U.data();
    double* a = A.data();
#pragma GCC unroll 3
    for (int j = 0; j < 3; ++j) {
        const double u0 = u[3 * j];
        const double u1 = u[3 * j + 1];
        const double u2 = u[3 * j + 2];
#pragma GCC unroll 3
        for (int i = 0; i < 3; ++i) a[3 * j + i] -= l[i] * u0 + l[3 + i] * u1 + l[6 + i] * u2;
    }
}

template <int kSize>
bool invert(const Eigen::Matrix<double, kSize, kSize>& X,
            Eigen::Matrix<double, kSize, kSize>& inverse) {
    Eigen::Matrix<double, kSize, kSize> A = X;
    inverse.setIdentity();
    for (int k = 0; k < kSize; ++k) {
        int pivot = k;
        for (int i = k + 1; i < kSize; ++i) {
            if (std::abs(A(i, k)) > std::abs(A(pivot, k))) pivot = i;
        }
        if (!(std::abs(A(pivot, k)) > 0)) return false;
        if (pivot != k) {
            A.row(pivot).swap(A.row(k));
            inverse.row(pivot).swap(inverse.row(k));
        }
        const double reciprocal = 1.0 / A(k, k);
        A.row(k) *= reciprocal;
        inverse.row(k) *= reciprocal;
        for (int i = 0; i < kSize; ++i) {
            if (i == k) continue;
            const double factor = A(i, k);
            A.row(i) -= factor * A.row(k);
            inverse.row(i) -= factor * inverse.row(k);
        }
    }
    return std::isfinite(inverse.sum());
}

// The same in place, by operations on columns, which are contiguous: a third of the cost of a large
// block. Exchanges of columns of X are exchanges of rows of its inverse.
template <int kSize>
bool invert_by_columns(Eigen::Matrix<double, kSize, kSize>& A) {
    std::array<int, kSize> exchanged;
    for (int k = 0; k < kSize; ++k) {
        int pivot = k;
        for (int j = k + 1; j < kSize; ++j) {
            if (std::abs(A(k, j)) > std::abs(A(k, pivot))) pivot = j;
        }
        if (!(std::abs(A(k, pivot)) > 0)) return false;
        exchanged[at(k)] = pivot;
        if (pivot != k) A.col(pivot).swap(A.col(k));
        const double reciprocal = 1.0 / A(k, k);
        A(k, k) = 1;
        A.col(k) *= reciprocal;
        for (int j = 0; j < kSize; ++j) {
            if (j == k) continue;
            const double factor = A(k, j);
            A(k, j) = 0;
            A.col(j) -= factor * A.col(k);
        }
    }
    for (int k = kSize - 1; k >= 0; --k) {
        if (exchanged[at(k)] != k) A.row(exchanged[at(k)]).swap(A.row(k));
    }
    return std::isfinite(A.sum());
}

}  // namespace

bool invert3(const Mat3& X, Mat3& inverse) { return invert<3>(X, inverse); }

template <int kSize>
void BlockLu<kSize>::analyse(std::span<const int> start, std::span<const int> column) {
    const int n = static_cast<int>(start.size()) - 1;
    PatternGraph graph = symmetric_pattern(start, column);
    node_ = minimum_degree_order(graph);
    place_.assign(at(n), 0);
    for (int k = 0; k < n; ++k) place_[at(node_[at(k)])] = k;

    column_start_.assign(1, 0);
    row_.clear();
    for (int k = 0; k < n; ++k) {
        const auto first = static_cast<std::ptrdiff_t>(row_.size());
        for (const int b : graph[at(node_[at(k)])]) row_.push_back(place_[at(b)]);
        std::sort(row_.begin() + first, row_.end());
        column_start_.push_back(static_cast<int>(row_.size()));
    }
    find_targets();

    const auto below = static_cast<int>(row_.size());
    slot_.assign(column.size(), 0);
    for (int a = 0; a < n; ++a) {
        for (int k = start[at(a)]; k < start[at(a) + 1]; ++k) {
            const int i = place_[at(a)];
            const int j = place_[at(column[at(k)])];
            if (i == j) {
                slot_[at(k)] = i;
                continue;
            }
            const auto first = row_.begin() + column_start_[at(std::min(i, j))];
            const auto last = row_.begin() + column_start_[at(std::min(i, j)) + 1];
            const auto s =
                static_cast<int>(std::lower_bound(first, last, std::max(i, j)) - row_.begin());
            slot_[at(k)] = n + (i > j ? s : below + s);
        }
    }
    value_.resize(at(n + 2 * below));
    out_.assign(at(n), 0);
}

// Rows of column k beyond j are among those of column j: one merge finds the targets.
template <int kSize>
void BlockLu<kSize>::find_targets() {
    const auto n = static_cast<int>(node_.size());
    target_.clear();
    for (int k = 0; k < n; ++k) {
        for (int t = column_start_[at(k)]; t < column_start_[at(k) + 1]; ++t) {
            int s = column_start_[at(row_[at(t)])];
            for (int i = t + 1; i < column_start_[at(k) + 1]; ++i) {
                while (row_[at(s)] < row_[at(i)]) ++s;
                target_.push_back(s);
            }
        }
    }
}

template <int kSize>
void BlockLu<kSize>::clear() {
    std::fill(value_.begin(), value_.end(), Block::Zero());
    std::fill(out_.begin(), out_.end(), 0);
}

// Takes the products of column k of L and row k of U from what is left.
template <int kSize>
void BlockLu<kSize>::eliminate(int k, bool symmetric, const int*& target) {
    Block* const diagonal = value_.data();
    Block* const lower = diagonal + node_.size();
    Block* const upper = lower + row_.size();
    const int end = column_start_[at(k) + 1];
    for (int t = column_start_[at(k)]; t < end; ++t) {
        const int j = row_[at(t)];
        if (out_[at(j)]) {
            target += end - t - 1;
            continue;
        }
        subtract_product<kSize>(lower[t], upper[t], diagonal[j]);
        for (int s = t + 1; s < end; ++s, ++target) {
            if (out_[at(row_[at(s)])]) continue;
            subtract_product<kSize>(lower[s], upper[t], lower[*target]);
            if (!symmetric) subtract_product<kSize>(lower[t], upper[s], upper[*target]);
        }
    }
}

template <int kSize>
bool BlockLu<kSize>::factor(bool symmetric) {
    const auto n = static_cast<int>(node_.size());
    Block* const diagonal = value_.data();
    Block* const lower = diagonal + n;
    Block* const upper = lower + row_.size();
    const int* target = target_.data();
    for (int k = 0; k < n; ++k) {
        const int begin = column_start_[at(k)];
        const int end = column_start_[at(k) + 1];
        if (out_[at(k)]) {
            target += (end - begin) * (end - begin - 1) / 2;
            continue;
        }
        if constexpr (kSize > 6) {
            if (!invert_by_columns<kSize>(diagonal[k])) return false;
        } else {
            Block inverse;
            if (!invert<kSize>(diagonal[k], inverse)) return false;
            diagonal[k] = inverse;
        }
        for (int s = begin; s < end; ++s) {
            if (out_[at(row_[at(s)])]) continue;
            if (symmetric) upper[s] = lower[s].transpose();
            lower[s] = lower[s] * diagonal[k];
        }
        eliminate(k, symmetric, target);
    }
    return true;
}

template <int kSize>
void BlockLu<kSize>::solve(VecX& x) const {
    using Part = Eigen::Matrix<double, kSize, 1>;
    const auto n = static_cast<int>(node_.size());
    const Block* const diagonal = value_.data();
    const Block* const lower = diagonal + n;
    const Block* const upper = lower + row_.size();
    const auto of = [&](int k) { return x.template segment<kSize>(kSize * node_[at(k)]); };
    for (int k = 0; k < n; ++k) {
        if (out_[at(k)]) {
            of(k).setZero();
            continue;
        }
        const Part x_k = of(k);
        for (int s = column_start_[at(k)]; s < column_start_[at(k) + 1]; ++s) {
            if (!out_[at(row_[at(s)])]) of(row_[at(s)]).noalias() -= lower[s] * x_k;
        }
    }
    for (int k = n - 1; k >= 0; --k) {
        if (out_[at(k)]) continue;
        Part x_k = of(k);
        for (int s = column_start_[at(k)]; s < column_start_[at(k) + 1]; ++s) {
            if (!out_[at(row_[at(s)])]) x_k.noalias() -= upper[s] * of(row_[at(s)]);
        }
        of(k) = diagonal[k] * x_k;
    }
}

template class BlockLu<3>;
template class BlockLu<6>;
template class BlockLu<12>;

}  // namespace stiction
