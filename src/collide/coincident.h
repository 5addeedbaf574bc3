// coincident.h - which way two shapes part that lie at one point: a direction that the pair itself
// has, since its positions have none.
//
// Body k has a point u_k of its own in the unit cube, and b sends a off along u_a - u_b. So the
// directions are antisymmetric, many bodies at one point have room to part as the u_k do, in three
// dimensions, and nothing but the bodies' numbers enters: the same bits in every run.
#pragma once

#include <cmath>

#include "collide/geometry.h"

namespace stiction {

// Of the shapes' sizes: centres this near have no direction of their own. Above rounding of
// positions, so that the direction is not made of it.
inline constexpr double kCoincident = 1e-12;

// The additive recurrence u_k = frac(1/2 + k (1/g, 1/g^2, 1/g^3)) with g^4 = g + 1 fills the cube
// evenly, whatever the number of points (Roberts' generalisation of the golden ratio).
[[nodiscard]] inline Vec3 own_point(int k) {
    constexpr double g = 1.2207440846057596;
    const Vec3 x = Vec3::Constant(0.5) + k * Vec3(1 / g, 1 / (g * g), 1 / (g * g * g));
    return x - Vec3(std::floor(x.x()), std::floor(x.y()), std::floor(x.z()));
}

// Unit, from B into A.
[[nodiscard]] inline Vec3 parting(const WorldGeom& a, const WorldGeom& b) {
    return (own_point(a.body) - own_point(b.body)).normalized();
}

// Unit, the same across an axis; `any` is perpendicular to the axis and stands in where the two are
// parallel.
[[nodiscard]] inline Vec3 parting_across(const WorldGeom& a, const WorldGeom& b, const Vec3& axis,
                                         const Vec3& any) {
    const Vec3 d = parting(a, b);
    const Vec3 across = d - axis.dot(d) * axis;
    const double length = across.norm();
    return length > 1e-3 ? Vec3(across / length) : any;
}

}  // namespace stiction
