// Whole manifolds in the first call, and that they keep still while bodies move a little.
#include <numbers>

#include "collide/geometry_checks.h"

namespace stiction {
namespace {

constexpr double kSlack = 1e-3;  // [m]

void expect_all(const std::vector<Contact>& contacts, std::size_t count, double phi, const Vec3& n,
                double tolerance = 1e-14) {
    ASSERT_EQ(contacts.size(), count);
    for (const Contact& k : contacts) {
        EXPECT_NEAR(k.phi, phi, tolerance);
        EXPECT_LT((k.n - n).norm(), tolerance);
    }
}

TEST(Manifold, BoxOnPlaneHasItsFourCorners) {
    World world;
    world.add(Plane{}, Vec3::Zero(), Quat::Identity(), BodyKind::kStatic);
    world.add(Box{{0.1, 0.2, 0.3}}, {1, 2, 0.3});
    const auto contacts = world.collide(kSlack);
    expect_all(contacts, 4, 0, Vec3::UnitZ());
    for (const Contact& k : contacts) {
        EXPECT_NEAR(std::abs(k.p_A.x() - 1), 0.1, 1e-14);
        EXPECT_NEAR(std::abs(k.p_A.y() - 2), 0.2, 1e-14);
    }
}

TEST(Manifold, BoxOnBoxHasFourCornersOfTheSmallerOne) {
    World world;
    world.add(Box{{1, 1, 0.1}}, {0, 0, -0.1}, Quat::Identity(), BodyKind::kStatic);
    world.add(Box{{0.1, 0.2, 0.3}}, {0.3, 0.2, 0.3005}, about(Vec3::UnitZ(), 0.4));
    expect_all(world.collide(kSlack), 4, 0.0005, Vec3::UnitZ());
    world.state.pose[1].p.z() = 0.29;
    expect_all(world.collide(kSlack), 4, -0.01, Vec3::UnitZ());
}

TEST(Manifold, EqualCubesTurnedByAnEighthMeetInAnOctagon) {
    World world;
    world.add(Box{Vec3::Constant(0.5)}, {0, 0, 0});
    world.add(Box{Vec3::Constant(0.5)}, {0, 0, 1}, about(Vec3::UnitZ(), std::numbers::pi / 4));
    const auto contacts = world.collide(kSlack);
    expect_all(contacts, 8, 0, Vec3::UnitZ());
    for (const Contact& k : contacts)  // corners of the octagon that two unit squares share
        EXPECT_NEAR(k.p_A.head<2>().norm(), 0.5 / std::cos(std::numbers::pi / 8), 1e-14);
}

// Cubes of 0.1 m face to face: always the same four corners, whatever the round-off in the poses.
TEST(Manifold, EqualCubesFaceToFaceHaveFourCornersDespiteRoundOff) {
    Random random(5);
    std::vector<std::uint32_t> first;
    for (int trial = 0; trial < 5000; ++trial) {
        World world;
        for (int i = 0; i < 3; ++i) {
            const double noise = trial == 0 ? 0 : (trial % 2 == 0 ? 1e-15 : 1e-9);
            const Vec3 p = Vec3(0.1 * i, 0, 0) + random_vector(random, noise);
            const Vec3 turn = random_vector(random, noise);
            world.add(Box{Vec3::Constant(0.05)}, p,
                      Quat(1, turn.x(), turn.y(), turn.z()).normalized());
        }
        const auto contacts = world.collide(1e-4);
        ASSERT_EQ(contacts.size(), 8U) << "trial " << trial;
        if (trial == 0) first = features(contacts);
        ASSERT_EQ(features(contacts), first) << "trial " << trial;
        for (const Contact& k : contacts) {
            ASSERT_NEAR(k.phi, 0, 1e-8);
            ASSERT_LT((k.n - Vec3::UnitX()).norm(), 1e-8);
            ASSERT_NEAR(std::abs(k.p().y()), 0.05, 1e-8);
            ASSERT_NEAR(std::abs(k.p().z()), 0.05, 1e-8);
        }
    }
}

// A wall of cubes in columns: neighbours side by side and on top of one another touch, diagonal
// ones do not.
TEST(Manifold, DiagonalNeighboursInAWallDoNotTouch) {
    Random random(6);
    for (const double noise : {0.0, 1e-15, 1e-10}) {
        World world;
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j)
                world.add(Box{Vec3::Constant(0.5)}, Vec3(i, 0, j) + random_vector(random, noise));
        }
        const auto contacts = world.collide(1e-4);
        EXPECT_EQ(contacts.size(), 12U * 4U) << "noise " << noise;
        for (const Contact& k : contacts)
            EXPECT_EQ(std::abs(k.n.x()) > 0.5, std::abs(k.body_a - k.body_b) == 3)
                << "noise " << noise;
    }
}

