// surface_shapes.h - where one shape touches a surface of triangles (HeightGrid, MeshSurface), one
// function per shape (docs/collision.md, "Ground of triangles").
//
// Corners, ends and centres of A are points (surface_query.h). What the ground has that stands out,
// convex edges and corners, is tested against A's edges and faces. All in the frame of the ground.
#pragma once

#include "collide/geometry.h"
#include "collide/segment.h"
#include "collide/surface_query.h"

namespace stiction {

// Labels of A's features in ids, 12 bits above the 16 of the ground's feature (surface_pairs.cpp):
// corners from 0, then edges, then one for a round side, and the last for corners of the ground.
inline constexpr std::uint32_t kCornerLabels = 2048, kEdgeLabel = 2048, kEdgeLabels = 1024;
inline constexpr std::uint32_t kSideLabel = 3072, kGroundCornerLabel = 4095;

struct Reach {
    Vec3 lo, hi;
};
[[nodiscard]] inline Reach around(const Vec3& centre, const Vec3& half, double margin) {
    const Vec3 wide = half + Vec3::Constant(margin);
    return {centre - wide, centre + wide};
}

// Whether a box along the axes of the ground lies beyond one side of a box that has A's frame by more
// than the margin.
[[nodiscard]] inline bool parts_from_box(const WorldGeom& a, const Vec3& half, const Vec3& lo,
                                         const Vec3& hi, double margin) {
    const Vec3 centre = a.R.transpose() * (0.5 * (lo + hi) - a.p);
    const Vec3 reach = a.R.transpose().cwiseAbs() * (0.5 * (hi - lo));
    return (centre.cwiseAbs() - reach - half).maxCoeff() > margin;
}

template <class Surface>
void sphere_hits(const Surface& surface, const WorldGeom& a, SurfaceHits& hits);
template <class Surface>
void capsule_hits(const Surface& surface, const WorldGeom& a, SurfaceHits& hits);
template <class Surface>
void box_hits(const Surface& surface, const WorldGeom& a, SurfaceHits& hits);
template <class Surface>
void hull_hits(const Surface& surface, const WorldGeom& a, SurfaceHits& hits);
template <class Surface>
void cylinder_hits(const Surface& surface, const WorldGeom& a, SurfaceHits& hits);
template <class Surface>
void cone_hits(const Surface& surface, const WorldGeom& a, SurfaceHits& hits);
template <class Surface>
void ellipsoid_hits(const Surface& surface, const WorldGeom& a, SurfaceHits& hits);
template <class Surface>
void rounded_box_hits(const Surface& surface, const WorldGeom& a, SurfaceHits& hits);

}  // namespace stiction
