// mixed_lcp.cpp - elimination of the unconstrained unknowns; equations in mixed_lcp.h.
#include "solve/lcp/mixed_lcp.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace stiction {
namespace {

using Eigen::Index;

constexpr double kSingular = 1e-12;  // pivot of A once its rows and columns are near 1

bool all_finite(const MixedLcp& p) {
    return (p.A * 0.0).sum() == 0 && (p.C * 0.0).sum() == 0 && (p.D * 0.0).sum() == 0 &&
           (p.B * 0.0).sum() == 0 && (p.g * 0.0).sum() == 0 && (p.h * 0.0).sum() == 0;
}

// Scales rows, then columns, so that the largest entry of each column is 1; powers of two, so that
// nothing is rounded. A row or column of zeros keeps its scale: the pivot test finds it.
void equilibrate(const MatX& A, MixedReduction& r) {
    const auto inverse = [](double x) { return x > 0 ? std::ldexp(1.0, -std::ilogb(x)) : 1.0; };
    const Index p = A.rows();
    r.row_scale.resize(p);
    r.column_scale.resize(p);
    for (Index i = 0; i < p; ++i) r.row_scale[i] = inverse(A.row(i).cwiseAbs().maxCoeff());
    r.scaled = A;
    for (Index j = 0; j < p; ++j) {
        r.scaled.col(j) = r.scaled.col(j).cwiseProduct(r.row_scale);
        r.column_scale[j] = inverse(r.scaled.col(j).cwiseAbs().maxCoeff());
        r.scaled.col(j) *= r.column_scale[j];
    }
}

// x <- A^-1 x
template <typename Column>
void apply_inverse(MixedReduction& r, Column&& x) {
    x = x.cwiseProduct(r.row_scale);
    solve_principal(r.factor, {x.data(), at(x.size())});
    x = x.cwiseProduct(r.column_scale);
}

}  // namespace

MixedStatus reduce(const MixedLcp& problem, MixedReduction& r) {
    const Index p = problem.g.size(), q = problem.h.size();
    assert(problem.A.rows() == p && problem.A.cols() == p && problem.C.rows() == p &&
           problem.C.cols() == q && problem.D.rows() == q && problem.D.cols() == p &&
           problem.B.rows() == q && problem.B.cols() == q);
    const auto fail = [&](MixedStatus status) {
        r.lcp.A.resize(0, 0);
        r.lcp.b.resize(0);
        return status;
    };
    if (!all_finite(problem)) return fail(MixedStatus::kNotFinite);
    r.A_inv_C = problem.C;
    r.A_inv_g = problem.g;
    if (p > 0) {
        equilibrate(problem.A, r);
        if (!factor_general(r.scaled, kSingular, r.factor)) return fail(MixedStatus::kSingular);
        for (Index j = 0; j < q; ++j) apply_inverse(r, r.A_inv_C.col(j));
        apply_inverse(r, r.A_inv_g);
    }
    r.lcp.A = problem.B;
    r.lcp.b = problem.h;
    r.lcp.A.noalias() -= problem.D * r.A_inv_C;
    r.lcp.b.noalias() -= problem.D * r.A_inv_g;
    return MixedStatus::kReduced;
}

void recover(const MixedReduction& r, const VecX& y, VecX& x) {
    x = -r.A_inv_g;
    x.noalias() -= r.A_inv_C * y;
}

double residual(const MixedLcp& problem, const VecX& x, const VecX& y) {
    const VecX equation = problem.A * x + problem.C * y + problem.g;
    const VecX w = problem.D * x + problem.B * y + problem.h;
    double worst = residual(y, w);
    for (const double e : equation) {
        if (!std::isfinite(e)) return std::numeric_limits<double>::quiet_NaN();
        worst = std::max(worst, std::abs(e));
    }
    return worst;
}

}  // namespace stiction
