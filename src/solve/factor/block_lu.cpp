// block_lu.cpp - right-looking block factorisation on a fixed pattern, and substitution.
#include "solve/factor/block_lu.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solve/factor/elimination_order.h"

namespace stiction {

namespace {

PatternGraph symmetric_pattern(const BlockMatrix& A) {
    PatternGraph graph(at(A.rows()));
    for (int a = 0; a < A.rows(); ++a) {
        for (int k = A.start[at(a)]; k < A.start[at(a) + 1]; ++k) {
            const int b = A.column[at(k)];
            if (a == b) continue;
            graph[at(a)].push_back(b);
            graph[at(b)].push_back(a);
        }
    }
    for (auto& list : graph) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    return graph;
}

// A -= L U
inline void subtract_product(const Mat3& L, const Mat3& U, Mat3& A) {
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

}  // namespace

bool invert3(const Mat3& X, Mat3& inverse) {
    Mat3 A = X;
    inverse.setIdentity();
    for (int k = 0; k < 3; ++k) {
        int pivot = k;
        for (int i = k + 1; i < 3; ++i) {
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
        for (int i = 0; i < 3; ++i) {
            if (i == k) continue;
            const double factor = A(i, k);
            A.row(i) -= factor * A.row(k);
            inverse.row(i) -= factor * inverse.row(k);
        }
    }
    return std::isfinite(inverse.sum());
}

void BlockLu::analyse(const BlockMatrix& A) {
    const int n = A.rows();
    PatternGraph graph = symmetric_pattern(A);
    contact_ = minimum_degree_order(graph);
    place_.assign(at(n), 0);
    for (int k = 0; k < n; ++k) place_[at(contact_[at(k)])] = k;

    column_start_.assign(1, 0);
    row_.clear();
    for (int k = 0; k < n; ++k) {
        const auto first = static_cast<std::ptrdiff_t>(row_.size());
        for (const int b : graph[at(contact_[at(k)])]) row_.push_back(place_[at(b)]);
        std::sort(row_.begin() + first, row_.end());
        column_start_.push_back(static_cast<int>(row_.size()));
    }

    // Rows of column k beyond j are among those of column j: one merge finds the targets.
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

    const auto below = static_cast<int>(row_.size());
    slot_.assign(at(A.blocks()), 0);
    for (int a = 0; a < n; ++a) {
        for (int k = A.start[at(a)]; k < A.start[at(a) + 1]; ++k) {
            const int i = place_[at(a)];
            const int j = place_[at(A.column[at(k)])];
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

void BlockLu::clear() {
    std::fill(value_.begin(), value_.end(), Mat3::Zero());
    std::fill(out_.begin(), out_.end(), 0);
}

bool BlockLu::factor() {
    const auto n = static_cast<int>(contact_.size());
    Mat3* const diagonal = value_.data();
    Mat3* const lower = diagonal + n;
    Mat3* const upper = lower + row_.size();
    const int* target = target_.data();
    for (int k = 0; k < n; ++k) {
        const int begin = column_start_[at(k)];
        const int end = column_start_[at(k) + 1];
        if (out_[at(k)]) {
            target += (end - begin) * (end - begin - 1) / 2;
            continue;
        }
        Mat3 inverse;
        if (!invert3(diagonal[k], inverse)) return false;
        diagonal[k] = inverse;
        for (int s = begin; s < end; ++s) {
            if (!out_[at(row_[at(s)])]) lower[s] = lower[s] * inverse;
        }
        for (int t = begin; t < end; ++t) {
            const int j = row_[at(t)];
            if (out_[at(j)]) {
                target += end - t - 1;
                continue;
            }
            subtract_product(lower[t], upper[t], diagonal[j]);
            for (int s = t + 1; s < end; ++s, ++target) {
                if (out_[at(row_[at(s)])]) continue;
                subtract_product(lower[s], upper[t], lower[*target]);
                subtract_product(lower[t], upper[s], upper[*target]);
            }
        }
    }
    return true;
}

void BlockLu::solve(VecX& x) const {
    const auto n = static_cast<int>(contact_.size());
    const Mat3* const diagonal = value_.data();
    const Mat3* const lower = diagonal + n;
    const Mat3* const upper = lower + row_.size();
    const auto of = [&](int k) { return x.segment<3>(3 * contact_[at(k)]); };
    for (int k = 0; k < n; ++k) {
        if (out_[at(k)]) {
            of(k).setZero();
            continue;
        }
        const Vec3 x_k = of(k);
        for (int s = column_start_[at(k)]; s < column_start_[at(k) + 1]; ++s) {
            if (!out_[at(row_[at(s)])]) of(row_[at(s)]).noalias() -= lower[s] * x_k;
        }
    }
    for (int k = n - 1; k >= 0; --k) {
        if (out_[at(k)]) continue;
        Vec3 x_k = of(k);
        for (int s = column_start_[at(k)]; s < column_start_[at(k) + 1]; ++s) {
            if (!out_[at(row_[at(s)])]) x_k.noalias() -= upper[s] * of(row_[at(s)]);
        }
        of(k) = diagonal[k] * x_k;
    }
}

}  // namespace stiction
