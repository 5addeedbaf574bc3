// Bullet's narrowphase: it answers every pair, from the present poses alone, with gaps that can
// close and names that stay; exact where Bullet's own answer is (docs/collision.md has the rest).
#include <array>
#include <tuple>

#include "collide/geometry_checks.h"
#include "collide/ground_checks.h"

namespace stiction {
namespace bullet_narrowphase_test {
namespace {

constexpr NarrowphaseKind kBullet = NarrowphaseKind::kBullet;
constexpr double kNear = 0.01;  // gaps looked for [m]

std::vector<Shape> convex_shapes() {
    return {Sphere{0.1},
            Box{{0.1, 0.08, 0.12}},
            Capsule{0.06, 0.1},
            Cylinder{0.08, 0.1},
            cube_hull(0.1),
            Cone{0.08, 0.1},
            Ellipsoid{{0.1, 0.08, 0.12}},
            RoundedBox{{0.1, 0.08, 0.12}, 0.03}};
}

std::vector<Shape> grounds() {
    const Heightfield field = sloped_field(2, 21, 0, 0);
    return {Plane{}, field, as_mesh(field)};
}

// Height of a's origin above b's where they touch along z [m].
double touching(const Shape& a, const Shape& b) {
    return support_point(b, {}, {0, 0, 1}).z() - support_point(a, {}, {0, 0, -1}).z();
}

ContactSet collide(const World& world, Narrowphase& narrowphase) {
    ContactSet set;
    narrowphase.collide(world.model, world.state, 0, set, kBullet);
    return set;
}

void expect_sound(const std::vector<Contact>& contacts) {
    for (const Contact& k : contacts) {
        EXPECT_LE(k.phi, kNear);
        EXPECT_NEAR(k.n.norm(), 1, 1e-12);
        EXPECT_LT((k.p_A - k.p_B - k.phi * k.n).norm(), 1e-12);
    }
}

TEST(BulletNarrowphase, AnswersEveryPairOfConvexShapes) {
    for (const Shape& a : convex_shapes()) {
        for (const Shape& b : convex_shapes()) {
            World world;
            world.add(b, Vec3::Zero());
            world.add(a, {0.003, 0.002, touching(a, b) - 0.01});
            Narrowphase narrowphase(world.model, {kNear});
            ContactSet set = collide(world, narrowphase);
            EXPECT_EQ(set.pairs, 1);
            EXPECT_EQ(set.bullet_pairs, 1) << name(a) << " on " << name(b);
            ASSERT_GE(set.contacts.size(), 1U) << name(a) << " on " << name(b);
            expect_sound(set.contacts);
            for (const Contact& k : set.contacts) {
                EXPECT_LT(k.phi, 0) << name(a) << " on " << name(b);
                EXPECT_GT(k.n.z(), 0.5) << name(a) << " on " << name(b);
            }
            narrowphase.collide(world.model, world.state, 0, set);
            EXPECT_EQ(set.bullet_pairs, 0) << "the exact narrowphase does not count as Bullet";
        }
    }
}

TEST(BulletNarrowphase, AnswersEveryShapeOnEveryGround) {
    for (const Shape& ground : grounds()) {
        for (const Shape& shape : convex_shapes()) {
            for (const double gap : {-0.004, 0.004}) {
                World world;
                world.add(ground, Vec3::Zero(), Quat::Identity(), BodyKind::kStatic);
                const double height = -support_point(shape, {}, {0, 0, -1}).z();
                world.add(shape, {0.013, 0.007, height + gap});
                Narrowphase narrowphase(world.model, {kNear});
                const ContactSet set = collide(world, narrowphase);
                EXPECT_EQ(set.bullet_pairs, 1);
                expect_sound(set.contacts);
                const Contact* lowest = deepest(set.contacts);
                ASSERT_NE(lowest, nullptr) << name(shape) << " on " << name(ground) << ' ' << gap;
                // EPA on triangles is the least exact of these; a plane is exact.
                EXPECT_NEAR(lowest->phi, gap, ground.index() == 0 ? 1e-14 : 1e-6)
                    << name(shape) << " on " << name(ground);
                EXPECT_GT(lowest->n.z(), 0.999) << name(shape) << " on " << name(ground);
            }
        }
    }
}

// Where Bullet has closed forms of its own: gaps of either sign to rounding.
TEST(BulletNarrowphase, IsExactOnSpheresPlanesCapsulesAndFacesOfBoxes) {
    for (const double gap : {-0.02, -1e-6, 1e-6, 0.009}) {
        const Vec3 d = Vec3(1, 2, -2) / 3;
        World spheres;
        spheres.add(Sphere{0.1}, Vec3::Zero());
        spheres.add(Sphere{0.2}, (0.3 + gap) * d);
        const auto one = spheres.collide(kNear, 0, kBullet);
        ASSERT_EQ(one.size(), 1U);
        EXPECT_NEAR(one[0].phi, gap, 1e-15);
        EXPECT_LT((one[0].n - d).norm(), 1e-14);

        World capsules;  // that cross
        capsules.add(Capsule{0.05, 0.2}, Vec3::Zero());
        capsules.add(Capsule{0.03, 0.2}, {0.08 + gap, 0, 0.05}, about({1, 0, 0}, 1));
        const auto crossed = capsules.collide(kNear, 0, kBullet);
        ASSERT_EQ(crossed.size(), 1U);
        EXPECT_NEAR(crossed[0].phi, gap, 1e-14);

        World box;
        box.add(Plane{}, Vec3::Zero(), Quat::Identity(), BodyKind::kStatic);
        box.add(Box{{0.1, 0.2, 0.3}}, {1, 2, 0.3 + gap});
        const auto corners = box.collide(kNear, 0, kBullet);
        ASSERT_EQ(corners.size(), 4U) << gap;
        for (const Contact& k : corners) EXPECT_NEAR(k.phi, gap, 1e-15);

        World boxes;  // face to face
        boxes.add(Box{{0.3, 0.3, 0.3}}, Vec3::Zero());
        boxes.add(Box{{0.1, 0.2, 0.3}}, {0.1, 0, 0.6 + gap});
        const auto face = boxes.collide(kNear, 0, kBullet);
        ASSERT_EQ(face.size(), 4U) << gap;
        for (const Contact& k : face) EXPECT_NEAR(k.phi, gap, 1e-14);
    }
}

// Far from the origin only the poses themselves lose digits.
TEST(BulletNarrowphase, IsAsExactFarFromTheOrigin) {
    const Vec3 far(1e5, -2e5, 3e5);
    for (const Vec3& centre : {Vec3(Vec3::Zero()), far}) {
        World world;
        world.add(cube_hull(0.1), centre);
        world.add(Cylinder{0.1, 0.125}, centre + Vec3(0, 0, 0.21875), about({1, 0, 0}, 0.3));
        const auto contacts = world.collide(kNear, 0, kBullet);
        const auto exact = world.collide(kNear);
        ASSERT_FALSE(contacts.empty());
        EXPECT_NEAR(deepest(contacts)->phi, deepest(exact)->phi, 1e-6);
    }
}

// The dispatcher keeps nothing: a detector that went through many other states, under either
// narrowphase, finds what a fresh one finds, in the same order and to the bit.
TEST(BulletNarrowphase, HistoryLeavesNoTrace) {
    Random random(11);
    World world;
    world.add(grounds()[2], Vec3::Zero(), Quat::Identity(), BodyKind::kStatic);
    for (int i = 0; i < 32; ++i) {
        const Vec3 p(random.uniform(-0.4, 0.4), random.uniform(-0.4, 0.4), random.uniform(0, 0.4));
        world.add(convex_shapes()[at(i % 8)], p, random_rotation(random));
    }
    const auto key = [](const Contact& k) {
        return std::tie(k.body_a, k.body_b, k.geom_a, k.geom_b, k.feature);
    };
    Narrowphase used(world.model, {kNear});
    State state = world.state;
    ContactSet set, fresh;
    for (int step = 0; step < 100; ++step) {
        for (std::size_t b = 1; b < state.pose.size(); ++b) {
            state.pose[b].p = world.state.pose[b].p + random_vector(random, 0.03);
            state.pose[b].q = (about(random_direction(random), 0.1) * state.pose[b].q).normalized();
        }
        if (step % 3 == 1) used.collide(world.model, state, 1e-3, set);
        used.collide(world.model, state, 1e-3, set, kBullet);
        Narrowphase(world.model, {kNear}).collide(world.model, state, 1e-3, fresh, kBullet);
        ASSERT_GT(set.contacts.size(), 10U);
        ASSERT_EQ(set.contacts.size(), fresh.contacts.size());
        for (std::size_t i = 0; i < set.contacts.size(); ++i) {
            const Contact &k = set.contacts[i], &l = fresh.contacts[i];
            ASSERT_EQ(key(k), key(l));
            ASSERT_TRUE(k.p_A == l.p_A && k.p_B == l.p_B && k.n == l.n && k.phi == l.phi);
            ASSERT_TRUE(i == 0 || key(set.contacts[i - 1]) < key(k)) << "order, or a name twice";
        }
    }
}

// A box turned on another one. Rounding decides which four of the points of two faces Bullet keeps;
// those that it keeps have the same names.
TEST(BulletNarrowphase, NamesStayWhereShapesStay) {
    Random random(12);
    for (const double turn : {0.0, 0.2, 0.7, -1.0}) {
        World world;
        world.add(Box{{0.2, 0.2, 0.1}}, Vec3::Zero(), Quat::Identity(), BodyKind::kStatic);
        if (turn >= 0) {
            world.add(Box{{0.1, 0.15, 0.1}}, {0.07, 0.04, 0.1999}, about({0, 0, 1}, turn));
        } else {  // a brick over the gap between two
            world.add(Box{{0.2, 0.2, 0.1}}, {0.2, 0, 0.1999});
        }
        const auto first = world.collide(kNear, 0, kBullet);
        EXPECT_EQ(first.size(), 4U);
        int same = 0;
        for (int i = 0; i < 200; ++i) {
            World moved = world;
            moved.state.pose[1].p += random_vector(random, 1e-9);
            moved.state.pose[1].q =
                (about(random_direction(random), 1e-9) * moved.state.pose[1].q).normalized();
            for (const Contact& k : moved.collide(kNear, 0, kBullet)) {
                for (const Contact& l : first) {
                    if ((k.p_A - l.p_A).norm() > 1e-6) continue;
                    EXPECT_EQ(k.feature, l.feature) << turn << ' ' << i;
                    ++same;
                }
            }
        }
        EXPECT_GT(same, 400) << turn;  // of 800
    }
}

// A ball that rolls over many triangles keeps the name of its contact, so its warm start.
TEST(BulletNarrowphase, ABallKeepsItsNameOverTriangles) {
    World world;
    world.add(grounds()[1], Vec3::Zero(), Quat::Identity(), BodyKind::kStatic);
    world.add(Sphere{0.1}, {0, 0, 0.0999});
    for (int i = 0; i < 100; ++i) {
        world.state.pose[1].p.x() = -0.5 + 0.0101 * i;
        const auto contacts = world.collide(1e-4, 0, kBullet);
        ASSERT_FALSE(contacts.empty()) << i;
        EXPECT_EQ(deepest(contacts)->feature & 0xFFFU, 0U) << i;
    }
}

// Gaps that can close within the step are found for every pair, boxes too, whose own algorithm in
// Bullet knows overlap only.
TEST(BulletNarrowphase, GapsThatCanCloseAreFound) {
    const double h = 0.01, speed = 3;
    for (const Shape& a : convex_shapes()) {
        for (const Shape& b : convex_shapes()) {
            World world;
            world.add(b, Vec3::Zero());
            world.add(a, {0.003, 0.002, touching(a, b) + 0.9 * h * speed});
            world.state.twist[1].v.z() = -speed;
            const auto contacts = world.collide(1e-3, h, kBullet);
            ASSERT_FALSE(contacts.empty()) << name(a) << " on " << name(b);
            // Round shapes off the axis by 4 mm are further apart, by up to 1.2e-4 m.
            EXPECT_NEAR(deepest(contacts)->phi, 0.9 * h * speed, 2e-4) << name(a) << name(b);
        }
    }
}

}  // namespace
}  // namespace bullet_narrowphase_test
}  // namespace stiction
