// carried_test.cpp - a contact carried to a configuration nearby is the contact found there.
#include "collide/carried.h"

#include <gtest/gtest.h>

#include "geometry_checks.h"

namespace stiction {
namespace {

State moved(const World& world, double dt) {
    State state = world.state;
    for (std::size_t i = 0; i < state.pose.size(); ++i) {
        const Twist& twist = state.twist[i];
        state.pose[i].p += dt * twist.v;
        const double angle = dt * twist.w.norm();
        if (angle != 0)
            state.pose[i].q =
                about(std::copysign(1.0, dt) * twist.w, std::abs(angle)) * state.pose[i].q;
    }
    return state;
}

const Contact* with_key(const ContactSet& set, const Contact& contact) {
    for (const Contact& c : set.contacts)
        if (key(c) == key(contact)) return &c;
    return nullptr;
}

// Moves the two bodies by about 1e-3 and compares with the narrowphase. `places`: whether the point
// is to be the same too (material points of a face are where the body took them).
void expect_carried(World& world, const std::string& what, bool places = true) {
    Random random(7);
    for (Twist& twist : world.state.twist)
        twist = {random_vector(random, 1), random_vector(random, 1)};
    ContactSet found;
    found.contacts = world.collide(0.02);
    ASSERT_FALSE(found.contacts.empty()) << what;
    std::vector<CarriedContact> carried;
    find_features(world.model, world.state, found, carried);
    ContactSet here;
    carry_contacts(carried, world.state, here);
    for (std::size_t i = 0; i < found.contacts.size(); ++i) {
        EXPECT_LT((here.contacts[i].n - found.contacts[i].n).norm(), 1e-12) << what;
        EXPECT_NEAR(here.contacts[i].phi, found.contacts[i].phi, 1e-12) << what;
        EXPECT_LT((here.contacts[i].p_A - found.contacts[i].p_A).norm(), 1e-9) << what;
    }

    World there = world;
    there.state = moved(world, 1e-3);
    ContactSet expected, now;
    expected.contacts = there.collide(0.03);
    carry_contacts(carried, there.state, now);
    int compared = 0;
    for (const Contact& c : now.contacts) {
        const Contact* other = with_key(expected, c);
        if (other == nullptr) continue;
        ++compared;
        EXPECT_LT((c.n - other->n).norm(), 1e-9) << what;
        EXPECT_NEAR(c.phi, other->phi, 1e-10) << what;
        if (places) {
            EXPECT_LT((c.p_A - other->p_A).norm(), 1e-8) << what;
        }
    }
    EXPECT_GT(compared, 0) << what;
}

// d phi / dt is the row's velocity: n . (velocity of A - velocity of B) at the contact.
void expect_exact_rows(const World& world, const std::string& what) {
    ContactSet found;
    found.contacts = world.collide(0.02);
    std::vector<CarriedContact> carried;
    find_features(world.model, world.state, found, carried);
    const double dt = 1e-5;
    ContactSet ahead, behind;
    carry_contacts(carried, moved(world, dt), ahead);
    carry_contacts(carried, moved(world, -dt), behind);
    for (std::size_t i = 0; i < found.contacts.size(); ++i) {
        const Contact& c = found.contacts[i];
        const auto velocity = [&](int body) -> Vec3 {
            const auto b = at(body);
            const Twist& twist = world.state.twist[b];
            return twist.v + twist.w.cross(c.p() - world.state.pose[b].p);
        };
        const double rate = (ahead.contacts[i].phi - behind.contacts[i].phi) / (2 * dt);
        EXPECT_NEAR(rate, c.n.dot(velocity(c.body_a) - velocity(c.body_b)), 1e-8) << what;
    }
}

Hull cube_hull(double half) {
    std::vector<Vec3> points;
    for (int i = 0; i < 8; ++i)
        points.emplace_back((i & 1) != 0 ? half : -half, (i & 2) != 0 ? half : -half,
                            (i & 4) != 0 ? half : -half);
    return make_hull(points);
}

TEST(Carried, FollowsTheFeaturesOfEveryPairOfShapes) {
    const Quat tilt = about(Vec3(1, 2, 3), 0.7);
    const auto check = [](const Shape& a, const Vec3& p_a, const Quat& q_a, const Shape& b,
                          const Vec3& p_b, const Quat& q_b, const std::string& what,
                          bool places = true) {
        World world;
        const bool plane = std::holds_alternative<Plane>(b);
        world.add(a, p_a, q_a);
        world.add(b, p_b, q_b, plane ? BodyKind::kKinematic : BodyKind::kDynamic);
        expect_carried(world, what, places);
        expect_exact_rows(world, what);
    };
    const Quat none = Quat::Identity();
    check(Sphere{0.1}, {0, 0, 0.105}, none, Plane{}, {0, 0, 0}, about(Vec3::UnitX(), 0.1),
          "sphere, plane");
    check(Box{{0.1, 0.2, 0.3}}, {0, 0, 0.345}, tilt, Plane{}, {0, 0, 0}, none, "box, plane");
    check(Capsule{0.1, 0.2}, {0, 0, 0.105}, about(Vec3::UnitY(), M_PI / 2), Plane{}, {0, 0, 0},
          none, "capsule, plane");
    check(Cylinder{0.1, 0.2}, {0, 0, 0.2 * std::cos(0.5) + 0.1 * std::sin(0.5) + 0.001},
          about(Vec3::UnitY(), 0.5), Plane{}, {0, 0, 0}, none, "cylinder, plane");
    check(Sphere{0.1}, {0.1, 0.2, 0.3}, none, Sphere{0.27}, {0, 0, 0}, none, "sphere, sphere");
    check(Sphere{0.1}, {0.05, 0.02, 0.305}, none, Box{{0.2, 0.2, 0.2}}, {0, 0, 0}, none,
          "sphere, face");
    check(Sphere{0.1}, {0.272, 0.02, 0.272}, none, Box{{0.2, 0.2, 0.2}}, {0, 0, 0}, none,
          "sphere, edge");
    check(Sphere{0.1}, {0.26, 0.26, 0.26}, none, Box{{0.2, 0.2, 0.2}}, {0, 0, 0}, none,
          "sphere, corner");
    check(Sphere{0.1}, {0.272, 0.02, 0.272}, none, cube_hull(0.2), {0, 0, 0}, none,
          "sphere, edge of a hull");
    check(Sphere{0.1}, {0.215, 0.215, 0.05}, none, Capsule{0.2, 0.3}, {0, 0, 0}, none,
          "sphere, side of a capsule");
    check(Sphere{0.1}, {0.215, 0.215, 0.05}, none, Cylinder{0.2, 0.3}, {0, 0, 0}, none,
          "sphere, side of a cylinder");
    check(Capsule{0.1, 0.3}, {0.03, 0, 0.205}, about(Vec3(0, 1, 0.2), 1.4), Capsule{0.1, 0.3},
          {0, 0, 0}, about(Vec3::UnitX(), 1.5), "capsule, capsule");
    // Two crossing edges, and a corner over a face.
    check(Box{{0.3, 0.1, 0.1}}, {0.01, 0.02, 2 * 0.1 * std::sqrt(2.0) + 0.002},
          about(Vec3::UnitX(), M_PI / 4), Box{{0.1, 0.3, 0.1}}, {0, 0, 0},
          about(Vec3::UnitY(), M_PI / 4), "edge, edge");
    check(Box{{0.1, 0.1, 0.1}}, {0.01, 0.02, 0.36}, tilt, Box{{0.5, 0.5, 0.2}}, {0, 0, 0}, none,
          "corner, face");
    check(Box{{0.5, 0.5, 0.2}}, {0.01, 0.02, 0.36}, none, Box{{0.1, 0.1, 0.1}}, {0, 0, 0}, tilt,
          "face, corner");
    check(cube_hull(0.1), {0.01, 0.02, 0.36}, tilt, cube_hull(0.2), {0, 0, 0}, none,
          "corner, face of hulls");
}

}  // namespace
}  // namespace stiction
