// orbit_camera.cpp - the geometry of orbiting, panning, zooming and looking through a pixel.
#include "view/orbit_camera.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stiction {

namespace {

constexpr double kPole = 0.01;      // left to straight up or down, where no side is up [rad]
constexpr double kZoomStep = 1.15;  // per notch of the wheel
constexpr double kClosest = 1e-3;   // of the scene's radius: one contact fills the view
constexpr double kFurthest = 100;   // of the scene's radius: the scene is a dot

// Right, up and forward of the camera, world.
struct Axes {
    Vec3 right, up, forward;
};

Axes axes(const OrbitCamera& camera) {
    const Vec3 forward = (camera.target - camera.eye()).normalized();
    const Vec3 right = forward.cross(Vec3::UnitZ()).normalized();
    return {right, right.cross(forward), forward};
}

}  // namespace

Vec3 OrbitCamera::eye() const {
    const double level = std::cos(elevation);
    return target + distance * Vec3(level * std::cos(azimuth), level * std::sin(azimuth),
                                    std::sin(elevation));
}

Viewpoint OrbitCamera::viewpoint() const {
    Viewpoint view;
    view.eye = eye().cast<float>();
    view.target = target.cast<float>();
    view.field_of_view = static_cast<float>(field_of_view);
    // The far plane holds the scene from outside and the ground from inside; the near one is as far
    // off as it can be, since the depth buffer has 24 bits.
    const double far = distance + std::max(20 * scene_radius, 2 * distance);
    view.far = static_cast<float>(far);
    view.near = static_cast<float>(std::max(0.02 * distance, 1e-4 * far));
    return view;
}

void OrbitCamera::orbit(double dx, double dy, double height) {
    azimuth -= std::numbers::pi * dx / height;
    const double most = std::numbers::pi / 2 - kPole;
    elevation = std::clamp(elevation + std::numbers::pi * dy / height, -most, most);
}

void OrbitCamera::pan(double dx, double dy, double height) {
    const Axes a = axes(*this);
    const double scale = 2 * distance * std::tan(field_of_view / 2) / height;  // [m] per pixel
    target += scale * (-dx * a.right + dy * a.up);
}

void OrbitCamera::zoom(double notches) {
    distance = std::clamp(distance * std::pow(kZoomStep, -notches), kClosest * scene_radius,
                          kFurthest * scene_radius);
}

void OrbitCamera::frame(const Vec3& centre, double radius, double aspect) {
    target = centre;
    const double half = field_of_view / 2;
    const double narrow = std::min(half, std::atan(std::tan(half) * aspect));
    distance = std::max(radius, kClosest * scene_radius) / std::sin(narrow);
}

Ray OrbitCamera::ray(double x, double y, double width, double height) const {
    const Axes a = axes(*this);
    const double slope = std::tan(field_of_view / 2);
    const double sx = (2 * x / width - 1) * slope * width / height;
    const double sy = (1 - 2 * y / height) * slope;
    return {eye(), (a.forward + sx * a.right + sy * a.up).normalized()};
}

Vec3 OrbitCamera::project(const Vec3& point, double width, double height) const {
    const Axes a = axes(*this);
    const Vec3 d = point - eye();
    const double depth = d.dot(a.forward);
    const double slope = std::tan(field_of_view / 2) * depth;
    const double sx = d.dot(a.right) / (slope * width / height);
    const double sy = d.dot(a.up) / slope;
    return {(sx + 1) * width / 2, (1 - sy) * height / 2, depth};
}

OrbitCamera make_camera(const Camera& camera, double scene_radius) {
    OrbitCamera orbit;
    const Vec3 d = camera.eye - camera.target;
    orbit.target = camera.target;
    orbit.distance = std::max(d.norm(), 1e-6);
    orbit.azimuth = std::atan2(d.y(), d.x());
    const double most = std::numbers::pi / 2 - kPole;
    orbit.elevation =
        std::clamp(std::asin(std::clamp(d.z() / orbit.distance, -1.0, 1.0)), -most, most);
    orbit.scene_radius = scene_radius;
    return orbit;
}

}  // namespace stiction
