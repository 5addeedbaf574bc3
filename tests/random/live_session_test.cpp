// Random scenes used as in the window, and what a session is made of.
#include "random/live_session.h"

#include "random/seed_checks.h"
#include "random/temporary_file.h"

namespace stiction {
namespace {

TEST(LiveSessions, ShowNothingThatPlainRunsDoNot) {
    const Survey result =
        survey({.first = 1, .last = 60, .repeated_every = 10, .seconds = 2, .live = true});
    expect_only_known_faults(result);
}

TEST(LiveSessions, HaveEveryDeed) {
    std::array<int, kDeedNames.size()> counts{};
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        for (const Action& action : random_session(seed).actions)
            ++counts[static_cast<std::size_t>(action.deed)];
    }
    for (std::size_t i = 0; i < counts.size(); ++i) EXPECT_GT(counts[i], 20) << kDeedNames[i];
}

TEST(LiveSessions, AreTheSameFromTheirText) {
    for (const std::uint64_t seed : {3U, 4U, 5U}) {
        const Session session = random_session(seed);
        const TemporaryFile file(".yaml", to_text(session));
        const RunReport direct = run_session(session);
        const RunReport read = run_session_file(file.path(), 1);
        EXPECT_EQ(read.hash, direct.hash) << seed;
        EXPECT_EQ(read.steps, direct.steps) << seed;
    }
}

// A session that fails as long as it switches to friction_box and has a body.
TEST(LiveSessions, AreShrunkToWhatFails) {
    Session session = random_session(3);
    session.actions.push_back({2, Deed::kModel, "friction_box", "auto", 0, 0, 0, Vec3::Zero()});
    const Session small = shrink_session(
        session,
        [](const Session& s) {
            return !s.scene.bodies.empty() &&
                   std::any_of(s.actions.begin(), s.actions.end(), [](const Action& a) {
                       return a.deed == Deed::kModel && a.name == "friction_box";
                   });
        },
        1000);
    EXPECT_EQ(small.actions.size(), 1U);
    EXPECT_EQ(small.scene.bodies.size(), 1U);
}

}  // namespace
}  // namespace stiction
