// face.cpp - flat faces, side lines and corners of convex shapes.
#include "collide/face.h"

#include <cmath>

#include "collide/cone.h"
#include "collide/cylinder.h"

namespace stiction {
namespace {

constexpr int kRimPoints = 8;  // an octagon hides 8 % of the radius; as many contacts as are useful

Face box_face(const WorldGeom& g, const Vec3& d) {
    const Vec3 d_G = g.R.transpose() * d;
    int k = 0;
    d_G.cwiseAbs().maxCoeff(&k);
    const bool up = d_G[k] > 0;
    const Vec3 normal = up ? Vec3(g.R.col(k)) : Vec3(-g.R.col(k));
    return {normal, normal.dot(g.p) + g.half[k], static_cast<std::uint32_t>(2 * k + up), false};
}

Face hull_face(const WorldGeom& g, const Vec3& d) {
    const Vec3 d_G = g.R.transpose() * d;
    std::size_t best = 0;
    for (std::size_t i = 1; i < g.hull->faces.size(); ++i) {
        if (g.hull->faces[i].normal.dot(d_G) > g.hull->faces[best].normal.dot(d_G)) best = i;
    }
    const Hull::Face& face = g.hull->faces[best];
    const Vec3 normal = g.R * face.normal;
    return {normal, normal.dot(g.p) + face.offset, static_cast<std::uint32_t>(best), false};
}

void add_corner(const WorldGeom& g, const Vec3& x_G, Polygon& polygon) {
    if (polygon.count < kMaxPolygon) polygon.add(g.p + g.R * x_G);
}

}  // namespace

std::optional<Face> face_towards(const WorldGeom& g, const Vec3& d) {
    switch (g.kind) {
        case ShapeKind::kBox:
            return box_face(g, d);
        case ShapeKind::kHull:
            return hull_face(g, d);
        case ShapeKind::kCylinder: {
            const bool up = g.axis().dot(d) > 0;
            const Vec3 normal = up ? g.axis() : Vec3(-g.axis());
            return Face{normal, normal.dot(g.p) + g.length, up ? 1U : 0U, true};
        }
        case ShapeKind::kCone:
            return Face{-g.axis(), -g.axis().dot(g.end(-1)), 0, true};
        default:
            return std::nullopt;
    }
}

Polygon corners(const WorldGeom& g, const Face& face, const Vec3& d) {
    Polygon polygon;
    if (face.round) {
        const RimBasis rim = rim_basis(g, d);
        const Vec3 centre = g.end(face.id == 1 ? 1 : -1);
        for (int i = 0; i < kRimPoints; ++i) polygon.add(centre + rim_offset(rim, i, kRimPoints));
    } else if (g.kind == ShapeKind::kBox) {
        const int k = static_cast<int>(face.id / 2), k1 = (k + 1) % 3, k2 = (k + 2) % 3;
        const Vec3 centre = g.p + g.half[k] * face.normal;
        const Vec3 e1 = g.half[k1] * g.R.col(k1), e2 = g.half[k2] * g.R.col(k2);
        polygon.add(centre + e1 + e2);
        polygon.add(centre - e1 + e2);
        polygon.add(centre - e1 - e2);
        polygon.add(centre + e1 - e2);
    } else if (g.kind == ShapeKind::kHull) {
        const std::vector<int>& loop = g.hull->faces[face.id].vertices;
        const std::size_t n = loop.size(), kept = std::min<std::size_t>(n, kMaxPolygon);
        for (std::size_t i = 0; i < kept; ++i) {
            add_corner(g, g.hull->vertices[at(loop[i * n / kept])], polygon);
        }
    }
    return polygon;
}

Vec3 normal_across(const WorldGeom& g, const Face& face, int i) {
    if (g.kind == ShapeKind::kBox) {
        // Corners run (+, +), (-, +), (-, -), (+, -) along the two axes of the face.
        const int k = static_cast<int>(face.id / 2);
        const Vec3 axis = g.R.col((k + (i % 2 == 0 ? 2 : 1)) % 3);
        return i == 0 || i == 3 ? axis : Vec3(-axis);
    }
    const std::vector<Hull::Face>& faces = g.hull->faces;
    const std::vector<int>& loop = faces[face.id].vertices;
    const int from = loop[at(i)], to = loop[(at(i) + 1) % loop.size()];
    for (const Hull::Face& other : faces) {
        const std::size_t n = other.vertices.size();
        for (std::size_t k = 0; k < n; ++k) {
            if (other.vertices[k] == to && other.vertices[(k + 1) % n] == from)
                return g.R * other.normal;
        }
    }
    return face.normal;
}

Segment side_line(const WorldGeom& g, const Vec3& d) {
    if (g.kind == ShapeKind::kCone) return cone_side(g, d);
    const Vec3 out = g.kind == ShapeKind::kCylinder ? rim_basis(g, d).first : Vec3(g.radius * d);
    return {g.p + out, g.axis(), g.length};
}

Polygon support_corners(const WorldGeom& g, const Vec3& d, double tolerance) {
    Polygon polygon;
    const Vec3 d_G = g.R.transpose() * d;
    if (g.kind == ShapeKind::kCapsule) {
        const double difference = 2 * g.length * d_G.z();
        if (difference >= -tolerance) polygon.add(g.end(1));
        if (difference <= tolerance) polygon.add(g.end(-1));
    } else if (g.kind == ShapeKind::kBox) {
        const double furthest = d_G.cwiseAbs().dot(g.half);
        for (int i = 0; i < 8; ++i) {
            const Vec3 x((i & 1) != 0 ? g.half.x() : -g.half.x(),
                         (i & 2) != 0 ? g.half.y() : -g.half.y(),
                         (i & 4) != 0 ? g.half.z() : -g.half.z());
            if (d_G.dot(x) >= furthest - tolerance) add_corner(g, x, polygon);
        }
    } else if (g.kind == ShapeKind::kHull) {
        double furthest = d_G.dot(g.hull->vertices.front());
        for (const Vec3& v : g.hull->vertices) furthest = std::max(furthest, d_G.dot(v));
        for (const Vec3& v : g.hull->vertices) {
            if (d_G.dot(v) >= furthest - tolerance) add_corner(g, v, polygon);
        }
    }
    return polygon;
}

}  // namespace stiction
