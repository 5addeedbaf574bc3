// gjk.cpp - the only narrowphase code that calls Bullet.
//
// A direction n is a certificate: the gap along n is never more than the distance, and the distance
// is never more than that of any two points of the shapes. Where Bullet's answer does not meet both
// to kTrust of the size, other directions are tried and the one of largest gap wins.
#include "collide/gjk.h"

#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btConeShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "collide/bullet_ellipsoid.h"
#include "collide/cone.h"

namespace stiction {
namespace {

static_assert(sizeof(btScalar) == 8, "Bullet must be its double-precision build");

// Of the smaller shape's size: more than Bullet leaves where it ends well, which polish() takes
// out; less than where it fails.
constexpr double kTrust = 1e-3;

btVector3 to_bullet(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
Vec3 from_bullet(const btVector3& v) { return {v.x(), v.y(), v.z()}; }

// Relative to `origin`: far from the world's origin the differences would lose digits.
btTransform to_bullet(const WorldGeom& g, const Vec3& origin) {
    const Mat3& R = g.R;
    const btMatrix3x3 basis(R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1), R(1, 2), R(2, 0), R(2, 1),
                            R(2, 2));
    return btTransform(basis, to_bullet(g.p - origin));
}

struct MakeConvex {
    btConvexShape* operator()(const Plane&) const { return nullptr; }
    btConvexShape* operator()(const Heightfield&) const { return nullptr; }
    btConvexShape* operator()(const TriangleMesh&) const { return nullptr; }
    btConvexShape* operator()(const Sphere& s) const { return new btSphereShape(s.radius); }
    btConvexShape* operator()(const Box& b) const {
        btBoxShape* shape = new btBoxShape(to_bullet(b.half));
        shape->setMargin(0);
        return shape;
    }
    btConvexShape* operator()(const Capsule& c) const {
        return new btCapsuleShapeZ(c.radius, 2 * c.half_length);
    }
    btConvexShape* operator()(const Cylinder& c) const {
        btCylinderShape* shape = new btCylinderShapeZ(btVector3(c.radius, c.radius, c.half_length));
        shape->setMargin(0);
        return shape;
    }
    btConvexShape* operator()(const Cone& c) const {
        btConeShape* shape = new btConeShapeZ(c.radius, 2 * c.half_length);
        shape->setMargin(0);
        return shape;
    }
    btConvexShape* operator()(const Ellipsoid& e) const {
        return new BulletEllipsoid(to_bullet(e.half));
    }
    btConvexShape* operator()(const RoundedBox& b) const { return (*this)(Box{b.core()}); }
    btConvexShape* operator()(const Hull& hull) const {
        btConvexHullShape* shape = new btConvexHullShape();
        for (const Vec3& v : hull.vertices) shape->addPoint(to_bullet(v), false);
        shape->recalcLocalAabb();
        shape->setMargin(0);
        return shape;
    }
};

// Adopts n if its gap is the largest so far.
void consider(const WorldGeom& a, const WorldGeom& b, const Vec3& direction, NearestPoints& best) {
    const double length = direction.norm();
    if (!(length > 0)) return;
    const Vec3 n = direction / length;
    const double phi = gap_along(a, b, n);
    if (phi > best.phi) best = {n, support(a, -n), support(b, n), phi};
}

void consider_faces(const WorldGeom& a, const WorldGeom& b, const WorldGeom& faces, double sign,
                    NearestPoints& best) {
    if (faces.kind == ShapeKind::kHull) {
        for (const Hull::Face& face : faces.hull->faces)
            consider(a, b, sign * (faces.R * face.normal), best);
        return;
    }
    for (int k = 0; k < 3; ++k) {
        consider(a, b, faces.R.col(k), best);
        consider(a, b, -faces.R.col(k), best);
    }
}

}  // namespace

void ConvexDeleter::operator()(const btConvexShape* shape) const { delete shape; }

ConvexPtr make_convex(const Shape& shape) { return ConvexPtr(std::visit(MakeConvex{}, shape)); }

void check_bullet_build() {
    btBoxShape box(btVector3(1, 2, 3));
    box.setMargin(0);
    const btVector3 corner = box.localGetSupportingVertex(btVector3(1, 1, 1));
    if (corner.x() != 1 || corner.y() != 2 || corner.z() != 3) {
        throw std::runtime_error(
            "Bullet: headers and library disagree on the precision of numbers");
    }
}

Vec3 support(const WorldGeom& g, const Vec3& d) {
    const Vec3 d_G = g.R.transpose() * d;
    Vec3 x = Vec3::Zero();
    switch (g.kind) {
        case ShapeKind::kPlane:
        case ShapeKind::kHeightfield:
        case ShapeKind::kMesh:
            return g.p;
        case ShapeKind::kSphere:
            return g.p + g.radius * d.normalized();
        case ShapeKind::kBox:
            for (int k = 0; k < 3; ++k) x[k] = d_G[k] >= 0 ? g.half[k] : -g.half[k];
            break;
        case ShapeKind::kCapsule:
            return g.end(d_G.z() >= 0 ? 1 : -1) + g.radius * d.normalized();
        case ShapeKind::kCylinder: {
            const double across = std::hypot(d_G.x(), d_G.y());
            const double s = across > 0 ? g.radius / across : 0.0;
            x = {s * d_G.x(), s * d_G.y(), d_G.z() >= 0 ? g.length : -g.length};
            break;
        }
        case ShapeKind::kCone:
            x = cone_support(g, d_G);
            break;
        case ShapeKind::kEllipsoid: {
            const Vec3 y = g.half.cwiseProduct(d_G);
            x = g.half.cwiseProduct(y.normalized());
            break;
        }
        case ShapeKind::kRoundedBox:
            for (int k = 0; k < 3; ++k) x[k] = d_G[k] >= 0 ? g.half[k] : -g.half[k];
            x += g.edge_radius * d_G.normalized();
            break;
        case ShapeKind::kHull: {
            double furthest = -std::numeric_limits<double>::infinity();
            for (const Vec3& v : g.hull->vertices) {
                const double along = d_G.dot(v);
                if (along > furthest) {
                    furthest = along;
                    x = v;
                }
            }
            break;
        }
    }
    return g.p + g.R * x;
}

double gap_along(const WorldGeom& a, const WorldGeom& b, const Vec3& n) {
    return n.dot(support(a, -n) - support(b, n));
}

// The best face normal or so, then a pattern search around it whose pattern turns, because the gap has
// ridges.
NearestPoints search_directions(const WorldGeom& a, const WorldGeom& b, NearestPoints best) {
    constexpr int kDirections = 16;     // around n: 22 degrees apart, and turned in every round
    constexpr double kTurn = 2.399963;  // golden angle [rad]: no two rounds look the same way
    // [rad]: how far from the best normal to look at first, and when to end.
    constexpr double kFirstStep = 0.3, kLastStep = 1e-5;
    consider_faces(a, b, a, -1, best);
    consider_faces(a, b, b, 1, best);
    consider(a, b, a.p - b.p, best);
    double angle = 0;
    for (double step = kFirstStep; step > kLastStep;) {
        const Vec3 n = best.n;
        const Vec3 u = n.unitOrthogonal(), v = n.cross(u);
        for (int k = 0; k < kDirections; ++k) {
            const double at = angle + 2 * std::numbers::pi * k / kDirections;
            consider(a, b, n + step * (std::cos(at) * u + std::sin(at) * v), best);
        }
        if (best.n == n) step *= 0.8;
        angle += kTurn;
    }
    return best;
}

NearestPoints nearest_points(const WorldGeom& a, const WorldGeom& b) {
    btVoronoiSimplexSolver simplex;
    btGjkEpaPenetrationDepthSolver depth;
    btGjkPairDetector detector(a.bullet, b.bullet, &simplex, &depth);
    btGjkPairDetector::ClosestPointInput input;
    input.m_transformA = to_bullet(a, b.p);
    input.m_transformB = to_bullet(b, b.p);
    input.m_maximumDistanceSquared = std::numeric_limits<double>::max();
    btPointCollector found;
    detector.getClosestPoints(input, found, nullptr);

    NearestPoints best{Vec3::UnitZ(), a.p, b.p, -std::numeric_limits<double>::infinity()};
    bool trusted = false;
    const Vec3 n = from_bullet(found.m_normalOnBInWorld);
    if (found.m_hasResult && std::abs(n.norm() - 1) < kTrust) {
        const Vec3 p_B = b.p + from_bullet(found.m_pointInWorld);
        const Vec3 unit = n.normalized();
        best = {unit, p_B + found.m_distance * unit, p_B, gap_along(a, b, unit)};
        trusted =
            std::abs(found.m_distance - best.phi) <= kTrust * std::min(a.extent(), b.extent());
    }
    return trusted ? best : search_directions(a, b, best);
}

}  // namespace stiction
