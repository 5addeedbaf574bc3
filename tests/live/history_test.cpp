// history_test.cpp - steps that were gone back and taken again have the same bits; the history is
// bounded.
#include "live/history.h"

#include "live/live_scenes.h"
#include "step/simulation.h"

namespace stiction {
namespace {

// Hashes after each of `steps` steps; [0] is the present.
std::vector<std::uint64_t> run(LiveScene& live, int steps) {
    std::vector<std::uint64_t> hashes = {hash_of(live)};
    for (int i = 0; i < steps; ++i) {
        EXPECT_TRUE(live.forward());
        hashes.push_back(hash_of(live));
    }
    return hashes;
}

void expect_same_contacts(const Snapshot& a, const Snapshot& b) {
    ASSERT_EQ(a.contacts.size(), b.contacts.size());
    for (std::size_t i = 0; i < a.contacts.size(); ++i) {
        EXPECT_EQ(a.contacts[i].normal_force, b.contacts[i].normal_force);
        EXPECT_EQ(a.contacts[i].friction_force, b.contacts[i].friction_force);
        EXPECT_EQ(a.contacts[i].point, b.contacts[i].point);
    }
}

class BackAndForward : public testing::TestWithParam<std::string_view> {};

TEST_P(BackAndForward, GivesTheSameBits) {
    LiveScene live(shipped_scene("wall"), 1);
    use_model(live, make_contact_model(GetParam()));
    std::vector<std::uint64_t> hashes = {hash_of(live)};
    std::vector<Snapshot> seen = {look_at(live)};
    for (int i = 0; i < 30; ++i) {
        ASSERT_TRUE(live.forward());
        hashes.push_back(hash_of(live));
        seen.push_back(look_at(live));
    }
    for (std::size_t i = 30; i-- > 7;) {
        ASSERT_TRUE(live.back());
        ASSERT_EQ(hash_of(live), hashes[i]) << i;
        const Snapshot now = look_at(live);
        EXPECT_TRUE(now.stepped);
        EXPECT_EQ(now.record.iterations, seen[i].record.iterations);
        EXPECT_EQ(now.model, GetParam());
        expect_same_contacts(now, seen[i]);
    }
    EXPECT_EQ(look_at(live).history.at, 7);
    EXPECT_EQ(look_at(live).history.ahead, 23);
    for (std::size_t i = 8; i <= 30; ++i) {
        ASSERT_TRUE(live.forward());
        ASSERT_EQ(hash_of(live), hashes[i]) << i;
    }
    EXPECT_EQ(look_at(live).history.ahead, 0);
    back(live, 30);
    EXPECT_EQ(hash_of(live), hashes[0]);
    EXPECT_FALSE(look_at(live).stepped);
    EXPECT_FALSE(live.back());
    forward(live, 30);
    EXPECT_EQ(hash_of(live), hashes[30]);
}

INSTANTIATE_TEST_SUITE_P(Models, BackAndForward, testing::ValuesIn(kContactModelNames),
                         [](const auto& tested) { return std::string(tested.param); });

TEST(History, StepsOfAnotherModelAreTakenAgainByIt) {
    LiveScene live(shipped_scene("stack", {{"boxes", "4"}}), 1);
    const std::vector<std::uint64_t> first = run(live, 10);
    use_model(live, FrictionBox{});
    const std::vector<std::uint64_t> second = run(live, 10);
    for (std::size_t i = 10; i-- > 0;) {
        ASSERT_TRUE(live.back());
        ASSERT_EQ(hash_of(live), second[i]) << i;
    }
    ASSERT_TRUE(live.back());
    EXPECT_EQ(hash_of(live), first[9]);
    EXPECT_EQ(look_at(live).model, "coulomb_lcp");
    // What is shown is what the step had; on again, the switch comes where it came before.
    EXPECT_EQ(look_at(live).settings.contact.index(), ContactModel(CoulombLcp{}).index());
    ASSERT_TRUE(live.forward());
    EXPECT_EQ(hash_of(live), first[10]);
    EXPECT_EQ(look_at(live).model, "coulomb_lcp");
    for (std::size_t i = 1; i <= 10; ++i) {
        ASSERT_TRUE(live.forward());
        ASSERT_EQ(hash_of(live), second[i]) << i;
        EXPECT_EQ(look_at(live).model, "friction_box");
        EXPECT_EQ(look_at(live).settings.contact.index(), ContactModel(FrictionBox{}).index());
    }
    EXPECT_EQ(look_at(live).history.ahead, 0);
    // A model that is chosen in the past makes another future.
    back(live, 15);
    use_model(live, NoSlip{});
    Simulation sim = simulate(live.scene(), NoSlip{});
    sim.state = live.simulation().state;
    ASSERT_EQ(step(sim), StepOutcome::kDone);
    ASSERT_TRUE(live.forward());
    EXPECT_EQ(hash_of(live), state_hash(sim.state));
    EXPECT_EQ(look_at(live).history.ahead, 0);
}

// Back and on again over a change of the narrowphase, which drops the warm starts.
TEST(History, StepsOfBothNarrowphasesComeBack) {
    LiveScene live(shipped_scene("hand3"), 1);
    forward(live, 60);
    const std::vector<std::uint64_t> exact = run(live, 8);
    change_settings(live, [](LiveSettings& s) { s.step.narrowphase = NarrowphaseKind::kBullet; });
    const std::vector<std::uint64_t> bullet = run(live, 8);
    EXPECT_EQ(look_at(live).record.narrowphase, "bullet");
    for (std::size_t i = 8; i-- > 1;) {
        ASSERT_TRUE(live.back());
        ASSERT_EQ(hash_of(live), bullet[i]) << i;
        EXPECT_EQ(look_at(live).record.narrowphase, "bullet");
    }
    for (std::size_t i = 2; i <= 8; ++i) {
        ASSERT_TRUE(live.forward());
        ASSERT_EQ(hash_of(live), bullet[i]) << i;
    }
    back(live, 8);
    EXPECT_EQ(hash_of(live), exact[8]);
    EXPECT_EQ(look_at(live).record.narrowphase, "exact");
    back(live, 4);
    EXPECT_EQ(hash_of(live), exact[4]);
}

TEST(History, ChangedSettingsDropWhatIsAheadUnchangedOnesDoNot) {
    LiveScene live(shipped_scene("ramp"), 1);
    const std::vector<std::uint64_t> hashes = run(live, 20);
    back(live, 10);
    change_settings(live, [](LiveSettings& s) { s.mu_c = 0.5; });
    change_settings(live, [](LiveSettings& s) { s.mu_c.reset(); });  // taken back: no change
    forward(live, 1);
    EXPECT_EQ(look_at(live).history.ahead, 9);
    change_settings(live, [](LiveSettings& s) { s.mu_c = 0.5; });
    forward(live, 1);
    EXPECT_EQ(look_at(live).history.ahead, 0);
    EXPECT_EQ(look_at(live).history.at, 12);
    EXPECT_NE(hash_of(live), hashes[12]);
    back(live, 12);
    EXPECT_EQ(hash_of(live), hashes[0]);
}

TEST(History, ControlsAndDragOfAStepAreThoseItHad) {
    LiveScene live(shipped_scene("motors"), 1);
    forward(live, 5);
    live.set_control(0, 1);
    live.set_drag(Drag{.body = 3, .point_B = {0.1, 0, 0}, .target = {0, 1, 1}});
    const std::vector<std::uint64_t> dragged = run(live, 10);
    live.set_drag({});
    live.set_control(0, 3);
    forward(live, 5);
    back(live, 5);
    EXPECT_EQ(hash_of(live), dragged[10]);
    back(live, 4);
    EXPECT_EQ(hash_of(live), dragged[6]);
    live.set_control(0, 1);
    live.set_drag(Drag{.body = 3, .point_B = {0.1, 0, 0}, .target = {0, 1, 1}});
    forward(live, 4);
    EXPECT_EQ(hash_of(live), dragged[10]);
}

TEST(History, IsBoundedInSteps) {
    LiveScene live(shipped_scene("pendulum"), 1);
    const auto most = static_cast<int>(kMaxHistorySteps);
    forward(live, 10);
    const std::uint64_t tenth = hash_of(live);
    forward(live, most);
    const HistorySpan span = look_at(live).history;
    EXPECT_EQ(span.at, most);
    EXPECT_EQ(span.length, most);
    back(live, most);
    EXPECT_EQ(hash_of(live), tenth);
    EXPECT_FALSE(live.back());
}

HistoryEntry& push(History& history, std::size_t bodies, std::int64_t step) {
    HistoryEntry& entry = history.push();
    entry.scene.state.pose.resize(bodies);
    entry.scene.state.step = step;
    history.filled();
    return entry;
}

TEST(History, IsBoundedInBytes) {
    constexpr std::size_t kBytes = 1 << 20;
    History history(1000, kBytes);
    for (int i = 0; i < 500; ++i) push(history, 100, i);
    const std::size_t most = kBytes / (100 * sizeof(Pose));
    EXPECT_LE(history.taken(), most);
    EXPECT_GT(history.taken(), most * 8 / 10);
    EXPECT_EQ(history.before(1).scene.state.step, 499);
    EXPECT_NEAR(static_cast<double>(history.span().length), static_cast<double>(history.taken()),
                2);
    // An entry larger than all that is allowed: two stay, else there would be no way back.
    for (int i = 0; i < 3; ++i) push(history, 50'000, 500 + i);
    EXPECT_EQ(history.taken(), 2U);
    EXPECT_EQ(history.before(2).scene.state.step, 501);
}

TEST(History, CursorParts) {
    History history(10, 1 << 20);
    for (int i = 0; i < 25; ++i) push(history, 1, i);
    EXPECT_EQ(history.taken(), 10U);
    for (int i = 0; i < 4; ++i) history.retreat();
    EXPECT_EQ(history.taken(), 6U);
    EXPECT_EQ(history.ahead(), 4U);
    EXPECT_EQ(history.next().scene.state.step, 21);
    history.advance();
    EXPECT_EQ(history.before(1).scene.state.step, 21);
    push(history, 1, 100);
    EXPECT_EQ(history.ahead(), 0U);
    EXPECT_EQ(history.taken(), 8U);
    history.pop();
    EXPECT_EQ(history.before(1).scene.state.step, 21);
    history.clear();
    EXPECT_EQ(history.taken(), 0U);
    EXPECT_EQ(history.span().at, 0);
}

}  // namespace
}  // namespace stiction
