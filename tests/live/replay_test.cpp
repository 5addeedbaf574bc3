// replay_test.cpp - a recording played back is what was recorded.
#include "live/replay.h"

#include "core/error.h"
#include "live/live_scenes.h"

namespace stiction {
namespace {

Trajectory record(const Scene& scene, int steps, std::vector<Snapshot>& seen) {
    LiveScene live(scene, 1);
    Trajectory trajectory;
    trajectory.header.scene = scene.name;
    trajectory.header.model = name(scene.contact);
    for (const Body& body : scene.model.bodies) trajectory.header.bodies.push_back(body.name);
    for (const Joint& joint : scene.model.joints) trajectory.header.joints.push_back(joint.name);
    TrajectorySample sample;
    sample_state(scene.model, scene.state, sample);
    trajectory.samples.push_back(sample);
    seen.push_back(look_at(live));
    for (int i = 0; i < steps; ++i) {
        EXPECT_TRUE(live.forward());
        sample_step(live.simulation(), sample);
        trajectory.samples.push_back(sample);
        seen.push_back(look_at(live));
    }
    return trajectory;
}

class ReplayTest : public testing::Test {
  protected:
    Scene scene = shipped_scene("ramp");
    std::vector<Snapshot> seen;
    Trajectory trajectory = record(scene, 20, seen);
};

TEST_F(ReplayTest, EqualsTheTrajectory) {
    Replay replay(scene, trajectory);
    for (std::size_t i = 0; i < seen.size(); ++i) {
        ASSERT_TRUE(i == 0 || replay.forward());
        EXPECT_EQ(replay.time(), seen[i].state.time);
        const Snapshot now = look_at(replay);
        EXPECT_EQ(state_hash(now.state), state_hash(seen[i].state));
        EXPECT_EQ(now.state.step, seen[i].state.step);
        EXPECT_EQ(now.stepped, i > 0);
        ASSERT_EQ(now.contacts.size(), seen[i].contacts.size());
        for (std::size_t k = 0; k < now.contacts.size(); ++k) {
            const ShownContact& a = now.contacts[k];
            const ShownContact& b = seen[i].contacts[k];
            EXPECT_LT((a.normal_force - b.normal_force).norm(), 1e-9);
            EXPECT_LT((a.friction_force - b.friction_force).norm(), 1e-9);
            EXPECT_LT((a.slip - b.slip).norm(), 1e-9);
            EXPECT_EQ(a.state, b.state);
            EXPECT_EQ(a.point, b.point);
        }
        EXPECT_EQ(now.duration, trajectory.samples.back().time);
        EXPECT_EQ(now.history.at, static_cast<std::int64_t>(i));
        EXPECT_EQ(now.history.ahead, static_cast<std::int64_t>(20 - i));
    }
    EXPECT_FALSE(replay.forward());
    std::vector<StepRecord> records;
    replay.take_records(records);
    ASSERT_EQ(records.size(), 20U);
    EXPECT_EQ(records[4].step, 5);
    EXPECT_EQ(records[4].model, "coulomb_lcp");
    EXPECT_EQ(records[4].kinetic, seen[5].record.kinetic);
    EXPECT_EQ(records[4].contacts, seen[5].record.contacts);
}

TEST_F(ReplayTest, SeeksBackwardsAndForwards) {
    trajectory.samples.erase(trajectory.samples.begin() + 3, trajectory.samples.begin() + 7);
    Replay replay(scene, trajectory);
    replay.seek_time(0.0025);
    EXPECT_EQ(look_at(replay).state.step, 2);
    EXPECT_NEAR(replay.h(), 0.005, 1e-12);  // samples of steps 3 to 6 are missing
    replay.seek_time(0.0065);
    EXPECT_EQ(look_at(replay).state.step, 2);
    replay.seek_time(trajectory.samples[3].time);
    EXPECT_EQ(look_at(replay).state.step, 7);
    EXPECT_NEAR(replay.h(), 0.001, 1e-12);
    replay.seek_time(99);
    EXPECT_EQ(look_at(replay).state.step, 20);
    ASSERT_TRUE(replay.back());
    EXPECT_EQ(look_at(replay).state.step, 19);
    replay.seek_time(-1);
    EXPECT_EQ(replay.time(), 0);
    EXPECT_FALSE(replay.back());
    replay.seek_time(0.01);
    replay.reset();
    EXPECT_EQ(replay.time(), 0);
}

TEST_F(ReplayTest, RefusesARecordingOfAnotherScene) {
    Trajectory other = trajectory;
    other.header.bodies[1] = "ball";
    EXPECT_THROW(Replay(scene, other), InputError);
    other = trajectory;
    other.header.joints.emplace_back("hinge");
    EXPECT_THROW(Replay(scene, other), InputError);
    other = trajectory;
    other.samples.clear();
    EXPECT_THROW(Replay(scene, other), InputError);
}

TEST_F(ReplayTest, OfOneSampleStandsStill) {
    trajectory.samples.resize(1);
    Replay replay(scene, trajectory);
    EXPECT_FALSE(replay.forward());
    EXPECT_FALSE(replay.back());
    EXPECT_GT(replay.h(), 0);
    EXPECT_FALSE(look_at(replay).stepped);
}

}  // namespace
}  // namespace stiction
