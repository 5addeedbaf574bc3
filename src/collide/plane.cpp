// plane.cpp - shapes against a half space: gaps of vertices, of sphere centres, of points on a rim.
// All exact.
#include <cmath>

#include "collide/cylinder.h"
#include "collide/gjk.h"
#include "collide/pairs.h"

namespace stiction {
namespace {

void add_sphere(const Vec3& centre, double radius, const WorldGeom& plane, double margin,
                std::uint32_t feature, Manifold& m) {
    const Vec3 n = plane.axis();
    const double phi = n.dot(centre - plane.p) - radius;
    if (phi <= margin) m.add_on_A(centre - radius * n, n, phi, feature);
}

}  // namespace

void collide_sphere_plane(const WorldGeom& a, const WorldGeom& b, double margin, Manifold& m) {
    add_sphere(a.p, a.radius, b, margin, 0, m);
}

void collide_capsule_plane(const WorldGeom& a, const WorldGeom& b, double margin, Manifold& m) {
    add_sphere(a.end(-1), a.radius, b, margin, 0, m);
    add_sphere(a.end(1), a.radius, b, margin, 1, m);
}

void collide_box_plane(const WorldGeom& a, const WorldGeom& b, double margin, Manifold& m) {
    const Vec3 n = b.axis();
    const double centre = n.dot(a.p - b.p);
    const Vec3 along = (a.R.transpose() * n).cwiseProduct(a.half);
    if (centre - along.cwiseAbs().sum() > margin) return;
    const Mat3 edges = a.R * a.half.asDiagonal();
    for (std::uint32_t corner = 0; corner < 8; ++corner) {
        const Vec3 sign((corner & 1U) != 0 ? 1 : -1, (corner & 2U) != 0 ? 1 : -1,
                        (corner & 4U) != 0 ? 1 : -1);
        const double phi = centre + along.dot(sign);
        if (phi <= margin) m.add_on_A(a.p + edges * sign, n, phi, corner);
    }
}

// Both rims at the deepest direction and at the three a quarter turn apart: a standing cylinder has
// four contacts, a lying one two.
void collide_cylinder_plane(const WorldGeom& a, const WorldGeom& b, double margin, Manifold& m) {
    const Vec3 n = b.axis();
    const RimBasis rim = rim_basis(a, -n);
    for (std::uint32_t i = 0; i < 8; ++i) {
        const Vec3 p = a.end(i < 4 ? -1 : 1) + rim_offset(rim, static_cast<int>(i % 4), 4);
        const double phi = n.dot(p - b.p);
        if (phi <= margin) m.add_on_A(p, n, phi, i);
    }
}

// The rim as a cylinder's, and the apex: a cone has four contacts where it stands, two where it lies.
void collide_cone_plane(const WorldGeom& a, const WorldGeom& b, double margin, Manifold& m) {
    const Vec3 n = b.axis();
    const RimBasis rim = rim_basis(a, -n);
    for (std::uint32_t i = 0; i < 5; ++i) {
        const Vec3 p = i < 4 ? Vec3(a.end(-1) + rim_offset(rim, static_cast<int>(i), 4)) : a.end(1);
        const double phi = n.dot(p - b.p);
        if (phi <= margin) m.add_on_A(p, n, phi, i);
    }
}

void collide_ellipsoid_plane(const WorldGeom& a, const WorldGeom& b, double margin, Manifold& m) {
    const Vec3 n = b.axis();
    const Vec3 p = support(a, -n);
    const double phi = n.dot(p - b.p);
    if (phi <= margin) m.add_on_A(p, n, phi, 0);
}

void collide_hull_plane(const WorldGeom& a, const WorldGeom& b, double margin, Manifold& m) {
    const Vec3 n = b.axis();
    const Vec3 n_A = a.R.transpose() * n;
    const double centre = n.dot(a.p - b.p);
    std::uint32_t vertex = 0;
    for (const Vec3& v : a.hull->vertices) {
        const double phi = centre + n_A.dot(v);
        if (phi <= margin) m.add_on_A(a.p + a.R * v, n, phi, vertex);
        ++vertex;
    }
}

}  // namespace stiction
