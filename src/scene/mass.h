// mass.h - mass, centre of mass and inertia of a dynamic body, from its entry and its shapes.
#pragma once

#include <string>
#include <vector>

#include "scene/shapes.h"

namespace stiction {

struct MassProperties {
    double mass = 0;              // [kg]
    Vec3 com = Vec3::Zero();      // in the frame the entry is written in [m]
    Mat3 inertia = Mat3::Zero();  // about the centre of mass, axes of that frame [kg m^2]
};

// Mass or density is the body's, spread evenly over its shapes, or each shape has its own. Overlaps
// count twice. A written `inertia` is about the centre of mass; a written `com` needs it. Complains
// about what cannot be a body.
[[nodiscard]] MassProperties read_mass(const Node& body, const std::vector<ShapeEntry>& shapes);

// Products and quotients of a few masses must be numbers; an atom and a star are within.
inline constexpr double kLeastMass = 1e-30, kLargestMass = 1e30;      // [kg]
inline constexpr double kLeastMoment = 1e-40, kLargestMoment = 1e40;  // [kg m^2]

// Says which of the two is beyond its limits; empty: none.
[[nodiscard]] std::string beyond_range(double mass, const Mat3& inertia);

}  // namespace stiction
