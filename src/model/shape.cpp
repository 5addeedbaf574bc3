// shape.cpp - mass properties and bounds of the shapes, in closed form.
#include "model/shape.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "model/height_grid.h"
#include "model/mesh_surface.h"
#include "model/tetrahedra.h"

namespace stiction {
namespace {

constexpr double kPi = std::numbers::pi;

SolidProperties solid(const Plane&) { return {}; }
SolidProperties solid(const Heightfield&) { return {}; }
SolidProperties solid(const TriangleMesh&) { return {}; }

SolidProperties solid(const Sphere& s) {
    const double r = s.radius, volume = 4.0 / 3.0 * kPi * r * r * r;
    return {volume, Vec3::Zero(), Mat3::Identity() * (0.4 * volume * r * r)};
}

SolidProperties solid(const Box& box) {
    const Vec3 sq = box.half.cwiseAbs2();
    const double volume = 8 * box.half.prod();
    const Vec3 diagonal(sq.y() + sq.z(), sq.z() + sq.x(), sq.x() + sq.y());
    return {volume, Vec3::Zero(), Mat3((volume / 3 * diagonal).asDiagonal())};
}

SolidProperties solid(const Cylinder& c) {
    const double r2 = c.radius * c.radius, l2 = c.half_length * c.half_length;
    const double volume = 2 * kPi * r2 * c.half_length;
    const double across = volume * (r2 / 4 + l2 / 3);
    return {volume, Vec3::Zero(), Mat3(Vec3(across, across, volume * r2 / 2).asDiagonal())};
}

// A cylinder and two half balls whose centroids lie 3 r / 8 beyond the ends of the straight part.
SolidProperties solid(const Capsule& c) {
    const double r = c.radius, l = c.half_length;
    const SolidProperties tube = solid(Cylinder{r, l});
    const SolidProperties ball = solid(Sphere{r});
    SolidProperties s{tube.volume + ball.volume, Vec3::Zero(), tube.inertia + ball.inertia};
    const double shift = ball.volume * (l * l + 0.75 * l * r);
    s.inertia(0, 0) += shift;
    s.inertia(1, 1) += shift;
    return s;
}

// Its centroid is a quarter of the height above the base.
SolidProperties solid(const Cone& c) {
    const double r2 = c.radius * c.radius, l = c.half_length;
    const double volume = 2.0 / 3.0 * kPi * r2 * l;
    const double across = 0.15 * volume * (r2 + l * l);
    return {volume, Vec3(0, 0, -0.5 * l),
            Mat3(Vec3(across, across, 0.3 * volume * r2).asDiagonal())};
}

SolidProperties solid(const Ellipsoid& e) {
    const Vec3 sq = e.half.cwiseAbs2();
    const double volume = 4.0 / 3.0 * kPi * e.half.prod();
    const Vec3 diagonal(sq.y() + sq.z(), sq.z() + sq.x(), sq.x() + sq.y());
    return {volume, Vec3::Zero(), Mat3((0.2 * volume * diagonal).asDiagonal())};
}

// Integral of x^2 over a rounded box with core half extents a, b, c, part by part: the core and what
// lies over its faces, quarters of cylinders over the edges, octants of a ball over the corners.
double second_moment(double a, double b, double c, double r) {
    const double r2 = r * r, a2 = a * a;
    const double inside =
        8.0 / 3.0 * a2 * a * (b * c + r * (b + c)) + 2.0 / 3.0 * kPi * a2 * a * r2;
    const double face = 8.0 / 3.0 * b * c * ((a + r) * (a + r) * (a + r) - a2 * a);
    const double edge = 8 * (b + c) * r2 * (0.25 * kPi * a2 + 2.0 / 3.0 * a * r + kPi / 16 * r2);
    const double corner = 8 * kPi * r2 * r * (a2 / 6 + a * r / 8 + r2 / 30);
    return inside + face + edge + corner;
}

SolidProperties solid(const RoundedBox& box) {
    const Vec3 k = box.core();
    const double r = box.radius, a = k.x(), b = k.y(), c = k.z();
    const double volume = 8 * (a * b * c + r * (a * b + b * c + c * a)) +
                          2 * kPi * r * r * (a + b + c) + 4.0 / 3.0 * kPi * r * r * r;
    const Vec3 sq(second_moment(a, b, c, r), second_moment(b, c, a, r), second_moment(c, a, b, r));
    const Vec3 diagonal(sq.y() + sq.z(), sq.z() + sq.x(), sq.x() + sq.y());
    return {volume, Vec3::Zero(), Mat3(diagonal.asDiagonal())};
}

SolidProperties solid(const Hull& hull) {
    Vec3 origin = Vec3::Zero();
    for (const Vec3& v : hull.vertices) origin += v / static_cast<double>(hull.vertices.size());
    TetrahedronSum sum(origin);
    for (const Hull::Face& face : hull.faces) {
        const auto vertex = [&](std::size_t i) { return hull.vertices[at(face.vertices[i])]; };
        for (std::size_t i = 1; i + 1 < face.vertices.size(); ++i)
            sum.add(vertex(0), vertex(i), vertex(i + 1));
    }
    return sum.solid();
}

double radius(const Plane&) { return std::numeric_limits<double>::infinity(); }
double radius(const Sphere& s) { return s.radius; }
double radius(const Box& b) { return b.half.norm(); }
double radius(const Capsule& c) { return c.half_length + c.radius; }
double radius(const Cylinder& c) { return std::hypot(c.half_length, c.radius); }
double radius(const Cone& c) { return std::hypot(c.half_length, c.radius); }
double radius(const Ellipsoid& e) { return e.half.maxCoeff(); }
double radius(const RoundedBox& b) { return b.core().norm() + b.radius; }
double radius(const Hull& hull) {
    double r = 0;
    for (const Vec3& v : hull.vertices) r = std::max(r, v.norm());
    return r;
}

double radius(const Eigen::AlignedBox3d& box) {
    return box.min().cwiseAbs().cwiseMax(box.max().cwiseAbs()).norm();
}
double radius(const Heightfield& field) { return radius(field.grid->box()); }
double radius(const TriangleMesh& mesh) { return radius(mesh.surface->box()); }

}  // namespace

SolidProperties solid_properties(const Shape& shape) {
    return std::visit([](const auto& s) { return solid(s); }, shape);
}

double bounding_radius(const Shape& shape) {
    return std::visit([](const auto& s) { return radius(s); }, shape);
}

}  // namespace stiction
