// ball_on_plane.h - a small simulation for the tests of recording: a ball that starts on the ground
// and slides.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "step/simulation.h"

namespace stiction::test {

inline Simulation ball_on_plane() {
    Model model;
    model.materials.push_back({"default", {0.5, 0, 0}});
    Body ground;
    ground.name = "ground";
    ground.kind = BodyKind::kStatic;
    Body ball;
    ball.name = "ball";
    ball.mass = 2;
    ball.inertia_B = 0.1 * Mat3::Identity();
    model.bodies = {ground, ball};
    Geom plane;
    plane.body = 0;
    plane.shape = Plane{};
    Geom sphere;
    sphere.body = 1;
    sphere.shape = Sphere{0.5};
    model.geoms = {plane, sphere};
    finalize(model);
    State state;
    state.pose.resize(2);
    state.twist.resize(2);
    state.pose[1].p = {0, 0, 0.5};
    state.twist[1].v = {1, 0.3, 0};
    return make_simulation(model, state, {}, CoulombLcp{}, {}, 1);
}

// A folder of its own, removed with its content.
class ScratchFolder {
  public:
    explicit ScratchFolder(const std::string& name)
        : path_(std::filesystem::temp_directory_path() /
                ("stiction_" + name + "_" + std::to_string(getpid()))) {
        std::filesystem::create_directories(path_);
    }
    ~ScratchFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    [[nodiscard]] std::string operator/(const std::string& name) const {
        return (path_ / name).string();
    }
    [[nodiscard]] bool is_empty() const { return std::filesystem::is_empty(path_); }

  private:
    std::filesystem::path path_;
};

inline std::string read_text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline void write_text(const std::string& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

// The message of the exception of type Error that `action` throws; empty when it throws none.
template <class Error, class Action>
std::string message_of(const Action& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

}  // namespace stiction::test
