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

// A ball in empty space that a force of 1 N pushes: its control 0. With 1e308 N its speed overflows
// in step 18 after that.
inline Scene pushed_ball() {
    Scene scene;
    scene.name = "pushed ball";
    scene.model.gravity.setZero();
    scene.model.materials.push_back({"default", {0.5, 0, 0}});
    Body ball;
    ball.name = "ball";
    ball.mass = 1;
    ball.inertia_B = 0.004 * Mat3::Identity();
    scene.model.bodies = {ball};
    Geom geom;
    geom.body = 0;
    geom.shape = Sphere{0.1};
    scene.model.geoms = {geom};
    finalize(scene.model);
    scene.state.pose.resize(1);
    scene.state.twist.resize(1);
    BodyForce push;
    push.body = 0;
    push.force = {1, 0, 0};
    scene.controls.body_forces = {push};
    scene.contact = NoSlip{};
    scene.step.h = 0.1;
    return scene;
}

inline void push_until_it_fails(LiveScene& live, std::size_t& steps) {
    live.set_control(0, 1e308);
    steps = 0;
    while (steps < 100 && live.forward()) ++steps;
    ASSERT_LT(steps, 100U) << "it did not fail";
}

}  // namespace stiction
