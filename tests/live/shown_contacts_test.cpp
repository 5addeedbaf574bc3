// shown_contacts_test.cpp - forces, states and islands as the window shows them.
#include "live/shown_contacts.h"

#include <set>

#include "live/live_scenes.h"

namespace stiction {
namespace {

constexpr double kG = 9.81;

// The cube slides down: normal forces carry m g cos, friction is mu times that against the slip.
TEST(ShownContacts, OnTheRampSlide) {
    LiveScene live(shipped_scene("ramp"), 1);
    use_model(live, CoulombCone{});
    forward(live, 50);
    const Snapshot snapshot = look_at(live);
    const double angle = 20 * 3.14159265358979323846 / 180;
    const Vec3 up(std::sin(angle), 0, std::cos(angle));
    const Vec3 down(std::cos(angle), 0, -std::sin(angle));
    ASSERT_EQ(snapshot.contacts.size(), 4U);
    Vec3 normal = Vec3::Zero(), friction = Vec3::Zero();
    for (const ShownContact& c : snapshot.contacts) {
        EXPECT_EQ(c.state == ContactState::kOpen, c.normal_force.norm() < 1e-5);
        EXPECT_NE(c.state, ContactState::kSticking);
        EXPECT_EQ(c.body_a, 1);
        EXPECT_EQ(c.body_b, 0);
        EXPECT_LT((c.normal - up).norm(), 1e-9);
        EXPECT_GT(c.slip.dot(down), 0.01);
        EXPECT_NEAR(c.slip.dot(c.normal), 0, 1e-12);
        EXPECT_EQ(c.mu_c, 0.2);
        EXPECT_EQ(c.island, 0);
        EXPECT_NEAR(c.gap, 0, 1e-6);
        normal += c.normal_force;
        friction += c.friction_force;
    }
    EXPECT_LT((normal - kG * std::cos(angle) * up).norm(), 1e-5);
    EXPECT_LT((friction + 0.2 * kG * std::cos(angle) * down).norm(), 1e-5);
    EXPECT_EQ(snapshot.island_of, (std::vector<int>{kNone, 0}));
    EXPECT_EQ(snapshot.islands.size(), 1U);
    EXPECT_EQ(snapshot.quality.sliding, snapshot.quality.resting);
    EXPECT_TRUE(snapshot.contacts[0].errors.slides);
    EXPECT_TRUE(snapshot.record.quality.has_value());
}

// Contacts between the boxes hold by friction; each box's forces add up to its weight.
TEST(ShownContacts, InTheGraspStick) {
    const Scene scene = shipped_scene("grasp");
    LiveScene live(scene, 1);
    forward(live, 20);
    const Snapshot snapshot = look_at(live);
    int sticking = 0;
    std::vector<Vec3> force(scene.model.bodies.size(), Vec3::Zero());
    for (const ShownContact& c : snapshot.contacts) {
        EXPECT_NE(c.state, ContactState::kSliding);
        sticking += c.state == ContactState::kSticking ? 1 : 0;
        force[at(c.body_a)] += c.normal_force + c.friction_force;
        force[at(c.body_b)] -= c.normal_force + c.friction_force;
    }
    EXPECT_GT(sticking, 3);
    EXPECT_LT((force[1] - Vec3(0, 0, kG)).norm(), 1e-6);
    EXPECT_LT((force[2] - Vec3(0, 0, kG)).norm(), 1e-6);
    EXPECT_EQ(snapshot.island_of, (std::vector<int>{0, 0, 0, 0}));
    EXPECT_EQ(snapshot.joints.size(), 2U);
}

TEST(ShownContacts, StatesDoNotDependOnWhetherQualityIsMeasured) {
    LiveScene live(shipped_scene("ramp"), 1);
    forward(live, 20);
    const Snapshot with = look_at(live);
    change_settings(live, [](LiveSettings& s) { s.quality = false; });
    const Snapshot without = look_at(live);
    EXPECT_EQ(without.quality.contacts, 0);
    EXPECT_FALSE(without.contacts.empty());
    ASSERT_EQ(with.contacts.size(), without.contacts.size());
    for (std::size_t i = 0; i < with.contacts.size(); ++i) {
        EXPECT_EQ(with.contacts[i].state, without.contacts[i].state);
        EXPECT_EQ(with.contacts[i].state != ContactState::kOpen, with.contacts[i].errors.rests);
        EXPECT_EQ(with.contacts[i].state == ContactState::kSliding, with.contacts[i].errors.slides);
    }
}

TEST(ShownContacts, IslandsAreThoseOfTheProblem) {
    const Scene scene = shipped_scene("islands");
    LiveScene live(scene, 2);
    forward(live, 200);
    const Snapshot snapshot = look_at(live);
    ASSERT_GT(snapshot.islands.size(), 1U);
    std::set<int> seen;
    for (const ShownContact& c : snapshot.contacts) {
        seen.insert(c.island);
        EXPECT_EQ(snapshot.island_of[at(c.body_a)], c.island);
        const int other = snapshot.island_of[at(c.body_b)];
        EXPECT_TRUE(other == kNone || other == c.island);
    }
    EXPECT_EQ(seen.size(), snapshot.islands.size());  // without joints an island has a contact
}

// The robot stands on its feet: its trunk, which touches nothing, is in the island of the feet.
TEST(ShownContacts, BodiesOfATreeAreInTheIslandOfItsContacts) {
    const Scene scene = shipped_scene("quadruped_flat");
    LiveScene live(scene, 1);
    forward(live, 200);
    const Snapshot snapshot = look_at(live);
    ASSERT_EQ(scene.model.trees.size(), 1U);
    ASSERT_FALSE(snapshot.contacts.empty());
    const int island = snapshot.contacts.front().island;
    ASSERT_NE(island, kNone);
    for (const Tree::Node& node : scene.model.trees.front().nodes)
        EXPECT_EQ(snapshot.island_of[at(node.body)], island)
            << scene.model.bodies[at(node.body)].name;
}

TEST(ShownContacts, BeforeTheFirstStepThereAreNone) {
    LiveScene live(shipped_scene("ramp"), 1);
    const Snapshot snapshot = look_at(live);
    EXPECT_FALSE(snapshot.stepped);
    EXPECT_TRUE(snapshot.contacts.empty());
    EXPECT_TRUE(snapshot.model.empty());
    EXPECT_EQ(snapshot.island_of.size(), 2U);
}

}  // namespace
}  // namespace stiction
