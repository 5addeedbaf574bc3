// orbit_camera.h - a camera that turns around a point, as mouse movements ask.
#pragma once

#include "core/types.h"
#include "draw/picture.h"
#include "scene/scene.h"

namespace stiction {

struct Ray {
    Vec3 origin = Vec3::Zero();      // world [m]
    Vec3 direction = Vec3::UnitX();  // unit
};

struct OrbitCamera {
    Vec3 target = Vec3::Zero();  // [m]
    double distance = 3;         // of the eye from it [m]
    double azimuth = 0;          // of the eye seen from the target, about z [rad]
    double elevation = 0.4;      // above the horizon [rad], short of the poles
    double field_of_view = 0.7;  // vertical [rad]
    double scene_radius = 1;     // sets the planes between which things are seen [m]

    [[nodiscard]] Vec3 eye() const;
    [[nodiscard]] Viewpoint viewpoint() const;

    // By mouse movement in pixels of a view of `height` pixels.
    void orbit(double dx, double dy, double height);
    void pan(double dx, double dy, double height);
    void zoom(double notches);
    // So that a ball is seen whole in a view of this shape (width / height).
    void frame(const Vec3& centre, double radius, double aspect);

    // Through a point of the view, x and y in pixels from its top left.
    [[nodiscard]] Ray ray(double x, double y, double width, double height) const;
    // Where a point is seen, in pixels; z is the distance along the line of sight (negative:
    // behind).
    [[nodiscard]] Vec3 project(const Vec3& point, double width, double height) const;
};

[[nodiscard]] OrbitCamera make_camera(const Camera& camera, double scene_radius);

}  // namespace stiction
