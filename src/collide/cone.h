// cone.h - support point, side and distance of a cone.
#pragma once

#include <algorithm>
#include <cmath>

#include "collide/cylinder.h"
#include "collide/segment.h"

namespace stiction {

// The normal of a cone's side is cosine times the direction away from the axis plus sine times the
// axis.
struct ConeSlope {
    explicit ConeSlope(double radius, double half_length)
        : slant(std::hypot(radius, 2 * half_length)),
          cosine(2 * half_length / slant),
          sine(radius / slant) {}
    explicit ConeSlope(const WorldGeom& g) : ConeSlope(g.radius, g.length) {}

    double slant;  // from the apex to the rim [m]
    double cosine, sine;
};

// The point furthest in direction d, both in the cone's frame.
[[nodiscard]] inline Vec3 cone_support(const WorldGeom& g, const Vec3& d) {
    const double across = std::hypot(d.x(), d.y());
    if (2 * g.length * d.z() > g.radius * across) return {0, 0, g.length};
    const double s = across > 0 ? g.radius / across : 0.0;
    return {s * d.x(), s * d.y(), -g.length};
}

// The line from apex to rim that is furthest in direction d, world.
[[nodiscard]] inline Segment cone_side(const WorldGeom& g, const Vec3& d) {
    const Vec3 apex = g.end(1), rim = g.end(-1) + rim_basis(g, d).first;
    const Vec3 along = apex - rim;
    const double length = along.norm();
    return {0.5 * (apex + rim), along / length, 0.5 * length};
}

// Sine of the angle by which a unit direction misses the normal of the side; 1 where it points away
// from all of the side.
[[nodiscard]] inline double off_side_normal(const WorldGeom& g, const Vec3& d) {
    const ConeSlope slope(g);
    const double up = g.axis().dot(d), out = std::sqrt(std::max(0.0, 1 - up * up));
    if (out * slope.cosine + up * slope.sine <= 0) return 1;
    return std::abs(out * slope.sine - up * slope.cosine);
}

// Distance, negative inside, and the direction out of the cone there, for a point at (rho, z) of a
// plane through the axis.
struct RevolvedDistance {
    double distance;  // [m]
    double radial, axial;
};

[[nodiscard]] inline RevolvedDistance cone_distance(double radius, double half_length, double rho,
                                                    double z) {
    const ConeSlope slope(radius, half_length);
    const double below = -half_length - z;
    const double beside = slope.cosine * rho + slope.sine * (z - half_length);
    if (below <= 0 && beside <= 0) {
        if (beside > below) return {beside, slope.cosine, slope.sine};
        return {below, 0, -1};
    }
    // Nearest points of the two sides of the profile.
    const double down = std::clamp(slope.sine * rho + slope.cosine * (half_length - z), 0.0,
                                   slope.slant);  // from the apex along the side
    const double side_rho = rho - slope.sine * down, side_z = z - half_length + slope.cosine * down;
    const double base_rho = rho - std::clamp(rho, 0.0, radius);
    const double side = std::hypot(side_rho, side_z), base = std::hypot(base_rho, below);
    if (below > 0 && base <= side) return {base, base_rho / base, -below / base};
    return {side, side_rho / side, side_z / side};
}

}  // namespace stiction
