// principal_factor.cpp - Cholesky with diagonal pivoting, and LU, of A_FF; see principal_factor.h.
#include "solve/factor/principal_factor.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace stiction {
namespace {

size_t index(int i) { return at(i); }

void axpy(int n, double a, const double* __restrict x, double* __restrict y) {
    for (int i = 0; i < n; ++i) y[i] += a * x[i];
}

double dot(int n, const double* x, const double* y) {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += x[i] * y[i];
    return sum;
}

// Left-looking: column j takes the updates of the columns before it when it is its turn; `left`,
// the diagonal of what remains, tells which column that is.
int factor_cholesky(double tolerance, PrincipalFactor& f) {
    const int k = f.size;
    double* a = f.lu.data();
    const auto at = [&](int i, int j) -> double& { return a[index(i) + index(k) * index(j)]; };
    double* left = f.x.data();
    for (int j = 0; j < k; ++j) left[j] = at(j, j);
    for (int j = 0; j < k; ++j) {
        const int p = static_cast<int>(std::max_element(left + j, left + k) - left);
        if (!(left[p] > tolerance)) return j;
        if (p != j) {  // swap rows and columns j and p of the lower triangle
            std::swap(left[j], left[p]);
            std::swap(f.order[index(j)], f.order[index(p)]);
            for (int c = 0; c < j; ++c) std::swap(at(j, c), at(p, c));
            std::swap(at(j, j), at(p, p));
            for (int i = j + 1; i < p; ++i) std::swap(at(i, j), at(p, i));
            for (int i = p + 1; i < k; ++i) std::swap(at(i, j), at(i, p));
        }
        double* column = &at(0, j);
        for (int c = 0; c < j; ++c)
            if (at(j, c) != 0) axpy(k - j - 1, -at(j, c), &at(j, c) + 1, column + j + 1);
        const double root = std::sqrt(left[j]), inverse = 1 / root;
        column[j] = root;
        for (int i = j + 1; i < k; ++i) {
            column[i] *= inverse;
            left[i] -= column[i] * column[i];
        }
    }
    return k;
}

// Left-looking LU; `order` holds the row swaps. Returns k, or the column without a pivot.
int factor_lu(double tolerance, PrincipalFactor& f) {
    const int k = f.size;
    for (int j = 0; j < k; ++j) {
        double* column = f.lu.data() + index(k) * index(j);
        for (int p = 0; p < j; ++p) std::swap(column[p], column[f.order[index(p)]]);
        for (int p = 0; p < j; ++p)
            if (column[p] != 0)
                axpy(k - p - 1, -column[p], f.lu.data() + index(k) * index(p) + p + 1,
                     column + p + 1);
        int pivot = j;
        for (int i = j + 1; i < k; ++i)
            if (std::abs(column[i]) > std::abs(column[pivot])) pivot = i;
        if (!(std::abs(column[pivot]) > tolerance)) return j;
        f.order[index(j)] = pivot;
        if (pivot != j)
            for (int p = 0; p <= j; ++p)
                std::swap(f.lu[index(j) + index(k) * index(p)],
                          f.lu[index(pivot) + index(k) * index(p)]);
        const double inverse = 1 / column[j];
        for (int i = j + 1; i < k; ++i) column[i] *= inverse;
    }
    return k;
}

void set_size(PrincipalFactor& f, int k, bool symmetric) {
    f.size = k;
    f.symmetric = symmetric;
    f.order.resize(index(k));
    f.scale.assign(index(k), 1.0);
    f.lu.resize(index(k) * index(k));
    f.x.resize(index(k));
    for (int c = 0; c < k; ++c) f.order[index(c)] = c;
}

}  // namespace

void reserve(PrincipalFactor& factor, Eigen::Index n) {
    const auto size = at(n);
    factor.order.reserve(size);
    factor.scale.reserve(size);
    factor.lu.reserve(size * size);
    factor.x.reserve(size);
}

bool factor_principal(const MatX& A, std::span<const int> members, bool symmetric, double tolerance,
                      PrincipalFactor& f) {
    const int k = static_cast<int>(members.size());
    set_size(f, k, symmetric);
    for (int c = 0; c < k; ++c) {
        const int j = members[index(c)];
        const double d = std::abs(A(j, j));
        if (d > 0) f.scale[index(c)] = 1 / std::sqrt(d);
    }
    for (int c = 0; c < k; ++c) {
        const int j = members[index(c)];
        double* column = f.lu.data() + index(k) * index(c);
        const double s = f.scale[index(c)];
        for (int r = symmetric ? c : 0; r < k; ++r)
            column[r] = A(members[index(r)], j) * f.scale[index(r)] * s;
    }
    f.rank = symmetric ? factor_cholesky(tolerance, f) : factor_lu(tolerance, f);
    return f.rank == k;
}

bool factor_general(const MatX& A, double tolerance, PrincipalFactor& f) {
    set_size(f, static_cast<int>(A.rows()), false);
    std::copy(A.data(), A.data() + A.size(), f.lu.begin());
    f.rank = factor_lu(tolerance, f);
    return f.rank == f.size;
}

void solve_principal(PrincipalFactor& f, std::span<double> x) {
    const int k = f.size, r = f.rank;
    assert(static_cast<int>(x.size()) == k && (f.symmetric || r == k));
    const auto column = [&](int j) { return f.lu.data() + index(k) * index(j); };
    if (f.symmetric) {
        double* y = f.x.data();
        for (int j = 0; j < r; ++j) {
            const int m = f.order[index(j)];
            y[j] = x[index(m)] * f.scale[index(m)];
        }
        for (int j = 0; j < r; ++j) {
            y[j] /= column(j)[j];
            axpy(r - j - 1, -y[j], column(j) + j + 1, y + j + 1);
        }
        for (int j = r - 1; j >= 0; --j)
            y[j] = (y[j] - dot(r - j - 1, column(j) + j + 1, y + j + 1)) / column(j)[j];
        std::fill(x.begin(), x.end(), 0.0);
        for (int j = 0; j < r; ++j) {
            const int m = f.order[index(j)];
            x[index(m)] = y[j] * f.scale[index(m)];
        }
        return;
    }
    double* y = x.data();
    for (int i = 0; i < k; ++i) y[i] *= f.scale[index(i)];
    for (int j = 0; j < k; ++j) std::swap(y[j], y[f.order[index(j)]]);
    for (int j = 0; j < k; ++j) axpy(k - j - 1, -y[j], column(j) + j + 1, y + j + 1);
    for (int j = k - 1; j >= 0; --j) {
        y[j] /= column(j)[j];
        axpy(j, -y[j], column(j), y);
    }
    for (int i = 0; i < k; ++i) y[i] *= f.scale[index(i)];
}

void flat_direction(const MatX& A, std::span<const int> members, PrincipalFactor& f, int k,
                    std::span<double> x) {
    assert(f.symmetric && f.rank <= k && k < f.size);
    const int dependent = f.order[index(k)];
    for (int i = 0; i < f.size; ++i) x[index(i)] = -A(members[index(i)], members[index(dependent)]);
    solve_principal(f, x);
    x[index(dependent)] = 1;
}

}  // namespace stiction
