// orbit_camera_test.cpp - the camera's geometry.
#include "view/orbit_camera.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace stiction {
namespace {

constexpr double kWidth = 1000, kHeight = 700;

OrbitCamera random_camera(std::mt19937& random) {
    std::uniform_real_distribution<double> unit(-1, 1);
    OrbitCamera camera;
    camera.target = Vec3(unit(random), unit(random), unit(random));
    camera.distance = 2 + unit(random);
    camera.azimuth = std::numbers::pi * unit(random);
    camera.elevation = 1.4 * unit(random);
    camera.field_of_view = 0.7 + 0.3 * unit(random);
    return camera;
}

double distance_to(const Ray& ray, const Vec3& point) {
    return ray.direction.cross(point - ray.origin).norm();
}

TEST(OrbitCamera, ARayThroughAProjectedPointMeetsIt) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> unit(-1, 1);
    int seen = 0;
    for (int i = 0; i < 500; ++i) {
        const OrbitCamera camera = random_camera(random);
        const Vec3 point = camera.target + Vec3(unit(random), unit(random), unit(random));
        const Vec3 pixel = camera.project(point, kWidth, kHeight);
        if (pixel.z() <= 0.01) continue;
        ++seen;
        const Ray ray = camera.ray(pixel.x(), pixel.y(), kWidth, kHeight);
        EXPECT_NEAR(ray.direction.norm(), 1, 1e-12);
        EXPECT_EQ(ray.origin, camera.eye());
        EXPECT_LT(distance_to(ray, point), 1e-10);
        EXPECT_GT(ray.direction.dot(point - ray.origin), 0);
    }
    EXPECT_GT(seen, 400);
}

TEST(OrbitCamera, KnowsLeftFromRightAndUpFromDown) {
    OrbitCamera camera;
    camera.azimuth = -std::numbers::pi / 2;  // looks along +y from -y
    camera.elevation = 0;
    const Vec3 centre = camera.project(Vec3::Zero(), kWidth, kHeight);
    EXPECT_NEAR(centre.x(), kWidth / 2, 1e-9);
    EXPECT_NEAR(centre.y(), kHeight / 2, 1e-9);
    EXPECT_NEAR(centre.z(), camera.distance, 1e-12);
    EXPECT_GT(camera.project(Vec3::UnitX(), kWidth, kHeight).x(), kWidth / 2);
    EXPECT_LT(camera.project(Vec3::UnitZ(), kWidth, kHeight).y(), kHeight / 2);
    // The upper edge of the picture is half a field of view above the middle, at every width.
    const double edge = camera.distance * std::tan(camera.field_of_view / 2);
    EXPECT_NEAR(camera.project(edge * Vec3::UnitZ(), kWidth, kHeight).y(), 0, 1e-9);
    EXPECT_NEAR(camera.project(edge * Vec3::UnitZ(), 300, kHeight).y(), 0, 1e-9);
    EXPECT_LT(camera.project(-5 * Vec3::UnitY(), kWidth, kHeight).z(), 0);  // behind the eye
}

TEST(OrbitCamera, OrbitKeepsTargetAndDistance) {
    std::mt19937 random(2);
    for (int i = 0; i < 100; ++i) {
        OrbitCamera camera = random_camera(random);
        const OrbitCamera before = camera;
        camera.orbit(37, -21, kHeight);
        EXPECT_EQ(camera.target, before.target);
        EXPECT_NEAR((camera.eye() - camera.target).norm(), before.distance, 1e-12);
        camera.orbit(-37, 21, kHeight);
        EXPECT_LT((camera.eye() - before.eye()).norm(), 1e-12);
    }
}

TEST(OrbitCamera, StopsShortOfThePoles) {
    for (const double dy : {1e5, -1e5}) {
        OrbitCamera camera;
        camera.orbit(0, dy, kHeight);
        EXPECT_LT(std::abs(camera.elevation), std::numbers::pi / 2);
        EXPECT_EQ(std::signbit(camera.elevation), std::signbit(dy));
        const Ray ray = camera.ray(10, 20, kWidth, kHeight);
        EXPECT_TRUE(ray.direction.allFinite());
    }
}

