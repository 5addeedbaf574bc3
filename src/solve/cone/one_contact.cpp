// one_contact.cpp - open, sticking or sliding contact: a closed form and one scalar equation.
#include "solve/cone/one_contact.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solve/cone/friction_law.h"
#include "solve/factor/block_lu.h"

namespace stiction {

namespace {

// What is left of a contact once its normal impulse is eliminated.
struct Sliding {
    double s00, s01, s10, s11;  // S
    double b0, b1;              // b
    double w0, w1;              // W_NT / W_NN
    double n0;                  // -q_N / W_NN, the normal impulse without friction
    double mu;

    double t0 = 0, t1 = 0, n = 0, t = 0;  // r_T, r_N and |r_T| at the lambda tried last

    // ratio = mu r_N / |r_T| - 1, nearly linear in lambda, and its slope.
    [[nodiscard]] double ratio(double lambda, double& slope) {
        const double a = s00 + lambda;
        const double d = s11 + lambda;
        const double inverse = 1.0 / (a * d - s01 * s10);
        t0 = inverse * (s01 * b1 - d * b0);
        t1 = inverse * (s10 * b0 - a * b1);
        n = n0 - w0 * t0 - w1 * t1;
        t = std::sqrt(t0 * t0 + t1 * t1);
        const double d0 = inverse * (s01 * t1 - d * t0);  // d r_T / d lambda
        const double d1 = inverse * (s10 * t0 - a * t1);
        const double per_t = 1.0 / t;
        const double value = mu * n * per_t;
        slope = -per_t * (mu * (w0 * d0 + w1 * d1) + value * per_t * (t0 * d0 + t1 * d1));
        return value - 1;
    }
};

constexpr double kRatioTolerance = 1e-13;  // some hundred roundings of the ratio
constexpr double kSingular = 1e-14;        // of a determinant, relative to the squared entries
constexpr double kMinFall = 0.5;  // of the ratio in a step: less, and the bracket is halved
constexpr int kMaxSteps = 80;  // 3 to 5 are usual, 41 the most of a million with masses 1e8 apart

}  // namespace

Vec3 solve_one_contact(const Mat3& W, const Vec3& q, double mu, double& lambda) {
    const double guess = lambda;
    lambda = 0;
    const double w_n = W(0, 0);
    if (q[0] >= 0 || !(w_n > 0)) return Vec3::Zero();
    const double inverse = 1.0 / w_n;
    const double n0 = -q[0] * inverse;
    if (mu == 0) return {n0, 0, 0};
    Sliding c{};
    c.mu = mu;
    c.w0 = W(0, 1) * inverse;
    c.w1 = W(0, 2) * inverse;
    c.n0 = n0;
    c.s00 = W(1, 1) - W(1, 0) * c.w0;
    c.s01 = W(1, 2) - W(1, 0) * c.w1;
    c.s10 = W(2, 1) - W(2, 0) * c.w0;
    c.s11 = W(2, 2) - W(2, 0) * c.w1;
    c.b0 = q[1] + W(1, 0) * n0;
    c.b1 = q[2] + W(2, 0) * n0;

    const double size = std::abs(c.s00) + std::abs(c.s11);
    double slope = 0;
    if (c.s00 * c.s11 - c.s01 * c.s10 > kSingular * size * size) {
        if (c.b0 == 0 && c.b1 == 0) return {n0, 0, 0};
        if (c.ratio(0, slope) >= 0) return {c.n, c.t0, c.t1};
    } else if (c.b0 == 0 && c.b1 == 0) {
        return {n0, 0, 0};
    }
    // Sliding: ratio < 0 at low, > 0 at high.
    double low = 0;
    double high = std::numeric_limits<double>::infinity();
    double x = guess;
    if (!(x > 0)) {  // S as if it were a multiple of I, or a tenth of it where that says nothing
        x = std::sqrt(c.b0 * c.b0 + c.b1 * c.b1) / (mu * n0) - 0.5 * (c.s00 + c.s11);
        if (!(x > 1e-3 * size)) x = 0.1 * size;
    }
    double last = std::numeric_limits<double>::infinity();
    for (int i = 0; i < kMaxSteps; ++i) {
        const double value = c.ratio(x, slope);
        if (std::abs(value) <= kRatioTolerance) break;
        (value < 0 ? low : high) = x;
        double next = x - value / slope;
        if (!(next > low && next < high) || std::abs(value) > kMinFall * last) {
            next = std::isinf(high) ? 4 * x + size : low > 0 ? std::sqrt(low * high) : 0.1 * high;
        }
        last = std::abs(value);
        if (next == x) break;
        x = next;
    }
    lambda = x;
    const double onto_cone = mu * c.n / c.t;  // 1 to rounding
    const Vec3 r(c.n, c.t0 * onto_cone, c.t1 * onto_cone);
    // Without a root (W is not positive definite) friction is left out.
    return c.n > 0 && std::isfinite(r.sum()) ? r : Vec3(n0, 0, 0);
}

Vec3 solve_bounded_rows(const Mat3& W, const Mat3& inverse, const Vec3& q, const Vec3& lo,
                        const Vec3& hi, const Vec3& guess) {
    const Vec3 free = -(inverse * q);
    if ((free.array() >= lo.array()).all() && (free.array() <= hi.array()).all()) return free;
    constexpr int kPasses = 8;  // rows of one body converge in three or four
    Vec3 r = guess.cwiseMax(lo).cwiseMin(hi);
    for (int pass = 0; pass < kPasses; ++pass) {
        const Vec3 before = r;
        for (int i = 0; i < 3; ++i) {
            if (!(W(i, i) > 0)) continue;
            const double u = W.row(i).dot(r) + q[i];
            r[i] = std::clamp(r[i] - u / W(i, i), lo[i], hi[i]);
        }
        if (r == before) break;
    }
    return r;
}

Mat3 bounded_inverse(const Mat3& W) {
    Mat3 inverse;
    if (!invert3(W, inverse)) inverse.setConstant(std::numeric_limits<double>::quiet_NaN());
    return inverse;
}

Vec3 solve_relaxed_contact(const Mat3& W, const Vec3& q, double mu, double s, const Vec3& guess) {
    constexpr int kPasses = 4;
    if (s == 0 && q[0] >= mu * std::sqrt(q[1] * q[1] + q[2] * q[2])) return Vec3::Zero();
    if (s == 0 && mu == 0) return {-q[0] / W(0, 0), 0, 0};
    const Vec3 stuck = -(W.ldlt().solve(q));
    if (stuck[0] > 0 && stuck.tail<2>().norm() <= mu * stuck[0] + s) return stuck;
    // Steps to the nearest point of the cone in a diagonal metric that is at least W.
    const Vec3 sums = W.cwiseAbs().rowwise().sum();
    const double a = sums[0], c = std::max(sums[1], sums[2]);
    const double ratio = std::sqrt(c / a);
    Vec3 r = guess;
    for (int pass = 0; pass < kPasses; ++pass) {
        const Vec3 g = W * r + q;
        const Vec3 y(r[0] - g[0] / a, ratio * (r[1] - g[1] / c), ratio * (r[2] - g[2] / c));
        const Vec3 p = project_on_offset_cone(mu * ratio, s * ratio, y);
        r = Vec3(p[0], p[1] / ratio, p[2] / ratio);
    }
    return r;
}

}  // namespace stiction
