// sphere.cpp - a sphere against every other solid: the point of the other shape nearest to the
// centre. All exact. The single contact of a pair keeps feature 0, wherever on the other shape it
// is.
#include <algorithm>
#include <cmath>
#include <limits>

#include "collide/coincident.h"
#include "collide/cone.h"
#include "collide/pairs.h"
#include "collide/segment.h"
#include "collide/support_polish.h"

namespace stiction {
namespace {

// A sphere whose centre is `distance` away from B's surface (negative: inside) in direction n.
void add_centre(const WorldGeom& sphere, const Vec3& n, double distance, double margin,
                Manifold& m) {
    const double phi = distance - sphere.radius;
    if (phi <= margin) m.add_on_A(sphere.p - sphere.radius * n, n, phi, 0);
}

// B is a ball of `radius` around `centre`; fallback() is the normal where the centres coincide.
template <typename Fallback>
void add_ball(const WorldGeom& sphere, const Vec3& centre, double radius, const Fallback& fallback,
              double margin, Manifold& m) {
    const Vec3 d = sphere.p - centre;
    const double d2 = d.squaredNorm(), reach = sphere.radius + radius + margin;
    if (d2 > reach * reach) return;
    const double distance = std::sqrt(d2);
    const bool apart = distance > kCoincident * (sphere.radius + radius);
    add_centre(sphere, apart ? Vec3(d / distance) : fallback(), distance - radius, margin, m);
}

// Nearest point to x on a convex polygon, given x's foot on the polygon's plane is wanted or a
// point of an edge.
Vec3 nearest_on_face(const Hull& hull, const Hull::Face& face, const Vec3& x) {
    const Vec3 foot = x - (face.normal.dot(x) - face.offset) * face.normal;
    Vec3 best = foot;
    double best_d2 = std::numeric_limits<double>::infinity();
    bool inside = true;
    const std::size_t n = face.vertices.size();
    for (std::size_t i = 0; i < n; ++i) {
        const Vec3& v = hull.vertices[at(face.vertices[i])];
        const Vec3& w = hull.vertices[at(face.vertices[(i + 1) % n])];
        const Vec3 edge = w - v;
        if (edge.cross(face.normal).dot(foot - v) <= 0) continue;
        inside = false;
        const double t = std::clamp(edge.dot(x - v) / edge.squaredNorm(), 0.0, 1.0);
        const Vec3 candidate = v + t * edge;
        const double d2 = (x - candidate).squaredNorm();
        if (d2 < best_d2) {
            best = candidate;
            best_d2 = d2;
        }
    }
    return inside ? foot : best;
}

}  // namespace

void collide_sphere_sphere(const WorldGeom& a, const WorldGeom& b, double margin, Manifold& m) {
    add_ball(
        a, b.p, b.radius, [&] { return parting(a, b); }, margin, m);
}

void collide_sphere_capsule(const WorldGeom& a, const WorldGeom& b, double margin, Manifold& m) {
    const Segment core{b.p, b.axis(), b.length};
    const auto aside = [&] { return parting_across(a, b, b.axis(), b.R.col(0)); };
    add_ball(a, core.at(core.nearest(a.p)), b.radius, aside, margin, m);
}

void collide_sphere_box(const WorldGeom& a, const WorldGeom& b, double margin, Manifold& m) {
    const Vec3 c = b.R.transpose() * (a.p - b.p);
    const Vec3 beyond = c - c.cwiseMin(b.half).cwiseMax(-b.half);
    const double d2 = beyond.squaredNorm(), reach = a.radius + margin;
    if (d2 > reach * reach) return;
    const double tiny = kCoincident * b.size;
    if (d2 > tiny * tiny) {
        const double distance = std::sqrt(d2);
        add_centre(a, b.R * (beyond / distance), distance, margin, m);
        return;
    }
    int k = 0;  // inside: out through the nearest face
    const double height = (c.cwiseAbs() - b.half).maxCoeff(&k);
    add_centre(a, std::copysign(1.0, c[k]) * b.R.col(k), height, margin, m);
}

void collide_sphere_cylinder(const WorldGeom& a, const WorldGeom& b, double margin, Manifold& m) {
    const Vec3 c = b.R.transpose() * (a.p - b.p);
    const double rho = std::hypot(c.x(), c.y());
    const Vec3 radial = rho > kCoincident * b.radius
                            ? Vec3(c.x() / rho, c.y() / rho, 0)
                            : Vec3(b.R.transpose() * parting_across(a, b, b.axis(), b.R.col(0)));
    const Vec3 axial(0, 0, std::copysign(1.0, c.z()));
    const double out = rho - b.radius, up = std::abs(c.z()) - b.length;
    if (out <= 0 || up <= 0) {  // nearest to the cap, to the side, or inside
        const bool side = out > up;
        add_centre(a, b.R * (side ? radial : axial), std::max(out, up), margin, m);
        return;
    }
    const double distance = std::hypot(out, up);
    add_centre(a, b.R * ((out * radial + up * axial) / distance), distance, margin, m);
}

void collide_sphere_cone(const WorldGeom& a, const WorldGeom& b, double margin, Manifold& m) {
    const Vec3 c = b.R.transpose() * (a.p - b.p);
    const double rho = std::hypot(c.x(), c.y());
    const Vec3 radial = rho > kCoincident * b.radius
                            ? Vec3(c.x() / rho, c.y() / rho, 0)
                            : Vec3(b.R.transpose() * parting_across(a, b, b.axis(), b.R.col(0)));
    const RevolvedDistance d = cone_distance(b.radius, b.length, rho, c.z());
    const Vec3 n = b.R * Vec3(d.radial * radial.x(), d.radial * radial.y(), d.axial);
    add_centre(a, n, d.distance, margin, m);
}

// The direction out of the surface through the centre that is similar to B; inside, where there may
// be several ways out, also that of every axis.
void collide_sphere_ellipsoid(const WorldGeom& a, const WorldGeom& b, double margin, Manifold& m) {
    const Vec3 c = b.R.transpose() * (a.p - b.p);
    const Vec3 relative = c.cwiseQuotient(b.half);
    const double size = b.half.minCoeff();
    SupportFeature centre;
    centre.centre = a.p;
    centre.rounding = a.radius;
    const SupportFeature surface = ellipsoid_feature(b);
    NearestPoints best{Vec3::UnitZ(), a.p, b.p, -std::numeric_limits<double>::infinity()};
    const auto try_from = [&](const Vec3& n_B) {
        NearestPoints found = best;
        found.n = b.R * n_B.normalized();
        if (settle(centre, surface, size, found) && found.phi > best.phi) best = found;
    };
    if (relative.norm() > kCoincident) try_from(relative.cwiseQuotient(b.half));
    if (relative.squaredNorm() < 1) {
        for (int k = 0; k < 3; ++k) try_from(std::copysign(1.0, c[k]) * Vec3::Unit(k));
    }
    if (std::isfinite(best.phi) && best.phi <= margin) m.add_on_A(best.p_A, best.n, best.phi, 0);
}

void collide_sphere_hull(const WorldGeom& a, const WorldGeom& b, double margin, Manifold& m) {
    const Hull& hull = *b.hull;
    const Vec3 c = b.R.transpose() * (a.p - b.p);
    double height = -std::numeric_limits<double>::infinity();
    const Hull::Face* nearest_face = nullptr;
    for (const Hull::Face& face : hull.faces) {
        const double z = face.normal.dot(c) - face.offset;
        if (z > height) {
            height = z;
            nearest_face = &face;
        }
    }
    if (height > a.radius + margin) return;
    if (height <= kCoincident * b.size) {
        add_centre(a, b.R * nearest_face->normal, height, margin, m);
        return;
    }
    Vec3 nearest = Vec3::Zero();
    double best_d2 = std::numeric_limits<double>::infinity();
    for (const Hull::Face& face : hull.faces) {
        const double z = face.normal.dot(c) - face.offset;
        if (z <= 0 || z * z >= best_d2) continue;
        const Vec3 candidate = nearest_on_face(hull, face, c);
        const double d2 = (c - candidate).squaredNorm();
        if (d2 < best_d2) {
            nearest = candidate;
            best_d2 = d2;
        }
    }
    const double distance = std::sqrt(best_d2);
    add_centre(a, b.R * ((c - nearest) / distance), distance, margin, m);
}

}  // namespace stiction
