// Mass properties, bounds and hulls against closed forms and against one another.
#include "model/shape.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>

#include "core/error.h"
#include "core/random.h"

namespace stiction {
namespace {

constexpr double kPi = std::numbers::pi;

std::vector<Vec3> box_corners(const Vec3& half) {
    std::vector<Vec3> points;
    for (int i = 0; i < 8; ++i)
        points.emplace_back((i & 1) != 0 ? half.x() : -half.x(),
                            (i & 2) != 0 ? half.y() : -half.y(),
                            (i & 4) != 0 ? half.z() : -half.z());
    return points;
}

// Every edge belongs to two faces, in opposite directions; V - E + F = 2; every face looks away
// from the inside.
void expect_closed(const Hull& hull) {
    std::map<std::pair<int, int>, int> edges;
    Vec3 inside = Vec3::Zero();
    for (const Vec3& v : hull.vertices) inside += v / static_cast<double>(hull.vertices.size());
    for (const Hull::Face& face : hull.faces) {
        ASSERT_GE(face.vertices.size(), 3U);
        ASSERT_NEAR(face.normal.norm(), 1, 1e-14);
        ASSERT_LT(face.normal.dot(inside), face.offset);
        for (std::size_t i = 0; i < face.vertices.size(); ++i)
            ++edges[{face.vertices[i], face.vertices[(i + 1) % face.vertices.size()]}];
    }
    for (const auto& [edge, count] : edges) {
        ASSERT_EQ(count, 1);
        ASSERT_TRUE(edges.contains({edge.second, edge.first}));
    }
    EXPECT_EQ(hull.vertices.size() + hull.faces.size(), 2 + edges.size() / 2);
}

double largest_height(const Hull& hull, const std::vector<Vec3>& points) {
    double z = -1e300;
    for (const Hull::Face& face : hull.faces) {
        for (const Vec3& p : points) z = std::max(z, face.normal.dot(p) - face.offset);
    }
    return z;
}

TEST(Solid, RoundShapesHaveTextbookInertia) {
    const double r = 0.3, l = 0.5;
    const SolidProperties sphere = solid_properties(Sphere{r});
    EXPECT_NEAR(sphere.volume, 4.0 / 3.0 * kPi * r * r * r, 1e-15);
    EXPECT_NEAR(sphere.inertia(0, 0), 0.4 * sphere.volume * r * r, 1e-15);

    const SolidProperties cylinder = solid_properties(Cylinder{r, l});
    EXPECT_NEAR(cylinder.volume, kPi * r * r * 2 * l, 1e-15);
    EXPECT_NEAR(cylinder.inertia(2, 2), 0.5 * cylinder.volume * r * r, 1e-15);
    EXPECT_NEAR(cylinder.inertia(0, 0), cylinder.volume * (3 * r * r + 4 * l * l) / 12, 1e-15);
    EXPECT_EQ(solid_properties(Plane{}).volume, 0);
}

TEST(Solid, ConeAndEllipsoidHaveTextbookInertia) {
    const double r = 0.3, h = 0.8;
    const SolidProperties cone = solid_properties(Cone{r, h / 2});
    EXPECT_NEAR(cone.volume, kPi * r * r * h / 3, 1e-15);
    EXPECT_NEAR(cone.centroid.z(), -h / 4, 1e-15);
    EXPECT_NEAR(cone.inertia(2, 2), 0.3 * cone.volume * r * r, 1e-15);
    EXPECT_NEAR(cone.inertia(0, 0), 3.0 / 80 * cone.volume * (4 * r * r + h * h), 1e-15);

    const Vec3 a(0.2, 0.3, 0.5);
    const SolidProperties ellipsoid = solid_properties(Ellipsoid{a});
    EXPECT_NEAR(ellipsoid.volume, 4.0 / 3.0 * kPi * a.prod(), 1e-15);
    EXPECT_NEAR(ellipsoid.inertia(0, 0), 0.2 * ellipsoid.volume * (0.09 + 0.25), 1e-15);
    EXPECT_NEAR(ellipsoid.inertia(2, 2), 0.2 * ellipsoid.volume * (0.04 + 0.09), 1e-15);
}

// Strips of slices, an independent route; without rounding and with all of it what is known.
TEST(Solid, ARoundedBoxEqualsTheSumOfItsStrips) {
    const RoundedBox box{{0.5, 0.4, 0.3}, 0.1};
    const Vec3 core = box.core();
    const int n = 1000;
    double volume = 0;
    Vec3 square = Vec3::Zero();
    for (int i = 0; i < n; ++i) {
        const double dz = 2 * box.half.z() / n, z = -box.half.z() + (i + 0.5) * dz;
        const double up = std::max(0.0, std::abs(z) - core.z());
        const double radius = std::sqrt(box.radius * box.radius - up * up);
        for (int j = 0; j < n; ++j) {
            const double width = core.x() + radius, dx = 2 * width / n, x = -width + (j + 0.5) * dx;
            const double out = std::max(0.0, std::abs(x) - core.x());
            const double y = core.y() + std::sqrt(radius * radius - out * out);
            const double strip = 2 * y * dx * dz;
            volume += strip;
            square += strip * Vec3(x * x, y * y / 3, z * z);
        }
    }
    const SolidProperties solid = solid_properties(box);
    EXPECT_NEAR(solid.volume, volume, 1e-4 * volume);
    const double sum = square.sum();
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(solid.inertia(k, k), sum - square[k], 1e-4 * sum);

    const SolidProperties ball = solid_properties(RoundedBox{{0.1, 0.1, 0.1}, 0.1});
    EXPECT_NEAR(ball.volume, solid_properties(Sphere{0.1}).volume, 1e-16);
    EXPECT_NEAR(ball.inertia(1, 1), solid_properties(Sphere{0.1}).inertia(1, 1), 1e-17);
    const SolidProperties bar = solid_properties(RoundedBox{{0.1, 0.1, 0.4}, 0.1});
    const SolidProperties capsule = solid_properties(Capsule{0.1, 0.3});
    EXPECT_NEAR(bar.volume, capsule.volume, 1e-16);
    EXPECT_NEAR(bar.inertia(0, 0), capsule.inertia(0, 0), 1e-16);
    EXPECT_NEAR(bar.inertia(2, 2), capsule.inertia(2, 2), 1e-16);
}

// Integrated over slices of the capsule, an independent route.
TEST(Solid, CapsuleEqualsTheSumOfItsSlices) {
    const double r = 0.2, l = 0.3;
    const int n = 200000;
    double volume = 0, izz = 0, ixx = 0;
    for (int i = 0; i < n; ++i) {
        const double dz = 2 * (l + r) / n, z = -(l + r) + (i + 0.5) * dz;
        const double beyond = std::max(0.0, std::abs(z) - l), rho2 = r * r - beyond * beyond;
        const double slice = kPi * rho2 * dz;
        volume += slice;
        izz += slice * rho2 / 2;
        ixx += slice * (rho2 / 4 + z * z);
    }
    const SolidProperties capsule = solid_properties(Capsule{r, l});
    EXPECT_NEAR(capsule.volume, volume, 1e-9);
    EXPECT_NEAR(capsule.inertia(2, 2), izz, 1e-9);
    EXPECT_NEAR(capsule.inertia(0, 0), ixx, 1e-9);
}

TEST(Solid, HullOfABoxEqualsTheBox) {
    const Vec3 half(0.3, 0.2, 0.7), shift(1, -2, 3);
    std::vector<Vec3> points = box_corners(half);
    for (Vec3& p : points) p += shift;
    const Hull hull = make_hull(points);
    EXPECT_EQ(hull.vertices.size(), 8U);
    ASSERT_EQ(hull.faces.size(), 6U);
    for (const Hull::Face& face : hull.faces) EXPECT_EQ(face.vertices.size(), 4U);
    expect_closed(hull);
    const SolidProperties h = solid_properties(hull), b = solid_properties(Box{half});
    EXPECT_NEAR(h.volume, b.volume, 1e-14);
    EXPECT_LT((h.centroid - shift).norm(), 1e-14);
    EXPECT_LT((h.inertia - b.inertia).norm(), 1e-14);
}

TEST(Solid, BoundingRadius) {
    EXPECT_DOUBLE_EQ(bounding_radius(Sphere{2}), 2);
    EXPECT_DOUBLE_EQ(bounding_radius(Box{{1, 2, 2}}), 3);
    EXPECT_DOUBLE_EQ(bounding_radius(Capsule{1, 2}), 3);
    EXPECT_DOUBLE_EQ(bounding_radius(Cylinder{3, 4}), 5);
    EXPECT_DOUBLE_EQ(bounding_radius(make_hull(box_corners({1, 2, 2}))), 3);
    EXPECT_TRUE(std::isinf(bounding_radius(Plane{})));
}

// A box whose faces and edges carry many further points, in any order, is still six quadrilaterals.
TEST(Hull, PointsOnFacesAndEdgesAreMergedAway) {
    Random random(3);
    std::vector<Vec3> points;
    const int n = 5;
    for (int i = 0; i <= n; ++i) {
        for (int j = 0; j <= n; ++j) {
            for (int k = 0; k <= n; ++k) points.emplace_back(0.1 * i, 0.2 * j, 0.07 * k);
        }
    }
    const Quat turn = Quat(0.3, -0.2, 0.8, 0.5).normalized();
    for (int trial = 0; trial < 20; ++trial) {
        for (std::size_t i = points.size() - 1; i > 0; --i)
            std::swap(points[i], points[random.bits() % (i + 1)]);
        std::vector<Vec3> turned;
        for (const Vec3& p : points) turned.push_back(turn * p);
        const Hull hull = make_hull(turned);
        EXPECT_EQ(hull.vertices.size(), 8U);
        EXPECT_EQ(hull.faces.size(), 6U);
        expect_closed(hull);
        EXPECT_NEAR(solid_properties(hull).volume, 0.5 * 1.0 * 0.35, 1e-12);
    }
}

TEST(Hull, RandomPointsLieInsideAClosedSurface) {
    Random random(4);
    for (int trial = 0; trial < 50; ++trial) {
        std::vector<Vec3> points;
        const int n = 4 + static_cast<int>(random.bits() % 200);
        const double flat = trial % 2 == 0 ? 1.0 : 1e-3;
        for (int i = 0; i < n; ++i)
            points.emplace_back(random.uniform(-1, 1), random.uniform(-1, 1),
                                flat * random.uniform(-1, 1));
        const Hull hull = make_hull(points);
        expect_closed(hull);
        EXPECT_LT(largest_height(hull, points), 1e-8) << n << " points";
    }
}

TEST(Hull, ASphereOfPointsApproachesTheSphere) {
    std::vector<Vec3> points;
    const int n = 2000;
    for (int i = 0; i < n; ++i) {
        const double z = -1 + (2 * i + 1.0) / n, angle = 2.399963 * i, rho = std::sqrt(1 - z * z);
        points.emplace_back(rho * std::cos(angle), rho * std::sin(angle), z);
    }
    const Hull hull = make_hull(points);
    expect_closed(hull);
    EXPECT_EQ(hull.vertices.size(), points.size());
    const SolidProperties h = solid_properties(hull), s = solid_properties(Sphere{1});
    EXPECT_NEAR(h.volume / s.volume, 1, 5e-3);
    EXPECT_NEAR(h.inertia(0, 0) / s.inertia(0, 0), 1, 1e-2);
}

TEST(Hull, PointsWithoutVolumeAreRefused) {
    EXPECT_THROW(static_cast<void>(make_hull({})), InputError);
    EXPECT_THROW(static_cast<void>(make_hull(std::vector<Vec3>(10, Vec3(1, 2, 3)))), InputError);
    std::vector<Vec3> line, plane;
    for (int i = 0; i < 10; ++i) {
        line.emplace_back(0.1 * i, 0.2 * i, -0.3 * i);
        plane.emplace_back(std::cos(i), std::sin(i), 2 * std::cos(i) - std::sin(i));
    }
    EXPECT_THROW(static_cast<void>(make_hull(line)), InputError);
    EXPECT_THROW(static_cast<void>(make_hull(plane)), InputError);
    line[3].x() = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(static_cast<void>(make_hull(line)), InputError);
}

}  // namespace
}  // namespace stiction
