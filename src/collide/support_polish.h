// support_polish.h - exact nearest points of two features from their support functions: for shapes
// whose surface is no curve with a radius (ellipsoids, cones) and for ground they stand on.
//
// The gap of two convex sets along a unit vector n, from B into A, is
//
//   g(n) = n . (x_A(-n) - x_B(n)) - r_A - r_B,   x(o) the support point furthest along o,
//
// and its local maxima are the nearest points of sets that are apart and the least ways out of those
// that overlap. As g'(n) = x_A - x_B, Newton's method needs the support points and how they move with
// n. A line is furthest along o as a whole if o is perpendicular to it, the side of a cone if o has its
// slope: such features leave n one direction, two of them none.
#pragma once

#include "collide/gjk.h"

namespace stiction {

struct SupportFeature {
    enum class Kind { kPoint, kLine, kCircle, kEllipsoid, kConeSide, kFace };
    Kind kind = Kind::kPoint;
    Vec3 centre = Vec3::Zero();     // of a cone's side its apex
    Vec3 axis = Vec3::Zero();       // line, circle, side of a cone; face: outward normal
    double half = 0;                // line: half length; side of a cone: length [m]
    double radius = 0;              // circle [m]
    double rounding = 0;            // [m]
    double slope = 0;               // side of a cone: o . axis
    Mat3 half_axes = Mat3::Zero();  // ellipsoid: columns [m]
};

[[nodiscard]] SupportFeature ellipsoid_feature(const WorldGeom& g);

// Finds the stationary n near nearest.n and the points there; false, and `nearest` is as it was, where
// there is none or the points are beyond the features' ends. `size` [m] is that of the smaller shape.
[[nodiscard]] bool settle(const SupportFeature& a, const SupportFeature& b, double size,
                          NearestPoints& nearest);

[[nodiscard]] constexpr bool needs_support_polish(ShapeKind kind) {
    return kind == ShapeKind::kCone || kind == ShapeKind::kEllipsoid;
}

// As polish() (polish.h): of all pairs of features near `nearest`, the one whose gap is what the shapes'
// support points show.
void polish_by_support(const WorldGeom& a, const WorldGeom& b, double size, NearestPoints& nearest);

}  // namespace stiction