TEST(Manifold, FeaturesStayWhileABoxSlidesAndTilts) {
    World world;
    world.add(Box{{2, 2, 0.1}}, {0, 0, -0.1}, Quat::Identity(), BodyKind::kStatic);
    world.add(Box{{0.1, 0.1, 0.1}}, {0, 0, 0.1});
    Narrowphase narrowphase(world.model, {kSlack});
    ContactSet set;
    narrowphase.collide(world.model, world.state, 1e-3, set);
    const auto first = features(set.contacts);
    ASSERT_EQ(first.size(), 4U);
    Random random(7);
    for (int step = 0; step < 1000; ++step) {
        const double angle = 1e-3 * std::sin(0.05 * step);
        world.state.pose[1].p = {1e-3 * step, 3e-4 * step, 0.1 + random.uniform(-1e-6, 1e-6)};
        world.state.pose[1].q =
            about({1, std::cos(0.01 * step), 0}, angle) * about(Vec3::UnitZ(), 1e-3 * step);
        narrowphase.collide(world.model, world.state, 1e-3, set);
        ASSERT_EQ(features(set.contacts), first) << "step " << step;
    }
}

// Two wedges of an arch, face to face: neither face is the nearer one but for rounding, which must
// not choose the reference face, since contacts are known by it in the next step.
TEST(Manifold, FeaturesOfEqualHullsFaceToFaceStayDespiteRoundOff) {
    const double inner = 0.94, outer = 1.06;
    Random random(7);
    for (int i = 0; i < 50; ++i) {
        const double half = std::numbers::pi / 202, first = (2 * i + 1) * half;
        std::vector<Vec3> points;
        for (const double angle : {-half, half}) {
            for (const double radius : {inner, outer}) {
                for (const double y : {-0.1, 0.1})
                    points.emplace_back(radius * std::cos(angle), y, radius * std::sin(angle));
            }
        }
        World world;
        for (const double angle : {first, first + 2 * half})
            world.add(make_hull(points), Vec3::Zero(), about(Vec3::UnitY(), -angle));
        std::vector<std::uint32_t> features;
        for (const Contact& k : world.collide(1e-4)) features.push_back(k.feature);
        ASSERT_EQ(features.size(), 4U) << i;
        for (int k = 0; k < 20; ++k) {
            World moved = world;
            moved.state.pose[0].p += random_vector(random, 1e-14);
            moved.state.pose[1].q = moved.state.pose[1].q * about(random_direction(random), 1e-14);
            const std::vector<Contact> contacts = moved.collide(1e-4);
            ASSERT_EQ(contacts.size(), 4U);
            for (std::size_t c = 0; c < 4; ++c) EXPECT_EQ(contacts[c].feature, features[c]) << i;
        }
    }
}

TEST(Manifold, CylinderStandsOnFourOrMorePointsAndLiesOnTwo) {
    for (const bool on_box : {false, true}) {
        World world;
        if (on_box) {
            world.add(Box{{1, 1, 0.5}}, {0, 0, -0.5}, Quat::Identity(), BodyKind::kStatic);
        } else {
            world.add(Plane{}, Vec3::Zero(), Quat::Identity(), BodyKind::kStatic);
        }
        world.add(Cylinder{0.1, 0.2}, {0.2, 0.1, 0.2});
        const auto standing = world.collide(kSlack);
        expect_all(standing, on_box ? 8 : 4, 0, Vec3::UnitZ(), 1e-12);
        Vec3 centre = Vec3::Zero();
        for (const Contact& k : standing) {
            EXPECT_NEAR((k.p() - Vec3(0.2, 0.1, 0)).norm(), 0.1, 1e-12);
            centre += k.p() / static_cast<double>(standing.size());
        }
        EXPECT_LT((centre - Vec3(0.2, 0.1, 0)).norm(), 1e-12);

        world.state.pose[1] = {{0.2, 0.1, 0.1}, about({1, 0.3, 0}, std::numbers::pi / 2)};
        const auto lying = world.collide(kSlack);
        expect_all(lying, 2, 0, Vec3::UnitZ(), 1e-12);
        EXPECT_NEAR((lying[0].p() - lying[1].p()).norm(), 0.4, 1e-12);

        // Leaning: the lowest rim point, exactly.
        const double lean = 0.3;
        world.state.pose[1].q = about(Vec3::UnitY(), lean);
        world.state.pose[1].p.z() = 0.2 * std::cos(lean) + 0.1 * std::sin(lean) + 1e-4;
        const auto leaning = world.collide(kSlack);
        expect_all(leaning, 1, 1e-4, Vec3::UnitZ(), 1e-12);
    }
}

