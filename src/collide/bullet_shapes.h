// bullet_shapes.h - the shapes of a model as Bullet's collision objects: margins 0, except that a
// sphere's and a capsule's are their radius.
#pragma once

#include <BulletCollision/CollisionDispatch/btCollisionObject.h>
#include <BulletCollision/CollisionShapes/btCollisionShape.h>
#include <BulletCollision/CollisionShapes/btTriangleIndexVertexArray.h>

#include <memory>
#include <vector>

#include "collide/geometry.h"

namespace stiction {

// A collision object with its shape and the arrays that Bullet's ground shapes refer to.
struct BulletObject {
    explicit BulletObject(const WorldGeom& geom);

    std::vector<double> heights;   // heightfield: along x first [m]
    std::vector<double> vertices;  // mesh: three numbers each [m]
    std::vector<int> indices;      // mesh: three per triangle
    std::unique_ptr<btTriangleIndexVertexArray> triangles;
    std::unique_ptr<btCollisionShape> shape;
    btCollisionObject object;

  private:
    void make_heightfield(const HeightGrid& grid);
    void make_mesh(const MeshSurface& mesh);
};

}  // namespace stiction
