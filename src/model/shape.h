// shape.h - collision shapes, each in its own frame. Lengths in metres.
#pragma once

#include <memory>
#include <string_view>
#include <variant>
#include <vector>

#include "core/types.h"

namespace stiction {

struct Plane {};  // half space z <= 0, outward normal +z; static and kinematic bodies only

struct Sphere {
    double radius = 0;  // [m]
};

struct Box {
    Vec3 half = Vec3::Zero();  // half extents [m]
};

struct Capsule {             // axis along z, centred
    double radius = 0;       // [m]
    double half_length = 0;  // of the straight part [m]
};

struct Cylinder {            // axis along z, centred
    double radius = 0;       // [m]
    double half_length = 0;  // [m]
};

struct Cone {                // axis along z, base below, apex above, the middle of its height at 0
    double radius = 0;       // of the base [m]
    double half_length = 0;  // of the height [m]
};

struct Ellipsoid {
    Vec3 half = Vec3::Zero();  // half axes [m]
};

// All points within `radius` of a box that is smaller by that on every side.
struct RoundedBox {
    Vec3 half = Vec3::Zero();  // half extents of the whole [m]
    double radius = 0;         // of its edges and corners [m]

    [[nodiscard]] Vec3 core() const { return half - Vec3::Constant(radius); }
};

// Convex polyhedron. Faces are made once at load by make_hull (hull.h): counter-clockwise seen from
// outside.
struct Hull {
    struct Face {
        std::vector<int> vertices;
        Vec3 normal = Vec3::Zero();
        double offset = 0;  // normal . x = offset on the face [m]
    };
    std::vector<Vec3> vertices;
    std::vector<Face> faces;
};

class HeightGrid;   // height_grid.h
class MeshSurface;  // mesh_surface.h

// Ground given by heights over a grid; solid below. Static and kinematic bodies only.
struct Heightfield {
    std::shared_ptr<const HeightGrid> grid;  // never null; shared by all copies
};

// Triangles, solid behind them. Static and kinematic bodies only.
struct TriangleMesh {
    std::shared_ptr<const MeshSurface> surface;  // never null; shared by all copies
};

using Shape = std::variant<Plane, Sphere, Box, Capsule, Cylinder, Cone, Ellipsoid, RoundedBox, Hull,
                           Heightfield, TriangleMesh>;

[[nodiscard]] constexpr std::string_view name(const Shape& shape) {
    constexpr std::string_view kNames[] = {"plane",    "sphere",      "box",       "capsule",
                                           "cylinder", "cone",        "ellipsoid", "rounded_box",
                                           "hull",     "heightfield", "mesh"};
    return kNames[shape.index()];
}

// Only static and kinematic bodies may have it.
[[nodiscard]] constexpr bool is_ground(const Shape& shape) {
    return std::holds_alternative<Plane>(shape) || std::holds_alternative<Heightfield>(shape) ||
           std::holds_alternative<TriangleMesh>(shape);
}

// Mass properties of a solid of density 1 kg/m^3.
struct SolidProperties {
    double volume = 0;             // [m^3]
    Vec3 centroid = Vec3::Zero();  // [m], in the shape's frame
    Mat3 inertia = Mat3::Zero();   // about the centroid, at density 1 [kg m^2]
};
[[nodiscard]] SolidProperties solid_properties(const Shape& shape);  // zero volume for ground

// Radius of the smallest origin-centred ball that holds the shape; infinite for a plane.
[[nodiscard]] double bounding_radius(const Shape& shape);

// Convex hull of points as a polyhedron with merged coplanar faces. Throws InputError when they
// span no volume.
[[nodiscard]] Hull make_hull(const std::vector<Vec3>& points);

}  // namespace stiction
