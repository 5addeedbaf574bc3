// ghost_test.cpp - the ghost is a run of its own beside the scene.
#include "live/ghost.h"

#include "live/live_scenes.h"
#include "step/simulation.h"

namespace stiction {
namespace {

TEST(Ghost, EqualsASeparateRunAndItsDistanceIsRight) {
    const Scene scene = shipped_scene("ramp");
    LiveScene live(scene, 1);
    Simulation sim = simulate(scene, scene.contact);
    forward(live, 10);
    for (int i = 0; i < 10; ++i) ASSERT_EQ(step(sim), StepOutcome::kDone);
    live.set_ghost(ContactModel(NoSlip{}));
    EXPECT_EQ(look_at(live).ghost->distance_max, 0);
    Simulation other = simulate(scene, NoSlip{});
    other.state = sim.state;
    for (int i = 0; i < 50; ++i) {
        ASSERT_EQ(step(sim), StepOutcome::kDone);
        ASSERT_EQ(step(other), StepOutcome::kDone);
        ASSERT_TRUE(live.forward());
    }
    const Snapshot snapshot = look_at(live);
    ASSERT_TRUE(snapshot.ghost.has_value());
    EXPECT_EQ(hash_of(live), state_hash(sim.state));  // the scene does not notice
    EXPECT_EQ(state_hash(snapshot.ghost->state), state_hash(other.state));
    EXPECT_EQ(snapshot.ghost->record.model, "no_slip");
    EXPECT_EQ(snapshot.ghost->record.step, 60);
    const std::size_t cube = body_named(scene.model, "cube");
    const double apart = (sim.state.pose[cube].p - other.state.pose[cube].p).norm();
    EXPECT_GT(apart, 1e-3);  // one slides, one stays
    EXPECT_EQ(snapshot.ghost->distance_max, apart);
    EXPECT_NEAR(snapshot.ghost->distance_rms, apart, 1e-15);  // of one body
    EXPECT_EQ(snapshot.ghost->furthest, static_cast<int>(cube));
    live.set_ghost({});
    EXPECT_FALSE(look_at(live).ghost.has_value());
}

// The same model with Bullet's contacts: a run of its own, whose contacts are compared with those of
// the scene's narrowphase.
TEST(Ghost, MayHaveAnotherNarrowphase) {
    const Scene scene = shipped_scene("hand3");
    LiveScene live(scene, 1);
    live.set_ghost(scene.contact, NarrowphaseKind::kBullet);
    Scene own = scene;
    own.step.narrowphase = NarrowphaseKind::kBullet;
    Simulation other = simulate(own, own.contact);
    for (int i = 0; i < 80; ++i) {
        ASSERT_EQ(step(other), StepOutcome::kDone);
        ASSERT_TRUE(live.forward());
    }
    const Snapshot snapshot = look_at(live);
    EXPECT_EQ(state_hash(snapshot.ghost->state), state_hash(other.state));
    EXPECT_EQ(snapshot.ghost->record.narrowphase, "bullet");
    EXPECT_EQ(snapshot.record.narrowphase, "exact");
    ASSERT_TRUE(snapshot.ghost->contacts);
    EXPECT_LT(snapshot.ghost->contacts->gap, 1e-4);
    // The scene goes over to it too: there is nothing left to compare.
    change_settings(live, [](LiveSettings& s) { s.step.narrowphase = NarrowphaseKind::kBullet; });
    forward(live, 1);
    EXPECT_EQ(look_at(live).record.narrowphase, "bullet");
    EXPECT_FALSE(look_at(live).ghost->contacts);
    // A ghost that follows the scene's.
    live.set_ghost(scene.contact);
    forward(live, 2);
    EXPECT_EQ(look_at(live).ghost->record.narrowphase, "bullet");
}

TEST(Ghost, GetsTheSameSettingsControlsAndDrag) {
    const Scene scene = shipped_scene("motors");
    LiveScene live(scene, 1);
    live.set_ghost(scene.contact);  // the same model: any difference is of something else
    forward(live, 5);
    live.set_control(0, -1);
    change_settings(live, [](LiveSettings& s) {
        s.step.h = 0.002;
        s.mu_c = 0.1;
        s.threads = 2;
    });
    live.set_drag(Drag{.body = 1, .point_B = {0.1, 0, 0}, .target = {0, 0, 1}});
    forward(live, 30);
    EXPECT_EQ(state_hash(look_at(live).ghost->state), hash_of(live));
}

TEST(Ghost, GoesBackAndForwardWithTheScene) {
    LiveScene live(shipped_scene("wall"), 1);
    forward(live, 3);
    live.set_ghost(ContactModel(FrictionBox{}));
    std::vector<std::uint64_t> hashes;
    for (int i = 0; i < 12; ++i) {
        hashes.push_back(state_hash(look_at(live).ghost->state));
        forward(live, 1);
    }
    const std::uint64_t end = state_hash(look_at(live).ghost->state);
    for (std::size_t i = 12; i-- > 0;) {
        ASSERT_TRUE(live.back());
        EXPECT_EQ(state_hash(look_at(live).ghost->state), hashes[i]) << i;
    }
    forward(live, 12);
    EXPECT_EQ(state_hash(look_at(live).ghost->state), end);
    // Before it was there, it starts from the scene's state.
    back(live, 14);
    EXPECT_EQ(look_at(live).ghost->distance_max, 0);
    EXPECT_EQ(state_hash(look_at(live).ghost->state), hash_of(live));
    live.reset();
    EXPECT_EQ(state_hash(look_at(live).ghost->state), hash_of(live));
}

TEST(Ghost, ItsFailureDoesNotStopTheScene) {
    LiveScene live(shipped_scene("grasp"), 1);
    live.set_ghost(ContactModel(Viscous{.level = ViscousLevel::kAcceleration}));
    change_settings(live, [](LiveSettings& s) { s.mu_v = 1e200; });  // explicit: it blows up
    forward(live, 3000);
    const Snapshot snapshot = look_at(live);
    EXPECT_EQ(snapshot.failure, "");
    EXPECT_NE(snapshot.ghost->failure.find("not finite"), std::string::npos);
    EXPECT_TRUE(is_finite(snapshot.ghost->state));
    live.reset();
    EXPECT_EQ(look_at(live).ghost->failure, "");
}

}  // namespace
}  // namespace stiction
