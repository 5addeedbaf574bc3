// principal_factor.cpp - Cholesky with diagonal pivoting, and LU, of A_FF; see principal_factor.h.
#include "solve/factor/principal_factor.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace stiction {
namespace {

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
    const auto L = [&](int i, int j) -> double& { return a[at(i) + at(k) * at(j)]; };
    double* left = f.x.data();
    for (int j = 0; j < k; ++j) left[j] = L(j, j);
    for (int j = 0; j < k; ++j) {
        const int p = static_cast<int>(std::max_element(left + j, left + k) - left);
        if (!(left[p] > tolerance)) return j;
        if (p != j) {  // swap rows and columns j and p of the lower triangle
            std::swap(left[j], left[p]);
            std::swap(f.order[at(j)], f.order[at(p)]);
            for (int c = 0; c < j; ++c) std::swap(L(j, c), L(p, c));
            std::swap(L(j, j), L(p, p));
            for (int i = j + 1; i < p; ++i) std::swap(L(i, j), L(p, i));
            for (int i = p + 1; i < k; ++i) std::swap(L(i, j), L(i, p));
        }
        double* column = &L(0, j);
        for (int c = 0; c < j; ++c)
            if (L(j, c) != 0) axpy(k - j - 1, -L(j, c), &L(j, c) + 1, column + j + 1);
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
        double* column = f.lu.data() + at(k) * at(j);
        for (int p = 0; p < j; ++p) std::swap(column[p], column[f.order[at(p)]]);
        for (int p = 0; p < j; ++p)
            if (column[p] != 0)
                axpy(k - p - 1, -column[p], f.lu.data() + at(k) * at(p) + p + 1, column + p + 1);
        int pivot = j;
        for (int i = j + 1; i < k; ++i)
            if (std::abs(column[i]) > std::abs(column[pivot])) pivot = i;
        if (!(std::abs(column[pivot]) > tolerance)) return j;
        f.order[at(j)] = pivot;
        if (pivot != j)
            for (int p = 0; p <= j; ++p)
                std::swap(f.lu[at(j) + at(k) * at(p)], f.lu[at(pivot) + at(k) * at(p)]);
        const double inverse = 1 / column[j];
        for (int i = j + 1; i < k; ++i) column[i] *= inverse;
    }
    return k;
}

}  // namespace

void reserve(PrincipalFactor& factor, Eigen::Index n) {
    const auto size = at(n);
    factor.order.reserve(size);
    factor.scale.reserve(size);
    factor.lu.reserve(size * size);
    factor.x.reserve(size);
}

void resize(PrincipalFactor& f, int k) {
    f.size = k;
    f.order.resize(at(k));
    f.scale.assign(at(k), 1.0);
    f.lu.resize(at(k) * at(k));
    f.x.resize(at(k));
    for (int c = 0; c < k; ++c) f.order[at(c)] = c;
}

bool factor_principal(const MatX& A, std::span<const int> members, bool symmetric, double tolerance,
                      PrincipalFactor& f) {
    const int k = static_cast<int>(members.size());
    resize(f, k);
    f.symmetric = symmetric;
    for (int c = 0; c < k; ++c) {
        const int j = members[at(c)];
        const double d = std::abs(A(j, j));
        if (d > 0) f.scale[at(c)] = 1 / std::sqrt(d);
    }
    for (int c = 0; c < k; ++c) {
        const int j = members[at(c)];
        double* column = f.lu.data() + at(k) * at(c);
        const double s = f.scale[at(c)];
        for (int r = symmetric ? c : 0; r < k; ++r)
            column[r] = A(members[at(r)], j) * f.scale[at(r)] * s;
    }
    f.rank = symmetric ? factor_cholesky(tolerance, f) : factor_lu(tolerance, f);
    return f.rank == k;
}

bool factor_general(double tolerance, PrincipalFactor& f) {
    f.symmetric = false;
    f.rank = factor_lu(tolerance, f);
    return f.rank == f.size;
}

void solve_principal(PrincipalFactor& f, std::span<double> x) {
    const int k = f.size, r = f.rank;
    assert(static_cast<int>(x.size()) == k && (f.symmetric || r == k));
    const auto column = [&](int j) { return f.lu.data() + at(k) * at(j); };
    if (f.symmetric) {
        double* y = f.x.data();
        for (int j = 0; j < r; ++j) {
            const int m = f.order[at(j)];
            y[j] = x[at(m)] * f.scale[at(m)];
        }
        for (int j = 0; j < r; ++j) {
            y[j] /= column(j)[j];
            axpy(r - j - 1, -y[j], column(j) + j + 1, y + j + 1);
        }
        for (int j = r - 1; j >= 0; --j)
            y[j] = (y[j] - dot(r - j - 1, column(j) + j + 1, y + j + 1)) / column(j)[j];
        std::fill(x.begin(), x.end(), 0.0);
        for (int j = 0; j < r; ++j) {
            const int m = f.order[at(j)];
            x[at(m)] = y[j] * f.scale[at(m)];
        }
        return;
    }
    double* y = x.data();
    for (int i = 0; i < k; ++i) y[i] *= f.scale[at(i)];
    for (int j = 0; j < k; ++j) std::swap(y[j], y[f.order[at(j)]]);
    for (int j = 0; j < k; ++j) axpy(k - j - 1, -y[j], column(j) + j + 1, y + j + 1);
    for (int j = k - 1; j >= 0; --j) {
        y[j] /= column(j)[j];
        axpy(j, -y[j], column(j), y);
    }
    for (int i = 0; i < k; ++i) y[i] *= f.scale[at(i)];
}

void flat_direction(const MatX& A, std::span<const int> members, PrincipalFactor& f, int k,
                    std::span<double> x) {
    assert(f.symmetric && f.rank <= k && k < f.size);
    const int dependent = f.order[at(k)];
    for (int i = 0; i < f.size; ++i) x[at(i)] = -A(members[at(i)], members[at(dependent)]);
    solve_principal(f, x);
    x[at(dependent)] = 1;
}

}  // namespace stiction
