// segment.h - closest points of points, segments and boxes.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/types.h"

namespace stiction {

// Lines at an angle with a smaller sine run side by side: they have no common normal of their own.
inline constexpr double kParallelSine = 1e-3;

// Points centre + s * dir with s in [-half, half]; dir is unit.
struct Segment {
    Vec3 centre;
    Vec3 dir;
    double half;  // [m]

    [[nodiscard]] Vec3 at(double s) const { return centre + s * dir; }
    [[nodiscard]] double nearest(const Vec3& x) const {
        return std::clamp(dir.dot(x - centre), -half, half);
    }
};

struct SegmentPair {
    double s, t;  // parameters on the two segments [m]
};

// Closest points of two segments. Each parameter is the best for the other one clamped, which is
// exact because the squared distance is convex. Nearly parallel segments meet at the middle of
// their common stretch.
[[nodiscard]] inline SegmentPair closest(const Segment& a, const Segment& b) {
    const Vec3 r = b.centre - a.centre;
    const double c = a.dir.dot(b.dir), ra = a.dir.dot(r), rb = b.dir.dot(r);
    const double sin2 = a.dir.cross(b.dir).squaredNorm();
    double s = 0;
    if (sin2 > 1e-20) {
        s = std::clamp((ra - c * rb) / sin2, -a.half, a.half);
    } else {
        const double lo = std::max(-a.half, ra - b.half), hi = std::min(a.half, ra + b.half);
        s = std::clamp(0.5 * (lo + hi), -a.half, a.half);
    }
    const double t = std::clamp(c * s - rb, -b.half, b.half);
    s = std::clamp(c * t + ra, -a.half, a.half);
    return {s, t};
}

// Unit vector from `from` to `to`, or `fallback` when they coincide to within `tiny`.
[[nodiscard]] inline Vec3 direction(const Vec3& from, const Vec3& to, double tiny,
                                    const Vec3& fallback) {
    const Vec3 d = to - from;
    const double length = d.norm();
    return length > tiny ? Vec3(d / length) : fallback;
}

}  // namespace stiction
