// bullet_ellipsoid.h - an ellipsoid for Bullet, which has none: a convex shape by its support points,
// of margin 0.
#pragma once

#include <BulletCollision/CollisionShapes/btConvexInternalShape.h>

namespace stiction {

class BulletEllipsoid final : public btConvexInternalShape {
  public:
    explicit BulletEllipsoid(const btVector3& half) : half_(half) {
        m_shapeType = CUSTOM_CONVEX_SHAPE_TYPE;
        m_collisionMargin = 0;
    }
    btVector3 localGetSupportingVertexWithoutMargin(const btVector3& d) const override {
        const btVector3 y = half_ * d;
        const btScalar length = y.length();
        return length > 0 ? half_ * (y / length) : btVector3(half_.x(), 0, 0);
    }
    btVector3 localGetSupportingVertex(const btVector3& d) const override {
        return localGetSupportingVertexWithoutMargin(d);
    }
    void batchedUnitVectorGetSupportingVertexWithoutMargin(const btVector3* d, btVector3* points,
                                                           int count) const override {
        for (int i = 0; i < count; ++i) points[i] = localGetSupportingVertexWithoutMargin(d[i]);
    }
    void calculateLocalInertia(btScalar /*mass*/, btVector3& inertia) const override {
        inertia.setZero();  // nothing of Bullet's dynamics is used
    }
    const char* getName() const override { return "ellipsoid"; }

  private:
    btVector3 half_;
};

}  // namespace stiction
