// pick_test.cpp - rays against shapes, each against a march along the ray that only knows whether a
// point is inside.
#include "view/input/pick.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <variant>

namespace stiction {
namespace {

struct Inside {
    Vec3 p;

    bool operator()(const Plane& /*plane*/) const { return p.z() <= 0; }
    bool operator()(const Sphere& s) const { return p.norm() <= s.radius; }
    bool operator()(const Box& b) const { return (p.cwiseAbs() - b.half).maxCoeff() <= 0; }
    bool operator()(const Capsule& c) const {
        const Vec3 axis(0, 0, std::clamp(p.z(), -c.half_length, c.half_length));
        return (p - axis).norm() <= c.radius;
    }
    bool operator()(const Cylinder& c) const {
        return std::abs(p.z()) <= c.half_length && p.head<2>().norm() <= c.radius;
    }
    bool operator()(const Hull& h) const {
        for (const Hull::Face& face : h.faces) {
            if (face.normal.dot(p) > face.offset) return false;
        }
        return true;
    }
    // Ground made of triangles has its own test of rays (tests/collide).
    bool operator()(const Heightfield& /*field*/) const { return false; }
    bool operator()(const TriangleMesh& /*mesh*/) const { return false; }
};

bool inside(const Shape& shape, const Vec3& p) { return std::visit(Inside{p}, shape); }

// First point of the march that is inside; negative where there is none.
double march(const Shape& shape, const Ray& ray, double step, double end) {
    for (double t = 0; t < end; t += step) {
        if (inside(shape, ray.origin + t * ray.direction)) return t;
    }
    return -1;
}

std::vector<Shape> all_shapes() {
    const Hull wedge = make_hull({{-0.3, -0.4, -0.2},
                                  {0.4, -0.4, -0.2},
                                  {-0.3, 0.3, -0.2},
                                  {0.4, 0.3, -0.2},
                                  {0, -0.4, 0.5},
                                  {0.1, 0.3, 0.5}});
    return {Plane{},           Sphere{0.5},        Box{{0.2, 0.4, 0.6}},
            Capsule{0.2, 0.4}, Cylinder{0.3, 0.4}, wedge};
}

Vec3 random_direction(std::mt19937& random) {
    std::normal_distribution<double> normal;
    return Vec3(normal(random), normal(random), normal(random)).normalized();
}

TEST(RayHit, AgreesWithAMarchForEveryShape) {
    constexpr double kStep = 1e-3;
    std::mt19937 random(1);
    std::uniform_real_distribution<double> unit(-1, 1);
    for (const Shape& shape : all_shapes()) {
        SCOPED_TRACE(name(shape));
        int hits = 0;
        int misses = 0;
        for (int i = 0; i < 300; ++i) {
            Ray ray;
            ray.origin = 2 * random_direction(random);
            if (ray.origin.z() < 0 && std::holds_alternative<Plane>(shape)) ray.origin *= -1;
            const Vec3 aim = 0.7 * Vec3(unit(random), unit(random), unit(random));
            ray.direction = (aim - ray.origin).normalized();
            const std::optional<double> t = ray_hit(shape, ray);
            const double found = march(shape, ray, kStep, 8);
            if (found >= 0) {
                ++hits;
                ASSERT_TRUE(t) << ray.origin.transpose() << " along " << ray.direction.transpose();
                EXPECT_LE(*t, found + 1e-12);
                EXPECT_GE(*t, found - 1.001 * kStep);
            } else if (t) {  // the march stepped over a sliver
                const Vec3 behind = ray.origin + (*t + 1e-9) * ray.direction;
                const Vec3 beyond = ray.origin + (*t + kStep) * ray.direction;
                EXPECT_TRUE(*t > 7.9 || inside(shape, behind));
                EXPECT_TRUE(*t > 7.9 || !inside(shape, beyond));
            } else {
                ++misses;
            }
        }
        EXPECT_GT(hits, 50);
        EXPECT_TRUE(misses > 20 || std::holds_alternative<Plane>(shape)) << misses;
    }
}

TEST(RayHit, ClosedForms) {
    const Ray down{{0, 0, 2}, -Vec3::UnitZ()};
    EXPECT_NEAR(*ray_hit(Plane{}, down), 2, 1e-15);
    EXPECT_NEAR(*ray_hit(Sphere{0.5}, down), 1.5, 1e-15);
    EXPECT_NEAR(*ray_hit(Box{{0.2, 0.4, 0.6}}, down), 1.4, 1e-15);
    EXPECT_NEAR(*ray_hit(Capsule{0.2, 0.4}, down), 1.4, 1e-15);   // along its axis
    EXPECT_NEAR(*ray_hit(Cylinder{0.3, 0.4}, down), 1.6, 1e-15);  // along its axis
    const Ray across{{-2, 0, 0.1}, Vec3::UnitX()};
    EXPECT_NEAR(*ray_hit(Capsule{0.2, 0.4}, across), 1.8, 1e-15);
    EXPECT_NEAR(*ray_hit(Cylinder{0.3, 0.4}, across), 1.7, 1e-15);
    EXPECT_FALSE(ray_hit(Plane{}, across));
}

TEST(RayHit, NothingBehindTheOriginAndNothingFromInside) {
    for (const Shape& shape : all_shapes()) {
        SCOPED_TRACE(name(shape));
        const Ray away{{0, 0, 2}, Vec3::UnitZ()};
        EXPECT_FALSE(ray_hit(shape, away));
        if (!std::holds_alternative<Plane>(shape)) {
            const Ray from_inside{{0.01, 0.02, 0.03}, Vec3(1, 2, 3).normalized()};
            EXPECT_FALSE(ray_hit(shape, from_inside));
        }
    }
    EXPECT_FALSE(ray_hit(Plane{}, {{0, 0, -1}, Vec3::UnitZ()}));  // from below
}

// Two balls in a row along x, one of them made of two shapes, and a ground below.
struct ShapeRow {
    Model model;
    State state;

