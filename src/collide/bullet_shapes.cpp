// bullet_shapes.cpp - makes Bullet's shapes from ours.
#include "collide/bullet_shapes.h"

#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btBvhTriangleMeshShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btConeShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btHeightfieldTerrainShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletCollision/CollisionShapes/btStaticPlaneShape.h>

#include <cmath>

#include "collide/bullet_ellipsoid.h"
#include "model/height_grid.h"
#include "model/mesh_surface.h"

namespace stiction {
namespace {

std::unique_ptr<btCollisionShape> make_hull(const Hull& hull) {
    auto shape = std::make_unique<btConvexHullShape>();
    for (const Vec3& v : hull.vertices) shape->addPoint(btVector3(v.x(), v.y(), v.z()), false);
    shape->recalcLocalAabb();
    return shape;
}

// Bullet has none: the hull of the core's corners, which grows by its margin.
std::unique_ptr<btCollisionShape> make_rounded_box(const WorldGeom& g) {
    auto shape = std::make_unique<btConvexHullShape>();
    for (int i = 0; i < 8; ++i) {
        const Vec3 sign((i & 1) != 0 ? 1 : -1, (i & 2) != 0 ? 1 : -1, (i & 4) != 0 ? 1 : -1);
        const Vec3 v = g.half.cwiseProduct(sign);
        shape->addPoint(btVector3(v.x(), v.y(), v.z()), false);
    }
    shape->setMargin(g.edge_radius);
    shape->recalcLocalAabb();
    return shape;
}

// Null for ground of triangles.
std::unique_ptr<btCollisionShape> make_simple(const WorldGeom& g) {
    switch (g.kind) {
        case ShapeKind::kPlane:
            return std::make_unique<btStaticPlaneShape>(btVector3(0, 0, 1), 0);
        case ShapeKind::kSphere:
            return std::make_unique<btSphereShape>(g.radius);
        case ShapeKind::kBox:
            return std::make_unique<btBoxShape>(btVector3(g.half.x(), g.half.y(), g.half.z()));
        case ShapeKind::kCapsule:
            return std::make_unique<btCapsuleShapeZ>(g.radius, 2 * g.length);
        case ShapeKind::kCylinder:
            return std::make_unique<btCylinderShapeZ>(btVector3(g.radius, g.radius, g.length));
        case ShapeKind::kCone:
            return std::make_unique<btConeShapeZ>(g.radius, 2 * g.length);
        case ShapeKind::kEllipsoid:
            return std::make_unique<BulletEllipsoid>(btVector3(g.half.x(), g.half.y(), g.half.z()));
        case ShapeKind::kRoundedBox:
            return make_rounded_box(g);
        case ShapeKind::kHull:
            return make_hull(*g.hull);
        case ShapeKind::kHeightfield:
        case ShapeKind::kMesh:
            break;
    }
    return nullptr;
}

}  // namespace

BulletObject::BulletObject(const WorldGeom& geom) : shape(make_simple(geom)) {
    if (geom.grid != nullptr) make_heightfield(*geom.grid);
    if (geom.mesh != nullptr) make_mesh(*geom.mesh);
    const bool rounded = geom.kind == ShapeKind::kSphere || geom.kind == ShapeKind::kCapsule ||
                         geom.kind == ShapeKind::kRoundedBox;
    if (!rounded) shape->setMargin(0);
    object.setCollisionShape(shape.get());
}

// Bullet centres a field between its least and greatest height: limits of opposite sign leave z as
// it is. Flipped edges are those from the corner of smallest x and y, as ours.
void BulletObject::make_heightfield(const HeightGrid& grid) {
    constexpr int kUpIsZ = 2;
    double highest = 0;
    for (int i = 0; i < grid.nx() * grid.ny(); ++i) {
        heights.push_back(grid.vertex(i).z());
        highest = std::max(highest, std::abs(heights.back()));
    }
    const Vec3 size = grid.box().sizes();
    const double* data = heights.data();
    auto field = std::make_unique<btHeightfieldTerrainShape>(grid.nx(), grid.ny(), data, -highest,
                                                             highest, kUpIsZ, true);
    field->setLocalScaling(btVector3(size.x() / (grid.nx() - 1), size.y() / (grid.ny() - 1), 1));
    shape = std::move(field);
}

void BulletObject::make_mesh(const MeshSurface& mesh) {
    for (int i = 0; i < mesh.vertices(); ++i) {
        const Vec3 v = mesh.vertex(i);
        vertices.insert(vertices.end(), {v.x(), v.y(), v.z()});
    }
    for (int i = 0; i < mesh.triangles(); ++i) {
        for (const int corner : mesh.triangle(i).vertex) indices.push_back(corner);
    }
    triangles = std::make_unique<btTriangleIndexVertexArray>(
        mesh.triangles(), indices.data(), static_cast<int>(3 * sizeof(int)), mesh.vertices(),
        vertices.data(), static_cast<int>(3 * sizeof(double)));
    constexpr bool kCompressed =
        true;  // boxes of the tree, rounded outward: contacts do not change
    shape = std::make_unique<btBvhTriangleMeshShape>(triangles.get(), kCompressed);
}

}  // namespace stiction
