// gjk.h - Bullet's GJK and EPA on two convex shapes, with its answer checked against the shapes'
// support points.
#pragma once

#include <memory>

#include "collide/geometry.h"

namespace stiction {

struct ConvexDeleter {
    void operator()(const btConvexShape* shape) const;
};
using ConvexPtr = std::unique_ptr<const btConvexShape, ConvexDeleter>;

// The shape for Bullet, with margin 0 (capsule: its radius); of a rounded box its core; null for
// ground.
[[nodiscard]] ConvexPtr make_convex(const Shape& shape);

// Throws std::runtime_error when the linked Bullet is not the double-precision build these headers
// describe.
void check_bullet_build();

// The shape's point furthest in direction d, world.
[[nodiscard]] Vec3 support(const WorldGeom& geom, const Vec3& d);

// Gap along the unit vector n: n . (A's lowest point - B's highest point). At most the distance.
[[nodiscard]] double gap_along(const WorldGeom& a, const WorldGeom& b, const Vec3& n);

// Nearest points of separate shapes or the least way out of overlapping ones; n from B into A.
struct NearestPoints {
    Vec3 n;
    Vec3 p_A;
    Vec3 p_B;
    double phi;  // gap along n [m]
};
// Largest gap over directions without Bullet, not less than that of `best`.
[[nodiscard]] NearestPoints search_directions(const WorldGeom& a, const WorldGeom& b,
                                              NearestPoints best);
[[nodiscard]] NearestPoints nearest_points(const WorldGeom& a, const WorldGeom& b);

}  // namespace stiction
