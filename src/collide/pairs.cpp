// pairs.cpp - which pair of shapes is computed how (docs/collision.md).
#include "collide/pairs.h"

namespace stiction {
namespace {

PairFunction function_for(ShapeKind a, ShapeKind b) {
    using enum ShapeKind;
    if (b == kHeightfield || b == kMesh) return surface_function(a, b);
    if (b == kPlane) {
        switch (a) {
            case kSphere:
                return collide_sphere_plane;
            case kBox:
                return collide_box_plane;
            case kCapsule:
                return collide_capsule_plane;
            case kCylinder:
                return collide_cylinder_plane;
            case kCone:
                return collide_cone_plane;
            case kEllipsoid:
                return collide_ellipsoid_plane;
            case kRoundedBox:
                return collide_rounded_box_plane;
            case kHull:
                return collide_hull_plane;
            default:
                return nullptr;
        }
    }
    if (a == kSphere) {
        switch (b) {
            case kSphere:
                return collide_sphere_sphere;
            case kBox:
                return collide_sphere_box;
            case kCapsule:
                return collide_sphere_capsule;
            case kCylinder:
                return collide_sphere_cylinder;
            case kCone:
                return collide_sphere_cone;
            case kEllipsoid:
                return collide_sphere_ellipsoid;
            case kRoundedBox:
                return collide_sphere_rounded_box;
            case kHull:
                return collide_sphere_hull;
            default:
                return nullptr;
        }
    }
    if (a == kCapsule && b == kCapsule) return collide_capsule_capsule;
    if (a == kCapsule && b == kBox) return collide_capsule_box;
    if (a == kCapsule && b == kRoundedBox) return collide_capsule_rounded_box;
    if (a == kBox && b == kBox) return collide_box_box;
    return nullptr;
}

bool is_ground(ShapeKind kind) {
    using enum ShapeKind;
    return kind == kPlane || kind == kHeightfield || kind == kMesh;
}

}  // namespace

PairDispatch dispatch(ShapeKind a, ShapeKind b) {
    if (const PairFunction f = function_for(a, b)) return {f, false};
    if (const PairFunction f = function_for(b, a)) return {f, true};
    if (is_ground(a) || is_ground(b)) return {};
    if (a == ShapeKind::kRoundedBox || b == ShapeKind::kRoundedBox)
        return {collide_rounded_convex, false};
    return {collide_convex_convex, false};
}

}  // namespace stiction
