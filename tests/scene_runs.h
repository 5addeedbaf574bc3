// scene_runs.h - helpers for tests that step shipped scenes.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "scene/scene.h"
#include "step/simulation.h"

namespace stiction {

inline constexpr double kGravity = 9.81;  // where a scene says nothing else [m/s^2]

using Parameters = std::vector<std::pair<std::string, std::string>>;

// A parameter's value with all its digits.
inline std::string exactly(double value) {
    std::array<char, 32> text{};
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

inline Scene shipped_scene(const std::string& name, const Parameters& parameters = {}) {
    SceneOverrides overrides;
    overrides.parameters = parameters;
    return load_scene("scenes/" + name + ".yaml", overrides);
}

// As shipped, but for what takes minutes with some model: that is small here, and has its own tests
// (granular_test.cpp, structures_test.cpp, grains_test.cpp).
inline Scene small_scene(const std::string& name) {
    const std::map<std::string, Parameters> small = {
        {"arch", {{"stones", "5"}, {"thickness", "0.3"}}},
        {"brick_wall", {{"courses", "2"}, {"bricks", "2"}}},
        {"cards", {{"levels", "1"}}},
        {"engine", {{"cylinders", "1"}}},
        {"granular", {{"count", "40"}}},
        {"hourglass", {{"grains", "30"}}},
        {"kapla", {{"layers", "4"}}},
        {"loader", {{"rocks", "8"}}},
        {"logpile", {{"logs", "6"}}},
        {"mixed_pile", {{"count", "12"}}},
        {"pyramid", {{"levels", "2"}}},
        {"repose", {{"grains", "30"}}},
    };
    const auto found = small.find(name);
    return shipped_scene(name, found == small.end() ? Parameters{} : found->second);
}

inline Simulation simulate(const Scene& scene, const ContactModel& model, int threads = 1) {
    return make_simulation(scene.model, scene.state, scene.controls, model, scene.step, threads);
}

inline ContactModel model_named(const std::string& model, const std::string& solver = "auto") {
    ContactModel result = make_contact_model(model);
    set_solver(result, solver);
    return result;
}

inline std::size_t body_named(const Model& model, const std::string& name) {
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        if (model.bodies[i].name == name) return i;
    }
    ADD_FAILURE() << "no body named " << name;
    return 0;
}

// Of the hands' scenes: `glass`, or `glass_0` where a ball may take its place.
inline std::size_t glass_of(const Model& model) {
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        if (model.bodies[i].name.rfind("glass", 0) == 0) return i;
    }
    ADD_FAILURE() << "no glass";
    return 0;
}

// Takes `count` steps and expects each to end with status solved.
inline void take_steps(Simulation& sim, int count) {
    for (int i = 0; i < count; ++i) {
        ASSERT_EQ(step(sim), StepOutcome::kDone) << describe_failure(sim);
        ASSERT_EQ(sim.frame.solution.status, SolveStatus::kSolved)
            << "step " << i << ": " << name(sim.frame.solution.status);
    }
}

inline double deepest_overlap(const Simulation& sim) {
    double depth = 0;
    for (const Contact& c : sim.frame.contacts.contacts) depth = std::max(depth, -c.phi);
    return depth;
}

}  // namespace stiction
