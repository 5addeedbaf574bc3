// pairs.h - the pair functions, by the kinds of shapes they take, and the table that picks one.
// Every one adds to the manifold the contacts of A and B with gap at most `margin`, normals from B
// into A.
#pragma once

#include "collide/geometry.h"

namespace stiction {

// Exact, in plane.cpp: A against the half space below B's plane.
void collide_sphere_plane(const WorldGeom& a, const WorldGeom& b, double margin, Manifold& m);
void collide_box_plane(const WorldGeom& a, const WorldGeom& b, double margin, Manifold& m);
void collide_capsule_plane(const WorldGeom& a, const WorldGeom& b, double margin, Manifold& m);
void collide_cylinder_plane(const WorldGeom& a, const WorldGeom& b, double margin, Manifold& m);
void collide_cone_plane(const WorldGeom& a, const WorldGeom& b, double margin, Manifold& m);
void collide_ellipsoid_plane(const WorldGeom& a, const WorldGeom& b, double margin, Manifold& m);
void collide_hull_plane(const WorldGeom& a, const WorldGeom& b, double margin, Manifold& m);

// Exact, in sphere.cpp: one contact.
void collide_sphere_sphere(const WorldGeom& a, const WorldGeom& b, double margin, Manifold& m);
void collide_sphere_box(const WorldGeom& a, const WorldGeom& b, double margin, Manifold& m);
void collide_sphere_capsule(const WorldGeom& a, const WorldGeom& b, double margin, Manifold& m);
void collide_sphere_cylinder(const WorldGeom& a, const WorldGeom& b, double margin, Manifold& m);
void collide_sphere_cone(const WorldGeom& a, const WorldGeom& b, double margin, Manifold& m);
void collide_sphere_ellipsoid(const WorldGeom& a, const WorldGeom& b, double margin, Manifold& m);
void collide_sphere_hull(const WorldGeom& a, const WorldGeom& b, double margin, Manifold& m);

// Exact, in capsule.cpp: one contact, or two where the axis runs along a face, an edge or another
// axis.
void collide_capsule_capsule(const WorldGeom& a, const WorldGeom& b, double margin, Manifold& m);
void collide_capsule_box(const WorldGeom& a, const WorldGeom& b, double margin, Manifold& m);

// In box_box.cpp: separating axes, then the full face polygon or the exact pair of points of two
// edges.
void collide_box_box(const WorldGeom& a, const WorldGeom& b, double margin, Manifold& m);

// In surface_pairs.cpp: A against B's triangles, solid below them or behind them.
[[nodiscard]] PairFunction surface_function(ShapeKind a, ShapeKind b);

// In convex.cpp: any two convex shapes; Bullet's normal, our manifold.
void collide_convex_convex(const WorldGeom& a, const WorldGeom& b, double margin, Manifold& m);

// In rounded.cpp: what the cores of rounded boxes do, less the radii.
void collide_rounded_box_plane(const WorldGeom& a, const WorldGeom& b, double margin, Manifold& m);
void collide_sphere_rounded_box(const WorldGeom& a, const WorldGeom& b, double margin, Manifold& m);
void collide_capsule_rounded_box(const WorldGeom& a, const WorldGeom& b, double margin,
                                 Manifold& m);
void collide_rounded_convex(const WorldGeom& a, const WorldGeom& b, double margin, Manifold& m);

// What to call for a pair: `function(first, second)`, with the roles exchanged when `swapped`.
struct PairDispatch {
    PairFunction function = nullptr;
    bool swapped = false;
};
[[nodiscard]] PairDispatch dispatch(ShapeKind a, ShapeKind b);

}  // namespace stiction