// What is under the mouse, at the depth of the target, stays under it.
TEST(OrbitCamera, PanMovesTheSceneWithTheMouse) {
    std::mt19937 random(3);
    for (int i = 0; i < 100; ++i) {
        OrbitCamera camera = random_camera(random);
        const Vec3 point = camera.target;
        const Vec3 before = camera.project(point, kWidth, kHeight);
        camera.pan(40, -25, kHeight);
        const Vec3 after = camera.project(point, kWidth, kHeight);
        EXPECT_NEAR(after.x() - before.x(), 40, 1e-8);
        EXPECT_NEAR(after.y() - before.y(), -25, 1e-8);
        EXPECT_NEAR(after.z(), before.z(), 1e-10);
    }
}

TEST(OrbitCamera, ZoomChangesTheDistanceOnlyAndStaysInItsLimits) {
    OrbitCamera camera;
    const OrbitCamera before = camera;
    camera.zoom(2);
    EXPECT_LT(camera.distance, before.distance);
    camera.zoom(-2);
    EXPECT_NEAR(camera.distance, before.distance, 1e-12);
    EXPECT_EQ(camera.target, before.target);
    camera.zoom(1e4);
    EXPECT_GT(camera.distance, 0);
    camera.zoom(-1e4);
    EXPECT_TRUE(std::isfinite(camera.distance));
    EXPECT_LE(camera.distance, 1000 * camera.scene_radius);
}

TEST(OrbitCamera, FrameShowsTheWholeBall) {
    for (const double aspect : {0.4, 1.0, 2.2}) {
        OrbitCamera camera;
        const Vec3 centre(0.3, -0.2, 0.5);
        const double radius = 0.7;
        camera.frame(centre, radius, aspect);
        const double width = aspect * kHeight;
        // The rim seen from the eye lies inside the picture, and touches its narrow sides.
        const Vec3 forward = (centre - camera.eye()).normalized();
        const Vec3 right = forward.cross(Vec3::UnitZ()).normalized();
        const Vec3 up = right.cross(forward);
        const double d = camera.distance;
        const Vec3 rim = centre - radius * radius / d * forward;
        const double r = radius * std::sqrt(1 - radius * radius / (d * d));
        const double x = camera.project(rim + r * right, width, kHeight).x();
        const double y = camera.project(rim + r * up, width, kHeight).y();
        EXPECT_LE(x, width + 1e-6);
        EXPECT_GE(y, -1e-6);
        EXPECT_NEAR(std::max(x - width, -y), 0, 1e-6);
    }
}

TEST(OrbitCamera, StartsWhereTheSceneSays) {
    std::mt19937 random(4);
    std::uniform_real_distribution<double> unit(-1, 1);
    for (int i = 0; i < 100; ++i) {
        Camera wanted;
        wanted.target = Vec3(unit(random), unit(random), unit(random));
        wanted.eye = wanted.target + Vec3(2 * unit(random), 0.2 + unit(random), unit(random));
        const OrbitCamera camera = make_camera(wanted, 1);
        EXPECT_LT((camera.eye() - wanted.eye).norm(), 1e-12);
        EXPECT_EQ(camera.target, wanted.target);
        const Viewpoint view = camera.viewpoint();
        EXPECT_LT((view.eye.cast<double>() - wanted.eye).norm(), 1e-6);
        EXPECT_LT((view.target.cast<double>() - wanted.target).norm(), 1e-6);
        EXPECT_LT(view.near, camera.distance);
        EXPECT_GT(view.far, camera.distance + camera.scene_radius);
        EXPECT_GT(view.near, 0);
    }
}

// From straight above there is no unique "up"; the camera stands a hair aside.
TEST(OrbitCamera, FromStraightAbove) {
    Camera wanted;
    wanted.eye = {0, 0, 3};
    const OrbitCamera camera = make_camera(wanted, 1);
    EXPECT_LT((camera.eye() - wanted.eye).norm(), 0.05);
    EXPECT_TRUE(camera.ray(3, 4, kWidth, kHeight).direction.allFinite());
    EXPECT_NEAR(camera.project(Vec3::Zero(), kWidth, kHeight).x(), kWidth / 2, 1e-9);
}

}  // namespace
}  // namespace stiction
