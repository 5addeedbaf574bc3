// The call as a whole: who collides with whom, in which order, at which gaps, and that nothing is
// left over.
#include <tuple>

#include "collide/geometry_checks.h"
#include "core/error.h"

namespace stiction {
namespace {

const Sphere kBall{0.1};

auto sort_key(const Contact& k) {
    return std::tie(k.body_a, k.body_b, k.geom_a, k.geom_b, k.feature);
}

bool sorted(const std::vector<Contact>& contacts) {
    return std::is_sorted(contacts.begin(), contacts.end(), [](const Contact& a, const Contact& b) {
        return sort_key(a) < sort_key(b);
    });
}

void expect_identical(const std::vector<Contact>& one, const std::vector<Contact>& two) {
    ASSERT_EQ(one.size(), two.size());
    for (std::size_t i = 0; i < one.size(); ++i) {
        ASSERT_EQ(sort_key(one[i]), sort_key(two[i]));
        ASSERT_EQ(one[i].p_A, two[i].p_A);
        ASSERT_EQ(one[i].p_B, two[i].p_B);
        ASSERT_EQ(one[i].n, two[i].n);
        ASSERT_EQ(one[i].phi, two[i].phi);
    }
}

// A heap of all kinds of shapes over a plane and two static boxes.
World heap(std::uint64_t seed, int n) {
    Random random(seed);
    World world;
    world.add(Plane{}, Vec3::Zero(), Quat::Identity(), BodyKind::kStatic);
    world.add(Box{{0.5, 0.1, 0.5}}, {0, 0.6, 0.5}, Quat::Identity(), BodyKind::kStatic);
    world.add(Box{{0.5, 0.1, 0.5}}, {0, -0.6, 0.5}, Quat::Identity(), BodyKind::kKinematic);
    const Shape shapes[] = {kBall, Box{{0.1, 0.08, 0.12}}, Capsule{0.06, 0.1}, Cylinder{0.08, 0.1},
                            random_hull(3, 16, 0.12)};
    for (int i = 0; i < n; ++i) {
        const Vec3 p(random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), random.uniform(0, 0.8));
        world.add(shapes[i % 5], p, random_rotation(random));
    }
    return world;
}

TEST(Narrowphase, OrderIsByBodiesGeomsAndFeatures) {
    const World world = heap(1, 60);
    const auto contacts = world.collide(0.01);
    EXPECT_GT(contacts.size(), 100U);
    EXPECT_TRUE(sorted(contacts));
    for (std::size_t i = 1; i < contacts.size(); ++i)
        EXPECT_NE(sort_key(contacts[i - 1]), sort_key(contacts[i])) << "a feature twice";
    for (const Contact& k : contacts) {
        EXPECT_GE(k.body_a, 3) << "A is never static or kinematic";
        EXPECT_TRUE(k.body_b < 3 || k.body_b < k.body_a);
    }
}

// What is found depends on the poses alone: a fresh detector and one that went through many other
// states agree bit for bit, also after bodies went far away and came back.
TEST(Narrowphase, HistoryLeavesNoTrace) {
    World world = heap(2, 60);
    Narrowphase used(world.model, {0.01});
    ContactSet set;
    Random random(3);
    State state = world.state;
    for (int step = 0; step < 200; ++step) {
        for (std::size_t b = 3; b < state.pose.size(); ++b) {
            const bool far = random.bits() % 50 == 0;
            state.pose[b].p = world.state.pose[b].p + random_vector(random, far ? 100 : 0.05);
            state.pose[b].q = (about(random_direction(random), 0.1) * state.pose[b].q).normalized();
            state.twist[b].v = random_vector(random, far ? 10 : 0.1);
        }
        used.collide(world.model, state, 1e-3, set);
        ContactSet fresh;
        Narrowphase(world.model, {0.01}).collide(world.model, state, 1e-3, fresh);
        expect_identical(set.contacts, fresh.contacts);
    }
    used.collide(world.model, world.state, 0, set);
    expect_identical(set.contacts, world.collide(0.01));
}

// Balls at rest in a row while another flies at the first of them: what the first reaches when it is
// hit must not count as in reach of the third in the next call.
TEST(Narrowphase, BodiesAtRestForgetWhatCameNear) {
    World world;
    world.add(kBall, {-0.25, 0, 0});
    for (int i = 0; i < 4; ++i) world.add(kBall, {0.208 * i, 0, 0});
    world.state.twist[0].v.x() = 5;
    Narrowphase used(world.model);
    ContactSet set, fresh;
    for (int step = 0; step < 3; ++step) {
        world.state.pose[0].p.x() += 1e-4;
        used.collide(world.model, world.state, 0.01, set);
        Narrowphase(world.model).collide(world.model, world.state, 0.01, fresh);
        EXPECT_EQ(set.contacts.size(), 2U)
            << "first with the flying one and the second, step " << step;
        expect_identical(set.contacts, fresh.contacts);
    }
}

TEST(Narrowphase, ABodyFarAwayHasNoContacts) {
    World world;
    world.add(Box{{1, 1, 1}}, {0, 0, -1}, Quat::Identity(), BodyKind::kStatic);
    world.add(kBall, {0, 0, 0.1});
    Narrowphase narrowphase(world.model);
    ContactSet set;
    for (const double x : {0.0, 50.0, 0.0, 1.2, 0.5}) {
        world.state.pose[1].p.x() = x;
        narrowphase.collide(world.model, world.state, 1e-3, set);
        EXPECT_EQ(set.contacts.size(), x <= 1 ? 1U : 0U) << "x " << x;
    }
}

// The same bodies listed in another order touch at the same places.
TEST(Narrowphase, TheOrderOfBodiesDoesNotMatter) {
    const World world = heap(4, 40);
    World reversed;
    const int n = static_cast<int>(world.model.bodies.size());
    for (int b = n - 1; b >= 0; --b) {
        const auto i = at(b);
        reversed.add(world.model.geoms[i].shape, world.state.pose[i].p, world.state.pose[i].q,
                     world.model.bodies[i].kind);
    }
    const auto one = world.collide(0.001), two = reversed.collide(0.001);
    for (const Contact& k : one) {
        bool found = false;
        for (const Contact& l : two) {
            const bool same_roles = l.body_a == n - 1 - k.body_a && l.body_b == n - 1 - k.body_b;
            const bool other_roles = l.body_a == n - 1 - k.body_b && l.body_b == n - 1 - k.body_a;
            found = found || same_roles || other_roles;
        }
        EXPECT_TRUE(found) << "bodies " << k.body_a << ", " << k.body_b;
    }
}

TEST(Narrowphase, StaticAndKinematicBodiesAreB) {
    for (const BodyKind kind : {BodyKind::kStatic, BodyKind::kKinematic}) {
        for (const bool fixed_first : {false, true}) {
            World world;
            if (fixed_first) world.add(kBall, {0, 0, 0}, Quat::Identity(), kind);
            world.add(kBall, {0, 0, 0.2});
            if (!fixed_first) world.add(kBall, {0, 0, 0}, Quat::Identity(), kind);
            const auto contacts = world.collide(1e-3);
            ASSERT_EQ(contacts.size(), 1U);
            EXPECT_EQ(contacts[0].body_b, fixed_first ? 0 : 1);
            EXPECT_GT(contacts[0].n.z(), 0.99);
        }
    }
    World fixed;
    fixed.add(kBall, {0, 0, 0}, Quat::Identity(), BodyKind::kStatic);
    fixed.add(kBall, {0, 0, 0.1}, Quat::Identity(), BodyKind::kKinematic);
    fixed.add(Plane{}, {0, 0, 0}, Quat::Identity(), BodyKind::kStatic);
    EXPECT_TRUE(fixed.collide(1e-3).empty());
}

TEST(Narrowphase, GroupsMasksJointsAndOwnGeomsAreKeptApart) {
    World world;
    world.add(kBall, {0, 0, 0});
    world.add(kBall, {0, 0, 0.15});
    ASSERT_EQ(world.collide(1e-3).size(), 1U);

    World masked = world;
    masked.model.geoms[0].group = 2;
    masked.model.geoms[1].mask = ~2U;
    EXPECT_TRUE(masked.collide(1e-3).empty());
    std::swap(masked.model.geoms[0].group, masked.model.geoms[1].group);
    std::swap(masked.model.geoms[0].mask, masked.model.geoms[1].mask);
    EXPECT_TRUE(masked.collide(1e-3).empty());

    World joined = world;
    Joint joint;
    joint.child = 1;
    joint.parent = 0;
    joined.model.joints.push_back(joint);
    EXPECT_TRUE(joined.collide(1e-3).empty());
    joined.model.joints[0].collide = true;
    EXPECT_EQ(joined.collide(1e-3).size(), 1U);
    joined.model.joints[0] = {};
    joined.model.joints[0].child = 1;  // to the world
    EXPECT_EQ(joined.collide(1e-3).size(), 1U);

    World compound = world;
    compound.model.geoms.push_back(compound.model.geoms[1]);
    compound.model.geoms.back().pose_BG.p = {0.05, 0, 0};
    EXPECT_EQ(compound.collide(1e-3).size(), 2U);
}

TEST(Narrowphase, GeomsSitWhereTheirPoseInTheBodySays) {
    World world;
    world.add(Plane{}, Vec3::Zero(), Quat::Identity(), BodyKind::kStatic);
    world.add(Box{{0.1, 0.1, 0.3}}, {1, 2, 3}, about(Vec3::UnitX(), 0.3));
    world.model.geoms[1].pose_BG = {{0.4, 0.5, -0.6}, about(Vec3::UnitY(), 0.7)};
    const Pose pose = world.state.pose[1] * world.model.geoms[1].pose_BG;
    const double lowest = support_point(world.model.geoms[1].shape, pose, -Vec3::UnitZ()).z();
    world.state.pose[1].p.z() -= lowest + 0.01;
    const auto contacts = world.collide(1e-3);
    ASSERT_EQ(contacts.size(), 1U);
    EXPECT_NEAR(contacts[0].phi, -0.01, 1e-14);
}

// A gap is reported when it can close within the step, and not when it cannot.
TEST(Narrowphase, LookAheadCoversOneStep) {
    const double h = 0.01, slack = 1e-4, g = 9.81;
    for (const bool plane : {false, true}) {
        World world;
        if (plane) {
            world.add(Plane{}, Vec3::Zero(), Quat::Identity(), BodyKind::kStatic);
        } else {
            world.add(Box{{1, 1, 1}}, {0, 0, -1}, Quat::Identity(), BodyKind::kStatic);
        }
        world.add(Box{Vec3::Constant(0.1)}, Vec3::Zero());
        for (const double speed : {0.0, 1.0, 100.0}) {
            const double reach = h * speed + g * h * h + slack;
            world.state.twist[1].v = {0, 0, -speed};
            world.state.pose[1].p.z() = 0.1 + reach * 0.999;
            EXPECT_EQ(world.collide(slack, h).empty(), false) << "speed " << speed;
            world.state.pose[1].p.z() = 0.1 + reach * 1.001;
            EXPECT_EQ(world.collide(slack, h).empty(), true) << "speed " << speed;
        }
        // A rod that turns about its middle sweeps a tip down.
        world.state.twist[1] = {Vec3::Zero(), {20, 0, 0}};
        world.state.pose[1].p.z() = 0.1 + 20 * h * 0.1 * std::sqrt(2.0) * 0.9;
        EXPECT_FALSE(world.collide(slack, h).empty());
    }
}

TEST(Narrowphase, BodiesFlyingTogetherDoNotSeeOneAnotherFromAfar) {
    World world;
    world.add(kBall, {0, 0, 0});
    world.add(kBall, {0, 0, 0.5});
    world.state.twist[0].v = world.state.twist[1].v = {100, 0, 0};
    EXPECT_TRUE(world.collide(1e-3, 0.01).empty());
    world.state.twist[1].v = {100, 0, -40};
    EXPECT_EQ(world.collide(1e-3, 0.01).size(), 1U);
}

// ... but see what closes when a third body stops one of them.
TEST(Narrowphase, LookAheadCoversABodyThatIsStopped) {
    const double h = 0.01, slack = 1e-4, g = 9.81, speed = 5;
    const double reach = h * speed + g * h * h + slack;
    for (const BodyKind lower : {BodyKind::kDynamic, BodyKind::kKinematic}) {
        World world;
        world.add(kBall, {0, 0, 0}, Quat::Identity(), lower);
        world.add(kBall, {0, 0, 0});
        for (const double v : {-speed, speed}) {
            world.state.twist[0].v = world.state.twist[1].v = {0, 0, v};
            world.state.pose[1].p.z() = 0.2 + reach * 0.999;
            // A kinematic body is not stopped: what flies ahead of it stays as far away.
            const bool seen = lower == BodyKind::kDynamic || v > 0;
            EXPECT_EQ(world.collide(slack, h).size(), seen ? 1U : 0U) << v;
            world.state.pose[1].p.z() = 0.2 + reach * 1.001;
            EXPECT_TRUE(world.collide(slack, h).empty()) << v;
        }
    }
    World side_by_side;
    side_by_side.add(kBall, {0, 0, 0});
    side_by_side.add(kBall, {0, 0, 0});
    side_by_side.state.twist[0].v = side_by_side.state.twist[1].v = {0, 0, -speed};
    const double aside = 0.1 * 0.1 + g * h * h + slack;  // knocked into each other, see collide.cpp
    side_by_side.state.pose[1].p.x() = 0.2 + aside * 0.999;
    EXPECT_EQ(side_by_side.collide(slack, h).size(), 1U);
    side_by_side.state.pose[1].p.x() = 0.2 + aside * 1.001;
    EXPECT_TRUE(side_by_side.collide(slack, h).empty());
}

// Restitution throws the lower one back: with eps, twice the speed at most.
TEST(Narrowphase, LookAheadCoversABodyThatRebounds) {
    const double h = 0.01, slack = 1e-4, g = 9.81, speed = 5, eps = 0.6;
    World world;
    world.add(kBall, {0, 0, 0});
    world.add(kBall, {0, 0, 0});
    world.model.materials.assign(1, {});
    world.model.surface_pairs.assign(1, {0, 0, eps});
    world.state.twist[0].v = world.state.twist[1].v = {0, 0, -speed};
    const double reach = h * (1 + eps) * speed + g * h * h + slack;
    world.state.pose[1].p.z() = 0.2 + reach * 0.999;
    EXPECT_EQ(world.collide(slack, h).size(), 1U);
    world.state.pose[1].p.z() = 0.2 + reach * 1.001;
    EXPECT_TRUE(world.collide(slack, h).empty());
}

// A foot at rest just above the ground, and a fast body at the other end of its leg: what joints
// link may be dragged along, whatever the gap to the fast body.
TEST(Narrowphase, LookAheadCoversABodyThatJointsDragAlong) {
    const double h = 0.01, slack = 1e-5, g = 9.81, speed = 0.5;
    const double reach = h * speed + g * h * h + slack;
    for (const bool linked : {true, false}) {
        World world;
        world.add(Plane{}, Vec3::Zero(), Quat::Identity(), BodyKind::kStatic);
        world.add(kBall, {0, 0, 0.1 + 0.999 * reach});
        world.add(kBall, {0, 0, 1});
        world.add(kBall, {0, 0, 2});
        world.state.twist.back().v = {0, speed, 0};
        if (linked) {
            for (const int child : {2, 3}) {
                Joint joint;
                joint.kind = JointKind::kSpherical;
                joint.child = child;
                joint.parent = child - 1;
                world.model.joints.push_back(joint);
            }
        }
        EXPECT_EQ(world.collide(slack, h).size(), linked ? 1U : 0U);
        world.state.pose[1].p.z() = 0.1 + 1.001 * reach;
        EXPECT_TRUE(world.collide(slack, h).empty());
    }
}

TEST(Narrowphase, RepeatedContactsDifferInTheirFeatureOnly) {
    World world;
    world.add(Box{Vec3::Constant(0.05)}, {0, 0, 0});
    world.add(Box{Vec3::Constant(0.05)}, {0.1, 0, 0});
    const auto once = world.collide(1e-4);
    world.model.contact_repeat = 3;
    const auto thrice = world.collide(1e-4);
    ASSERT_EQ(once.size(), 4U);
    ASSERT_EQ(thrice.size(), 12U);
    for (std::size_t i = 0; i < thrice.size(); ++i) {
        EXPECT_EQ(thrice[i].p_A, once[i % 4].p_A);
        EXPECT_EQ(thrice[i].feature, once[i % 4].feature | static_cast<std::uint32_t>(i / 4)
                                                               << 28U);
        if (i > 0) {
            EXPECT_LT(key(thrice[i - 1]), key(thrice[i]));  // warm starts are found by merging
        }
    }
    world.model.contact_repeat = kMaxContactCopies;
    EXPECT_EQ(world.collide(1e-4).size(), 4U * kMaxContactCopies);
    world.model.contact_repeat = kMaxContactCopies + 1;
    EXPECT_THROW(world.collide(1e-4), InputError);
}

TEST(Narrowphase, AnEmptyModelHasNoContacts) {
    World world;
    EXPECT_TRUE(world.collide(0, 0.01).empty());
    world.add(Plane{}, Vec3::Zero(), Quat::Identity(), BodyKind::kStatic);
    EXPECT_TRUE(world.collide(0, 0.01).empty());
}

}  // namespace
}  // namespace stiction
