// surface_triangle.h - what heightfields and meshes are made of, the same for both.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <limits>
#include <optional>

#include "core/types.h"

namespace stiction {

// Counter-clockwise seen from outside. Edge k runs from corner k to corner (k + 1) % 3.
struct SurfaceTriangle {
    int id = 0;
    std::array<int, 3> vertex{};  // ids
    std::array<Vec3, 3> v;        // [m]
    Vec3 n = Vec3::UnitZ();       // unit, outward
};

// Distance along the unit vector d at which the ray from o meets the front of a triangle.
[[nodiscard]] inline std::optional<double> ray_meets(const SurfaceTriangle& t, const Vec3& o,
                                                     const Vec3& d) {
    const double speed = t.n.dot(d);
    if (speed >= 0) return std::nullopt;
    const double distance = t.n.dot(t.v[0] - o) / speed;
    if (distance < 0) return std::nullopt;
    const Vec3 x = o + distance * d;
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 edge = t.v[(k + 1) % 3] - t.v[k];
        if (t.n.cross(edge).dot(x - t.v[k]) < -1e-12 * edge.squaredNorm()) return std::nullopt;
    }
    return distance;
}

// The stretch of a ray inside a box; empty when hi < lo.
struct RayStretch {
    double lo = 0, hi = std::numeric_limits<double>::infinity();
};
[[nodiscard]] inline RayStretch ray_in_box(const Eigen::AlignedBox3d& box, const Vec3& o,
                                           const Vec3& d) {
    RayStretch s;
    for (int k = 0; k < 3; ++k) {
        if (d[k] == 0) {
            if (o[k] < box.min()[k] || o[k] > box.max()[k]) s.hi = -1;
            continue;
        }
        const double t1 = (box.min()[k] - o[k]) / d[k], t2 = (box.max()[k] - o[k]) / d[k];
        s.lo = std::max(s.lo, std::min(t1, t2));
        s.hi = std::min(s.hi, std::max(t1, t2));
    }
    return s;
}

}  // namespace stiction
