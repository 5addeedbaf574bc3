// geometry.h - what a pair function sees: two shapes placed in the world; and what it makes: a
// manifold. Inside this folder only.
#pragma once

#include <array>
#include <cstdint>

#include "model/shape.h"

class btConvexShape;

namespace stiction {

// In the order of the alternatives of Shape.
enum class ShapeKind : std::uint8_t {
    kPlane,
    kSphere,
    kBox,
    kCapsule,
    kCylinder,
    kCone,
    kEllipsoid,
    kRoundedBox,
    kHull,
    kHeightfield,
    kMesh
};
inline constexpr int kShapeKinds = 11;

// A shape in the world. Round shapes have their axis along R's third column.
struct WorldGeom {
    Mat3 R = Mat3::Identity();  // R_WG
    Vec3 p = Vec3::Zero();      // origin of the shape's frame, world [m]
    Vec3 half = Vec3::Zero();   // box, ellipsoid: half extents; rounded box: those of its core [m]
    double radius = 0;          // sphere, capsule, cylinder, cone [m]
    double edge_radius = 0;     // rounded box [m]
    double length = 0;          // capsule, cylinder, cone: half length [m]
    double size = 0;            // box, hull: sum of half extents, to tell the larger of two [m]
    ShapeKind kind = ShapeKind::kPlane;
    int body = 0;  // whose it is
    const Hull* hull = nullptr;
    const HeightGrid* grid = nullptr;
    const MeshSurface* mesh = nullptr;
    const btConvexShape* bullet = nullptr;

    [[nodiscard]] Vec3 axis() const { return R.col(2); }
    [[nodiscard]] Vec3 end(double sign) const { return p + sign * length * R.col(2); }
    // To tell the larger of two, and what tolerances are relative to [m].
    [[nodiscard]] double extent() const {
        return kind == ShapeKind::kCapsule || kind == ShapeKind::kCylinder ||
                       kind == ShapeKind::kCone || kind == ShapeKind::kSphere
                   ? radius + length
                   : size;
    }
};

// p_A - p_B = phi n, with n from B into A.
struct ManifoldPoint {
    Vec3 p_A;
    Vec3 p_B;
    Vec3 n;
    double phi;             // [m]
    std::uint32_t feature;  // feature_id.h
};

// All contacts of one pair of shapes. Bounded; when it is full the shallowest point gives way.
struct Manifold {
    static constexpr int kCapacity = 64;  // two faces of kMaxPolygon corners clip to no more
    std::array<ManifoldPoint, kCapacity> points;
    int count = 0;

    // A slot for a point of gap phi; null when the manifold is full of deeper ones.
    ManifoldPoint* slot(double phi) {
        if (count < kCapacity) return &points[at(count++)];
        ManifoldPoint* shallowest = &points[0];
        for (ManifoldPoint& point : points) {
            if (point.phi > shallowest->phi) shallowest = &point;
        }
        return phi < shallowest->phi ? shallowest : nullptr;
    }
    // The point on A is given; the one on B follows.
    void add_on_A(const Vec3& p_A, const Vec3& n, double phi, std::uint32_t feature) {
        if (ManifoldPoint* s = slot(phi)) *s = {p_A, p_A - phi * n, n, phi, feature};
    }
    void add_on_B(const Vec3& p_B, const Vec3& n, double phi, std::uint32_t feature) {
        if (ManifoldPoint* s = slot(phi)) *s = {p_B + phi * n, p_B, n, phi, feature};
    }
};

// Exchanges the roles of A and B in the points from `first` on.
inline void swap_roles(Manifold& m, int first = 0) {
    for (int i = first; i < m.count; ++i) {
        ManifoldPoint& point = m.points[at(i)];
        point.p_A.swap(point.p_B);
        point.n = -point.n;
    }
}

// Adds the contacts of a and b whose gap is at most `margin`. Each function fixes which kinds a and
// b are.
using PairFunction = void (*)(const WorldGeom& a, const WorldGeom& b, double margin, Manifold& m);

}  // namespace stiction
