// heightfield_test.cpp - shapes on ground of triangles, against closed forms and brute force.
#include "allocation_count.h"
#include "collide/ground_checks.h"

namespace stiction {
namespace {

const double kSlopes[][2] = {{0, 0}, {0.3, 0}, {0, -0.5}, {0.2, 0.7}};

Vec3 normal_of(const double (&slope)[2]) { return Vec3(-slope[0], -slope[1], 1).normalized(); }

constexpr int kShapes = 8;
Shape shape_number(int i) {
    switch (i) {
        case 0:
            return Sphere{0.04};
        case 1:
            return Capsule{0.03, 0.05};
        case 2:
            return Box{{0.03, 0.04, 0.05}};
        case 3:
            return Cylinder{0.03, 0.05};
        case 4:
            return Cone{0.03, 0.05};
        case 5:
            return Ellipsoid{{0.03, 0.04, 0.05}};
        case 6:
            return RoundedBox{{0.03, 0.04, 0.05}, 0.01};
        default:
            return random_hull(7, 14, 0.05);
    }
}

// The contacts a tilted Plane gives, with the same normals, gaps and points; in any order.
void expect_as_on_plane(const std::vector<Contact>& found, std::vector<Contact> plane,
                        const std::string& what) {
    EXPECT_EQ(found.size(), plane.size()) << what;
    for (const Contact& c : found) {
        const auto same = std::find_if(plane.begin(), plane.end(), [&](const Contact& p) {
            return (p.p_A - c.p_A).norm() < 1e-12 && std::abs(p.phi - c.phi) < 1e-12 &&
                   (p.n - c.n).norm() < 1e-11;
        });
        ASSERT_NE(same, plane.end()) << what << ": phi " << c.phi << ", n " << c.n.transpose();
        plane.erase(same);
    }
}

// A plane cut into triangles is that plane, wherever the edges run below the shape: no normal but
// the plane's, no contact more or less. Poses at the grid's own vertices are among them.
TEST(Heightfield, APlaneOfTrianglesIsAPlane) {
    Random random(11);
    for (const auto& slope : kSlopes) {
        const Vec3 n = normal_of(slope);
        const Heightfield field = sloped_field(2, 51, slope[0], slope[1]);
        for (const Shape& ground : {Shape(field), Shape(as_mesh(field))}) {
            for (int trial = 0; trial < 800; ++trial) {
                const Shape shape = shape_number(trial % kShapes);
                const bool on_vertex = trial % 7 == 0;
                const double x = on_vertex ? 0.04 * (trial % 11) : random.uniform(-0.8, 0.8);
                const double y = on_vertex ? 0.04 * (trial % 3) : random.uniform(-0.8, 0.8);
                const Quat q =
                    on_vertex ? Quat::FromTwoVectors(Vec3::UnitZ(), n) : random_rotation(random);
                const Vec3 base(x, y, slope[0] * x + slope[1] * y);
                const double low = -n.dot(support_point(shape, {Vec3::Zero(), q}, -n));
                const Vec3 p = base + (low + random.uniform(-2e-3, 2e-3)) * n;
                World triangles, plane;
                triangles.add(ground, Vec3::Zero(), Quat::Identity(), BodyKind::kStatic);
                plane.add(Plane{}, Vec3::Zero(), Quat::FromTwoVectors(Vec3::UnitZ(), n),
                          BodyKind::kStatic);
                triangles.add(shape, p, q);
                plane.add(shape, p, q);
                expect_as_on_plane(triangles.collide(1e-3), plane.collide(1e-3),
                                   std::string(name(ground)) + " " + std::string(name(shape)) +
                                       " trial " + std::to_string(trial));
                if (HasFatalFailure()) return;
            }
        }
    }
}

// Ground that turns with its body: the same plane, reached by a rotation.
TEST(Heightfield, MovesWithItsBody) {
    Random random(3);
    for (int trial = 0; trial < 50; ++trial) {
        const Quat q = random_rotation(random);
        const Vec3 p = random_vector(random, 1);
        World world;
        world.add(sloped_field(2, 21, 0, 0), p, q, BodyKind::kKinematic);
        const Vec3 up = q * Vec3::UnitZ();
        world.add(Sphere{0.1}, p + q * Vec3(0.33, -0.21, 0) + 0.0995 * up);
        const std::vector<Contact> contacts = world.collide(1e-3);
        ASSERT_EQ(contacts.size(), 1U);
        EXPECT_NEAR(contacts[0].phi, -5e-4, 1e-13);
        EXPECT_LT((contacts[0].n - up).norm(), 1e-12);
    }
}

// Feet of 1 cm on a square metre of 250 x 250 heights with bumps of a centimetre: the gap of the
// deepest contact is the distance to all 124002 triangles less the radius, and where that is within
// the look-ahead there is a contact.
TEST(Heightfield, MissesNoFootOnBumps) {
    const Heightfield field = bumpy_field(1, 250, {0.01, 0.05, 5});
    const HeightGrid& grid = *field.grid;
    World world;
    world.add(field, Vec3::Zero(), Quat::Identity(), BodyKind::kStatic);
    world.add(Sphere{0.01}, Vec3::Zero());
    Narrowphase narrowphase(world.model, {2e-3});
    ContactSet set;
    Random random(8);
    int touching = 0, several = 0;
    double worst = 0;
    for (int trial = 0; trial < 100; ++trial) {
        const double x = random.uniform(-0.48, 0.48), y = random.uniform(-0.48, 0.48);
        const Vec3 c(x, y, grid.height(x, y) + random.uniform(0.002, 0.014));
        const double gap = distance_to_all(grid, c) - 0.01;
        world.state.pose[1].p = c;
        narrowphase.collide(world.model, world.state, 0, set);
        if (gap > 2e-3) {
            EXPECT_TRUE(set.contacts.empty());
            continue;
        }
        ++touching;
        ASSERT_FALSE(set.contacts.empty()) << "missed at " << c.transpose() << ", gap " << gap;
        several += set.contacts.size() > 1;
        worst = std::max(worst, std::abs(deepest(set.contacts)->phi - gap));
        for (const Contact& contact : set.contacts) {
            EXPECT_NEAR(contact.n.norm(), 1, 1e-12);
            EXPECT_GT(contact.n.z(), 0.3);
            EXPECT_GE(contact.phi, gap - 1e-12);
        }
    }
    std::printf("100 feet, %d touching, %d with several contacts, worst gap error %.1e m\n",
                touching, several, worst);
    EXPECT_GT(touching, 50);
    EXPECT_LT(worst, 1e-13);
}

// What is below the surface is pushed up, however deep.
TEST(Heightfield, PushesUpWhatIsBelow) {
    const Heightfield field = bumpy_field(1, 100, {0.03, 0.2, 2});
    Random random(4);
    for (const double depth : {0.001, 0.01, 0.05, 0.15}) {
        for (int trial = 0; trial < 30; ++trial) {
            const double x = random.uniform(-0.4, 0.4), y = random.uniform(-0.4, 0.4);
            World world;
            world.add(field, Vec3::Zero(), Quat::Identity(), BodyKind::kStatic);
            world.add(Sphere{0.01}, {x, y, field.grid->height(x, y) - depth});
            const std::vector<Contact> contacts = world.collide(1e-3);
            ASSERT_FALSE(contacts.empty()) << depth;
            for (const Contact& c : contacts) EXPECT_GT(c.n.z(), 0.2) << depth;
            EXPECT_LT(deepest(contacts)->phi, -0.01 - 0.5 * depth);
        }
    }
}

// A roof of two slopes: a ball on it has the ridge's normal, one in the valley two contacts, those
// of the slopes, at the height of the closed form.
TEST(Heightfield, RidgeGivesOneContactAndValleyTwo) {
    const double slope = 0.5, r = 0.05;
    const auto roof = [&](double sign) {
        std::vector<double> heights;
        for (int j = 0; j < 21; ++j) {
            for (int i = 0; i < 21; ++i) heights.push_back(sign * slope * std::abs(0.1 * i - 1));
        }
        return Heightfield{std::make_shared<const HeightGrid>(2.0, 2.0, 21, 21, heights)};
    };
    World ridge;
    ridge.add(roof(-1), Vec3::Zero(), Quat::Identity(), BodyKind::kStatic);
    ridge.add(Sphere{r}, {0.01, 0.123, r * std::sqrt(1 - 0.04) + 1e-4});
    const std::vector<Contact> top = ridge.collide(1e-3);
    ASSERT_EQ(top.size(), 1U);
    EXPECT_LT((top[0].p_B - Vec3(0, 0.123, 0)).norm(), 1e-12);
    EXPECT_LT((top[0].n - (ridge.state.pose[1].p - top[0].p_B).normalized()).norm(), 1e-12);

    World valley;
    valley.add(roof(1), Vec3::Zero(), Quat::Identity(), BodyKind::kStatic);
    const double cosine = 1 / std::hypot(1, slope);
    valley.add(Sphere{r}, {0, 0.123, r / cosine});
    const std::vector<Contact> bottom = valley.collide(1e-3);
    ASSERT_EQ(bottom.size(), 2U);
    for (const Contact& c : bottom) {
        EXPECT_NEAR(c.phi, 0, 1e-14);
        EXPECT_NEAR(std::abs(c.n.x()), slope * cosine, 1e-12);
        EXPECT_NEAR(c.n.z(), cosine, 1e-12);
    }
    EXPECT_NEAR(bottom[0].n.x(), -bottom[1].n.x(), 1e-12);
}

// A capsule and a box across a ridge: one contact in the middle of the capsule, and where the
// box's edges cross the ridge.
TEST(Heightfield, LinesAndFacesAcrossARidge) {
    std::vector<double> heights;
    for (int j = 0; j < 21; ++j) {
        for (int i = 0; i < 21; ++i) heights.push_back(-0.5 * std::abs(0.1 * i - 1));
    }
    const Heightfield roof{std::make_shared<const HeightGrid>(2.0, 2.0, 21, 21, heights)};
    World capsule;
    capsule.add(roof, Vec3::Zero(), Quat::Identity(), BodyKind::kStatic);
    capsule.add(Capsule{0.03, 0.1}, {0.02, 0.03, 0.0301}, about(Vec3::UnitY(), M_PI / 2));
    const std::vector<Contact> middle = capsule.collide(1e-3);
    ASSERT_EQ(middle.size(), 1U);
    EXPECT_NEAR(middle[0].phi, 1e-4, 1e-13);
    EXPECT_LT((middle[0].p_B - Vec3(0, 0.03, 0)).norm(), 1e-12);

    World box;
    box.add(roof, Vec3::Zero(), Quat::Identity(), BodyKind::kStatic);
    box.add(Box{{0.1, 0.07, 0.05}}, {0.02, 0.03, 0.0499});
    const std::vector<Contact> crossed = box.collide(1e-3);
    ASSERT_EQ(crossed.size(), 2U);
    for (const Contact& c : crossed) {
        EXPECT_NEAR(c.phi, -1e-4, 1e-13);
        EXPECT_LT((c.n - Vec3::UnitZ()).norm(), 1e-12);
        EXPECT_NEAR(std::abs(c.p_B.y() - 0.03), 0.07, 1e-12);
    }
}

// Feature ids: a resting ball keeps its own when the last digits change; two in a valley keep
// theirs; a ball that rolls over a flat part has one id throughout. Ids of a pair are unique.
TEST(Heightfield, FeatureIdsAreStable) {
    const Heightfield field = bumpy_field(1, 250, {0.01, 0.05, 5});
    Random random(21);
    for (int trial = 0; trial < 100; ++trial) {
        const double x = random.uniform(-0.4, 0.4), y = random.uniform(-0.4, 0.4);
        World world;
        world.add(field, Vec3::Zero(), Quat::Identity(), BodyKind::kStatic);
        const Shape shape = shape_number(trial % kShapes);
        const Quat q = random_rotation(random);
        const double low = -support_point(shape, {Vec3::Zero(), q}, -Vec3::UnitZ()).z();
        world.add(shape, {x, y, field.grid->height(x, y) + low}, q);
        const std::vector<Contact> first = world.collide(2e-3);
        world.state.pose[1].p += 1e-12 * random_direction(random);
        const std::vector<Contact> second = world.collide(2e-3);
        ASSERT_EQ(first.size(), second.size()) << trial;
        for (std::size_t i = 0; i < first.size(); ++i) {
            EXPECT_EQ(first[i].feature, second[i].feature);
            if (i > 0) {
                EXPECT_LT(first[i - 1].feature, first[i].feature);
            }
            EXPECT_LT((first[i].n - second[i].n).norm(), 1e-6);
        }
    }
    World flat;
    flat.add(sloped_field(1, 101, 0.1, 0.2), Vec3::Zero(), Quat::Identity(), BodyKind::kStatic);
    flat.add(Sphere{0.02}, Vec3::Zero());
    for (int i = 0; i < 500; ++i) {
        const double x = 1e-3 * i - 0.25;
        flat.state.pose[1].p = Vec3(x, 0, 0.1 * x) + 0.02 * Vec3(-0.1, -0.2, 1).normalized();
        const std::vector<Contact> contacts = flat.collide(1e-3);
        ASSERT_EQ(contacts.size(), 1U);
        EXPECT_EQ(contacts[0].feature, 0U);
    }
}

// Beyond its border the ground ends.
TEST(Heightfield, EndsAtItsBorder) {
    World world;
    world.add(sloped_field(1, 11, 0, 0), Vec3::Zero(), Quat::Identity(), BodyKind::kStatic);
    world.add(Sphere{0.1}, {0.5 + 0.06, 0, 0.08});
    const std::vector<Contact> contacts = world.collide(1e-3);
    ASSERT_EQ(contacts.size(), 1U);
    EXPECT_NEAR(contacts[0].phi, 0, 1e-13);  // 0.06, 0.08, 0.1
    EXPECT_LT((contacts[0].n - Vec3(0.6, 0, 0.8)).norm(), 1e-12);
    world.state.pose[1].p = {0.61, 0, 0.05};
    EXPECT_TRUE(world.collide(1e-3).empty());
    world.state.pose[1].p = {0.55, 0, -0.05};
    EXPECT_TRUE(world.collide(1e-3).empty());
}

TEST(Heightfield, AWarmCallAllocatesNothing) {
    World world;
    world.add(bumpy_field(1, 100, {0.02, 0.1, 5}), Vec3::Zero(), Quat::Identity(),
              BodyKind::kStatic);
    Random random(5);
    for (int i = 0; i < 40; ++i) {
        world.add(shape_number(i % kShapes),
                  {random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3), random.uniform(0, 0.1)},
                  random_rotation(random));
    }
    Narrowphase narrowphase(world.model, {0.002});
    ContactSet set;
    State state = world.state;
    const auto round = [&] {
        const long before = allocation_count();
        std::size_t contacts = 0;
        for (int step = 0; step < 50; ++step) {
            for (std::size_t b = 1; b < state.pose.size(); ++b)
                state.pose[b].p = world.state.pose[b].p *
                                  (1 + 0.3 * std::sin(0.1 * step + static_cast<double>(b)));
            narrowphase.collide(world.model, state, 1e-3, set);
            contacts += set.contacts.size();
        }
        EXPECT_GT(contacts, 500U);
        return allocation_count() - before;
    };
    if (!kCountsAllocations) GTEST_SKIP() << "sanitizers bring their own malloc";
    EXPECT_GT(round(), 0);
    EXPECT_EQ(round(), 0);
}

TEST(Heightfield, RaysMeetItWhereItIs) {
    const Heightfield field = bumpy_field(1, 60, {0.05, 0.2, 9});
    const TriangleMesh mesh = as_mesh(field);
    Random random(2);
    int hits = 0;
    for (int trial = 0; trial < 500; ++trial) {
        const Vec3 o = random_vector(random, 0.8) + Vec3(0, 0, 0.9);
        const Vec3 d =
            (Vec3(random.uniform(-0.6, 0.6), random.uniform(-0.6, 0.6), 0) - o).normalized();
        double nearest = std::numeric_limits<double>::infinity();
        for (int t = 0; t < field.grid->triangles(); ++t) {
            if (const auto at = ray_meets(field.grid->triangle(t), o, d))
                nearest = std::min(nearest, *at);
        }
        const auto grid_hit = field.grid->ray_hit(o, d), mesh_hit = mesh.surface->ray_hit(o, d);
        ASSERT_EQ(grid_hit.has_value(), std::isfinite(nearest)) << trial;
        ASSERT_EQ(mesh_hit.has_value(), std::isfinite(nearest)) << trial;
        if (!grid_hit) continue;
        ++hits;
        EXPECT_NEAR(*grid_hit, nearest, 1e-12);
        EXPECT_NEAR(*mesh_hit, nearest, 1e-12);
    }
    EXPECT_GT(hits, 200);
}

}  // namespace
}  // namespace stiction
