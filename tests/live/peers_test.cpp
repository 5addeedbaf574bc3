// peers_test.cpp - scenes side by side move as they would alone, go back with the scene, and where
// two of them part is found.
#include "live/peers.h"

#include "live/live_scenes.h"
#include "step/simulation.h"

namespace stiction {
namespace {

PeerSettings peer(std::string_view model, int parts = 1) {
    return {make_contact_model(model), {}, parts};
}

TEST(Peers, MoveAsTheyWouldAlone) {
    const Scene scene = shipped_scene("ramp");
    LiveScene live(scene, 1);
    live.set_peers({peer("no_slip"), peer("coulomb_cone", 4)});
    forward(live, 100);
    const Snapshot now = look_at(live);
    ASSERT_EQ(now.peers.size(), 2U);
    Simulation first = simulate(scene, make_contact_model("no_slip"));
    for (int i = 0; i < 100; ++i) ASSERT_EQ(step(first), StepOutcome::kDone);
    EXPECT_EQ(state_hash(now.peers[0].ghost.state), state_hash(first.state));
    Scene finer = scene;
    finer.step.h /= 4;
    Simulation second = simulate(finer, make_contact_model("coulomb_cone"));
    for (int i = 0; i < 400; ++i) ASSERT_EQ(step(second), StepOutcome::kDone);
    EXPECT_EQ(state_hash(now.peers[1].ghost.state), state_hash(second.state));
    EXPECT_NEAR(now.peers[1].ghost.state.time, now.state.time, 1e-12);
    EXPECT_FALSE(now.peers[0].contacts.empty());
    EXPECT_EQ(now.peers[0].ghost.record.model, "no_slip");
}

TEST(Peers, GoBackAndOnWithTheSameBits) {
    LiveScene live(shipped_scene("ramp"), 1);
    live.set_peers({peer("no_slip"), peer("friction_box")});
    std::vector<std::uint64_t> seen;
    const auto hash = [&] {
        const Snapshot now = look_at(live);
        return state_hash(now.peers[0].ghost.state) ^ (state_hash(now.peers[1].ghost.state) << 1U);
    };
    seen.push_back(hash());
    for (int i = 0; i < 40; ++i) {
        ASSERT_TRUE(live.forward());
        seen.push_back(hash());
    }
    for (const std::int64_t step : {20, 5, 33, 40, 1}) {
        live.seek(step);
        EXPECT_EQ(hash(), seen[static_cast<std::size_t>(step)]) << step;
    }
    for (std::size_t i = 2; i <= 40; ++i) {
        ASSERT_TRUE(live.forward());
        EXPECT_EQ(hash(), seen[i]) << i;
    }
}

// On a ramp steeper than friction holds, no_slip stays and the cone slides from the first step on.
TEST(Peers, TheFirstPartingIsNamed) {
    Scene scene = shipped_scene("ramp");
    choose_model("coulomb_cone", "", scene);
    LiveScene live(scene, 1);
    live.set_peers({peer("no_slip"), peer("coulomb_cone"), peer("coulomb_cone", 2)});
    forward(live, 60);
    const Snapshot now = look_at(live);
    const auto find = [&](std::size_t a, std::size_t b) -> const Parting* {
        for (const Parting& p : now.partings) {
            if (p.a == a && p.b == b) return &p;
        }
        return nullptr;
    };
    const Parting* parting = find(0, 1);
    ASSERT_NE(parting, nullptr);
    EXPECT_EQ(scene.model.bodies[at(parting->body)].name, "cube");
    EXPECT_NE(parting->other, kNone);
    EXPECT_EQ(parting->does[0], ContactState::kSliding);
    EXPECT_EQ(parting->does[1], ContactState::kSticking);
    EXPECT_GT(parting->speed, 1e-3);
    EXPECT_EQ(find(0, 2), nullptr);  // the same model: never
    EXPECT_NE(find(1, 2), nullptr);
    // It stays what it is when the run goes back, and is found anew in another future.
    const std::int64_t step = parting->step;
    live.seek(step + 10);
    EXPECT_FALSE(look_at(live).partings.empty());
    live.seek(0);
    use_model(live, make_contact_model("no_slip"));
    forward(live, 30);
    const Snapshot other = look_at(live);
    for (const Parting& p : other.partings) EXPECT_FALSE(p.a == 0 && p.b == 1) << p.step;
}

TEST(Peers, OneThatFailsStopsAlone) {
    LiveScene live(pushed_ball(), 1);
    live.set_peers({peer("coulomb_cone")});
    forward(live, 2);
    live.set_peers({});
    EXPECT_TRUE(look_at(live).peers.empty());
    live.set_peers(std::vector<PeerSettings>(9, peer("no_slip")));
    EXPECT_EQ(look_at(live).peers.size(), kMostPeers);
    forward(live, 2);
}

}  // namespace
}  // namespace stiction
