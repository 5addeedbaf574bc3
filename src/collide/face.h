// face.h - flat faces of convex shapes as world polygons, for building manifolds (convex.cpp).
#pragma once

#include <array>
#include <optional>

#include "collide/clip.h"
#include "collide/geometry.h"
#include "collide/segment.h"

namespace stiction {

// A flat side: of a box, a hull, one end of a cylinder, or the base of a cone.
struct Face {
    Vec3 normal;           // outward, world
    double offset = 0;     // normal . x = offset on the face [m]
    std::uint32_t id = 0;  // on its shape
    bool round = false;    // a disc
};

// The face whose normal is nearest to d; none for shapes without flat faces.
[[nodiscard]] std::optional<Face> face_towards(const WorldGeom& geom, const Vec3& d);

// Corners in order around the face, at most kMaxPolygon: a face with more is thinned evenly. A
// disc is given by eight points of its rim, the lowest in direction d first.
struct Polygon {
    std::array<Vec3, kMaxPolygon> points;
    int count = 0;

    void add(const Vec3& p) { points[at(count++)] = p; }
};
[[nodiscard]] Polygon corners(const WorldGeom& geom, const Face& face, const Vec3& d);

// Outward normal of the face that meets this one along the edge from corner i to the next. Of boxes,
// and of hulls where the face is not thinned.
[[nodiscard]] Vec3 normal_across(const WorldGeom& geom, const Face& face, int i);

// A line on the surface of a cylinder, cone or capsule, the furthest in direction d.
[[nodiscard]] Segment side_line(const WorldGeom& geom, const Vec3& d);

// Corners within `tolerance` [m] of the furthest in direction d, of a box, hull or a capsule's
// axis; count above kMaxPolygon is cut off, and 0 stands for a shape without corners.
[[nodiscard]] Polygon support_corners(const WorldGeom& geom, const Vec3& d, double tolerance);

}  // namespace stiction