    ShapeRow() {
        add(Plane{}, {0, 0, -1}, BodyKind::kStatic);
        add(Sphere{0.2}, {0, 0, 0}, BodyKind::kDynamic);
        add(Box{{0.2, 0.2, 0.2}}, {1, 0, 0}, BodyKind::kDynamic);
        Geom arm;
        arm.body = 2;
        arm.shape = Sphere{0.1};
        arm.pose_BG.p = {0, 0, 1};
        model.geoms.push_back(arm);
        state.pose[2].q = Quat(Eigen::AngleAxisd(0.5, Vec3::UnitX()));
    }
    void add(const Shape& shape, const Vec3& p, BodyKind kind) {
        Body body;
        body.kind = kind;
        model.bodies.push_back(body);
        Geom geom;
        geom.body = static_cast<int>(model.bodies.size()) - 1;
        geom.shape = shape;
        model.geoms.push_back(geom);
        state.pose.push_back({p, Quat::Identity()});
    }
};

TEST(Pick, TheNearestBody) {
    const ShapeRow row;
    const auto first = pick(row.model, row.state, {{-3, 0, 0}, Vec3::UnitX()});
    ASSERT_TRUE(first);
    EXPECT_EQ(first->body, 1);
    EXPECT_NEAR(first->distance, 2.8, 1e-12);
    EXPECT_LT((first->point - Vec3(-0.2, 0, 0)).norm(), 1e-12);
    const auto from_the_other_side = pick(row.model, row.state, {{3, 0, 0}, -Vec3::UnitX()});
    ASSERT_TRUE(from_the_other_side);
    EXPECT_EQ(from_the_other_side->body, 2);
    EXPECT_NEAR(from_the_other_side->distance, 1.8, 1e-12);
}

TEST(Pick, AShapeThatIsTurnedWithItsBody) {
    const ShapeRow row;
    const Vec3 arm = row.state.pose[2] * Vec3(0, 0, 1);
    const auto picked = pick(row.model, row.state, {arm - 2 * Vec3::UnitX(), Vec3::UnitX()});
    ASSERT_TRUE(picked);
    EXPECT_EQ(picked->body, 2);
    EXPECT_NEAR(picked->distance, 1.9, 1e-12);
}

TEST(Pick, TheGroundOnlyWhereNoBodyIsHit) {
    const ShapeRow row;
    const Ray at_ground{{0, -2, 0.5}, Vec3(0, 0, -1)};
    EXPECT_EQ(pick(row.model, row.state, at_ground)->body, 0);
    // Through the ground at a body that has sunk in: the body.
    ShapeRow sunk;
    sunk.state.pose[1].p.z() = -3;
    const auto picked = pick(sunk.model, sunk.state, {{0, 0, 2}, -Vec3::UnitZ()});
    EXPECT_EQ(picked->body, 1);
    EXPECT_FALSE(pick(row.model, row.state, {{0, 0, 3}, Vec3::UnitZ()}));
}

TEST(PickContact, TheOneSeenNearest) {
    OrbitCamera camera;
    std::vector<ShownContact> contacts(3);
    contacts[0].point = {0.1, 0, 0};
    contacts[1].point = {0, 0.1, 0.05};
    contacts[2].point = camera.eye() + (camera.eye() - camera.target);  // behind
    for (int i = 0; i < 2; ++i) {
        const Vec3 seen = camera.project(contacts[at(i)].point, 800, 600);
        EXPECT_EQ(pick_contact(contacts, camera, seen.x() + 2, seen.y() - 2, 800, 600, 9), i);
        EXPECT_EQ(pick_contact(contacts, camera, seen.x() + 400, seen.y(), 800, 600, 9), kNone);
    }
    EXPECT_EQ(pick_contact({contacts[2]}, camera, 400, 300, 800, 600, 9), kNone);
}

}  // namespace
}  // namespace stiction