TEST(Manifold, CapsuleLiesOnBoxCapsuleAndPlaneWithTwoPoints) {
    const Quat lying = about(Vec3::UnitY(), std::numbers::pi / 2);  // axis along x
    World on_box, on_capsule, on_plane, over_edge;
    on_box.add(Box{{1, 1, 0.5}}, {0, 0, -0.5}, Quat::Identity(), BodyKind::kStatic);
    on_capsule.add(Capsule{0.2, 0.5}, {0.3, 0, -0.2}, lying, BodyKind::kStatic);
    on_plane.add(Plane{}, Vec3::Zero(), Quat::Identity(), BodyKind::kStatic);
    over_edge.add(Box{{0.2, 1, 0.5}}, {0, 0, -0.5}, Quat::Identity(), BodyKind::kStatic);
    const double lengths[] = {0.8, 0.6, 0.8, 0.4};
    int i = 0;
    for (World* world : {&on_box, &on_capsule, &on_plane, &over_edge}) {
        world->add(Capsule{0.1, 0.4}, {0, 0, 0.1 - 1e-4}, lying);
        const auto contacts = world->collide(kSlack);
        expect_all(contacts, 2, -1e-4, Vec3::UnitZ(), 1e-12);
        ASSERT_EQ(contacts.size(), 2U);
        EXPECT_NEAR((contacts[0].p() - contacts[1].p()).norm(), lengths[i++], 1e-5);
    }
}

TEST(Manifold, HullFacesGiveTheSameContactsAsBoxes) {
    Random random(8);
    const Shape hull = cube_hull(0.1);
    for (int trial = 0; trial < 300; ++trial) {
        const Quat turn = about(Vec3::UnitZ(), random.uniform(0.05, 0.7));
        const Vec3 p(random.uniform(-0.05, 0.05), random.uniform(-0.05, 0.05),
                     0.3 + random.uniform(-1e-3, 5e-4));
        std::vector<std::vector<Contact>> found;
        for (const bool top_hull : {false, true}) {
            for (const bool bottom_hull : {false, true}) {
                World world;
                world.add(bottom_hull ? cube_hull(0.2) : Shape(Box{Vec3::Constant(0.2)}),
                          Vec3::Zero());
                world.add(top_hull ? hull : Shape(Box{Vec3::Constant(0.1)}), p, turn);
                found.push_back(world.collide(kSlack));
            }
        }
        for (const auto& contacts : found) {
            expect_all(contacts, 4, p.z() - 0.3, Vec3::UnitZ(), 1e-12);
            for (const Contact& k : contacts) {
                double nearest = 1;
                for (const Contact& l : found[0])
                    nearest = std::min(nearest, (k.p() - l.p()).norm());
                EXPECT_LT(nearest, 1e-12);
            }
        }
    }
}

// A ground of 200 m under bodies of centimetres: tolerances follow the smaller shape.
TEST(Manifold, SmallBodiesOnAHugeGround) {
    std::vector<Vec3> slab;
    for (int i = 0; i < 8; ++i)
        slab.emplace_back((i & 1) != 0 ? 100 : -100, (i & 2) != 0 ? 100 : -100,
                          (i & 4) != 0 ? 0 : -1);
    const Shape grounds[] = {Box{{100, 100, 1}}, make_hull(slab)};
    const Shape bodies[] = {Box{Vec3::Constant(0.01)}, cube_hull(0.01), Cylinder{0.01, 0.01}};
    for (int ground = 0; ground < 2; ++ground) {
        for (const Shape& body : bodies) {
            for (const double gap : {-1e-5, 0.0, 5e-6}) {
                World world;
                world.add(grounds[ground], {0, 0, ground == 0 ? -1.0 : 0.0}, Quat::Identity(),
                          BodyKind::kStatic);
                world.add(body, {37.3, -61.9, 0.01 + gap}, about(Vec3::UnitZ(), 0.3));
                const auto contacts = world.collide(1e-5);
                expect_all(contacts, std::holds_alternative<Cylinder>(body) ? 8 : 4, gap,
                           Vec3::UnitZ(), 1e-12);
            }
        }
    }
}

// Diagonal neighbours that overlap a little, as after some drift, still do not touch.
TEST(Manifold, ASliverOfOverlapIsNoContact) {
    for (const bool hulls : {false, true}) {
        World world;
        const Shape cube = hulls ? cube_hull(0.05) : Shape(Box{Vec3::Constant(0.05)});
        world.add(cube, {0, 0, 0});
        world.add(cube, {0.1 - 2e-6, 0, 0.1 - 1e-6});
        EXPECT_TRUE(world.collide(1e-5).empty()) << (hulls ? "hulls" : "boxes");
    }
}

}  // namespace
}  // namespace stiction
