// live_scenes.h - helpers for tests of live scenes.
#pragma once

#include <gtest/gtest.h>

#include <utility>

#include "live/live_scene.h"
#include "scene_runs.h"

namespace stiction {

inline void forward(Player& player, int steps) {
    for (int i = 0; i < steps; ++i) ASSERT_TRUE(player.forward()) << "step " << i;
}

inline void back(Player& player, int steps) {
    for (int i = 0; i < steps; ++i) ASSERT_TRUE(player.back()) << "step " << i;
}

inline std::uint64_t hash_of(const LiveScene& live) { return state_hash(live.simulation().state); }

inline Snapshot look_at(Player& player) {
    Snapshot snapshot;
    player.fill(snapshot);
    return snapshot;
}

template <class Change>
void change_settings(LiveScene& live, const Change& change) {
    LiveSettings settings = live.settings();
    change(settings);
    live.set_settings(settings);
}

inline void use_model(LiveScene& live, const ContactModel& model) {
    change_settings(live, [&](LiveSettings& s) { s.contact = model; });
}

}  // namespace stiction
