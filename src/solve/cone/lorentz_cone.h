// lorentz_cone.h - points of the Lorentz cone L = { y : |y_T| <= y_0 } in three dimensions: Jordan
// product, steps that stay inside, and the scaling of Nesterov and Todd.
// A point carries its distance to the boundary as a number of its own, so that nothing is lost to
// cancellation where it is small.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/types.h"

namespace stiction {

struct LorentzPoint {
    Vec3 p = Vec3::UnitX();
    double gap = 1;  // p_0 - |p_T|
};

// Of a pair y, z inside L: P = S^-2 is symmetric with P y = z.
struct LorentzScaling {
    Mat3 P = Mat3::Zero();
    Mat3 S = Mat3::Zero(), S_inverse = S;
    Vec3 lambda = Vec3::Zero();  // S z = S^-1 y
};

// False if y or z has left the cone.
[[nodiscard]] bool nesterov_todd(const LorentzPoint& y, const LorentzPoint& z,
                                 LorentzScaling& scaling);

inline constexpr double kFarStep = 1e30;  // of a step that meets no boundary: finite in products

[[nodiscard]] inline double tangential_norm(const Vec3& p) {
    return std::sqrt(p[1] * p[1] + p[2] * p[2]);
}

[[nodiscard]] inline double determinant(const LorentzPoint& y) {
    return y.gap * (y.p[0] + tangential_norm(y.p));
}

[[nodiscard]] inline Vec3 inverse(const LorentzPoint& y) {
    return Vec3(y.p[0], -y.p[1], -y.p[2]) / determinant(y);
}

[[nodiscard]] inline Vec3 jordan_product(const Vec3& a, const Vec3& b) {
    return {a.dot(b), a[0] * b[1] + b[0] * a[1], a[0] * b[2] + b[0] * a[2]};
}

// x with lambda o x = d.
[[nodiscard]] inline Vec3 jordan_divide(const Vec3& lambda, const Vec3& d) {
    const double t = tangential_norm(lambda);
    const double determinant = (lambda[0] - t) * (lambda[0] + t);
    const double x0 = (lambda[0] * d[0] - lambda[1] * d[1] - lambda[2] * d[2]) / determinant;
    return {x0, (d[1] - x0 * lambda[1]) / lambda[0], (d[2] - x0 * lambda[2]) / lambda[0]};
}

// y + step d; the gap changes by step d_0 less the growth of |y_T|, found without cancellation.
[[nodiscard]] inline LorentzPoint advanced(const LorentzPoint& y, const Vec3& d, double step) {
    LorentzPoint result;
    result.p = y.p + step * d;
    const double before = tangential_norm(y.p);
    const double after = tangential_norm(result.p);
    const double product = 2 * (y.p[1] * d[1] + y.p[2] * d[2]);
    const double square = d[1] * d[1] + d[2] * d[2];
    const double growth =
        before + after > 0 ? step * (product + step * square) / (before + after) : 0.0;
    result.gap = y.gap + step * d[0] - growth;
    result.p[0] = after + result.gap;
    return result;
}

// The largest step for which y + step d stays in the cone: least positive root of its determinant.
[[nodiscard]] inline double longest_step(const LorentzPoint& y, const Vec3& d) {
    const double a = d[0] * d[0] - d[1] * d[1] - d[2] * d[2];
    const double b = y.gap * d[0] + (tangential_norm(y.p) * d[0] - y.p[1] * d[1] - y.p[2] * d[2]);
    const double c = determinant(y);
    double step = d[0] < 0 ? -y.p[0] / d[0] : kFarStep;
    const double discriminant = b * b - a * c;
    if (!(discriminant >= 0)) return step;
    const double root = std::sqrt(discriminant);
    const double q = b >= 0 ? -(b + root) : root - b;
    if (a != 0 && q / a > 0) step = std::min(step, q / a);
    if (q != 0 && c / q > 0) step = std::min(step, c / q);
    return step;
}

// y.z = |y_T||z_T| (1 + cos) + ..., every term positive.
[[nodiscard]] inline double product(const LorentzPoint& y, const LorentzPoint& z) {
    const double ty = tangential_norm(y.p);
    const double tz = tangential_norm(z.p);
    double sum = y.gap * tz + z.gap * ty + y.gap * z.gap;
    if (ty > 0 && tz > 0) {
        const double e1 = y.p[1] / ty + z.p[1] / tz;
        const double e2 = y.p[2] / ty + z.p[2] / tz;
        sum += ty * tz * (e1 * e1 + e2 * e2) / 2;
    }
    return sum;
}

}  // namespace stiction
