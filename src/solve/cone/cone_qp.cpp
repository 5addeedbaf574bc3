// cone_qp.cpp - residual and checks of convex programs over friction cones.
#include "solve/cone/cone_qp.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {

namespace {

bool is_valid(const SparseRows& C, const VecX& d, Eigen::Index columns) {
    if (d.size() == 0) return C.rows() == 0;
    if (C.rows() != d.size() || C.cols() != columns || !C.isCompressed()) return false;
    return Eigen::Map<const VecX>(C.valuePtr(), C.nonZeros()).allFinite() && d.allFinite();
}

}  // namespace

Vec3 project_on_cone(double mu, double s, const Vec3& x) {
    const double t = std::sqrt(x[1] * x[1] + x[2] * x[2]);
    if (x[0] >= 0 && t <= mu * x[0] + s) return x;
    // On the mantle: foot of the perpendicular; below the floor: nearest point of the disc.
    const double foot = std::max(0.0, (x[0] + mu * (t - s)) / (1 + mu * mu));
    const double reach = mu * foot + s;
    const double shrink = t > reach ? reach / t : 1.0;
    return {foot, shrink * x[1], shrink * x[2]};
}

double residual(const ConeQp& qp, const VecX& x, const VecX& y, const VecX& g) {
    double sum = 0;
    double size = qp.c.squaredNorm();
    for (int a = 0; a < qp.contacts(); ++a) {
        const double weight = block_weight(qp.H, a);
        const double s = weight * qp.offset(a);
        const Vec3 v = weight * x.segment<3>(3 * a);
        sum += (v - project_on_cone(qp.mu[a], s, v - g.segment<3>(3 * a))).squaredNorm();
        size += s * s;
    }
    for (int j = 0; j < qp.rows(); ++j) {
        double value = -qp.d[j];
        double norm = 0;
        double gamma = 0;
        for (SparseRows::InnerIterator it(qp.C, j); it; ++it) {
            const double weight = block_weight(qp.H, static_cast<int>(it.col() / 3));
            value += it.value() * x[it.col()];
            norm += it.value() * it.value();
            gamma += it.value() * it.value() / (weight * weight);
        }
        gamma = gamma > 0 ? std::sqrt(gamma) : 1.0;
        const double error = std::min(std::sqrt(norm) * y[j], value / gamma);
        sum += error * error;
        size += qp.d[j] * qp.d[j] / (gamma * gamma);
    }
    const double result = std::sqrt(size > 0 ? sum / size : sum);
    return std::isfinite(result) ? result : std::numeric_limits<double>::quiet_NaN();
}

double residual(const ConeQp& qp, const VecX& x, const VecX& y) {
    VecX g;
    multiply_add(qp.H, x, qp.c, g);
    if (qp.rows() > 0) g -= qp.C.transpose() * y;
    return residual(qp, x, y, g);
}

bool is_valid(const ConeQp& qp) {
    const int nc = qp.contacts();
    if (qp.c.size() != 3 * nc || !(qp.s.size() == nc || qp.s.size() == 0)) return false;
    if (!qp.c.allFinite() || !qp.mu.allFinite() || !qp.s.allFinite()) return false;
    if ((qp.mu.array() < 0).any() || (qp.s.array() < 0).any()) return false;
    return is_valid(qp.H, nc) && is_valid(qp.C, qp.d, 3 * nc);
}

}  // namespace stiction
