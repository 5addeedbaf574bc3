// cylinder.h - points on a cylinder's rim, the lowest in a given direction first.
#pragma once

#include <cmath>
#include <numbers>

#include "collide/geometry.h"

namespace stiction {

struct RimBasis {
    Vec3 first;   // from the axis to the rim point furthest in the direction [m]
    Vec3 second;  // a quarter turn further on [m]
};

// Below this angle between axis and direction [rad] the rim points keep fixed places on the body: a
// standing cylinder's contacts must not chase round-off. What that can cost is 0.3 radius times
// this angle.
inline constexpr double kStandingAngle = 1e-6;

[[nodiscard]] inline RimBasis rim_basis(const WorldGeom& cylinder, const Vec3& direction) {
    const Vec3 axis = cylinder.axis();
    const Vec3 across = direction - direction.dot(axis) * axis;
    const double length = across.norm();
    const Vec3 first = length > kStandingAngle ? Vec3(across / length) : Vec3(cylinder.R.col(0));
    return {cylinder.radius * first, cylinder.radius * axis.cross(first)};
}

// The i-th of n equally spaced rim points, from the axis.
[[nodiscard]] inline Vec3 rim_offset(const RimBasis& rim, int i, int n) {
    if (4 * i % n == 0) {  // exact at quarter turns
        constexpr double kCos[] = {1, 0, -1, 0}, kSin[] = {0, 1, 0, -1};
        const int quarter = 4 * i / n;
        return kCos[quarter] * rim.first + kSin[quarter] * rim.second;
    }
    const double angle = 2 * std::numbers::pi * i / n;
    return std::cos(angle) * rim.first + std::sin(angle) * rim.second;
}

}  // namespace stiction
