// frame_scene.cpp - finds the scene of a recorded run, or makes boxes.
#include "live/frame_scene.h"

#include <unistd.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>

#include "core/error.h"
#include "core/input_file.h"
#include "scene/find_scene.h"

namespace stiction {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestScene = 1U << 20U;  // [bytes], what readers take as one text

std::string text_of(const Hdf5Content& manifest, const std::string& name) {
    const Hdf5Array* array = manifest.find(name);
    const auto* texts =
        array == nullptr ? nullptr : std::get_if<std::vector<std::string>>(&array->values);
    return texts != nullptr && texts->size() == 1 ? texts->front() : "";
}

// Signs that a shell may take for its own stand in ' '.
std::string quoted(const std::string& word) {
    const bool plain = word.find_first_not_of(
                           "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                           "-_=+.,:/@%") == std::string::npos;
    return plain ? word : "'" + word + "'";
}

// As they were written: words with other signs stand in ' '.
std::vector<std::string> command_words(const std::string& command) {
    std::vector<std::string> words(1);
    bool quoted = false;
    for (const char c : command) {
        if (c == '\'') {
            quoted = !quoted;
        } else if (c == ' ' && !quoted) {
            words.emplace_back();
        } else {
            words.back() += c;
        }
    }
    return words;
}

// Parameters and seed decide how many bodies there are.
SceneOverrides overrides_of(const std::vector<std::string>& words) {
    SceneOverrides overrides;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const auto value = [&](std::string_view option) -> std::string {
            if (words[i] == option && i + 1 < words.size()) return words[i + 1];
            const std::string start = std::string(option) + "=";
            return words[i].starts_with(start) ? words[i].substr(start.size()) : "";
        };
        const std::string set = value("--set"), seed = value("--seed");
        if (const std::size_t equal = set.find('='); equal != std::string::npos)
            overrides.parameters.emplace_back(set.substr(0, equal), set.substr(equal + 1));
        if (seed.empty() || seed.find_first_not_of("0123456789") != std::string::npos) continue;
        overrides.has_seed = true;
        overrides.seed = std::strtoull(seed.c_str(), nullptr, 10);
    }
    return overrides;
}

// The file of the run, where one that the command names has the same text still: what it includes
// lies beside it.
std::string find_file(const std::vector<std::string>& words, const std::string& text) {
    for (const std::string& word : words) {
        if (word.empty() || word.starts_with('-')) continue;
        try {
            const std::string path = find_scene(word);
            if (read_input_file(path, "a scene (.yaml)", kLongestScene) == text) return path;
        } catch (const InputError&) {
            continue;
        }
    }
    return "";
}

std::optional<Scene> load_text(const std::string& text, const SceneOverrides& overrides) {
    std::string folder = (fs::temp_directory_path() / "stiction_XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr) return std::nullopt;
    const std::string path = folder + "/scene.yaml";
    std::ofstream(path, std::ios::binary) << text;
    std::optional<Scene> scene;
    try {
        scene = load_scene(path, overrides);
    } catch (const InputError&) {
        scene.reset();
    }
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    return scene;
}

std::optional<Scene> recorded_scene(const Hdf5Content& manifest) {
    const std::string text = text_of(manifest, "scene");
    if (text_of(manifest, "toolkit") != "stiction" || text.empty()) return std::nullopt;
    const std::vector<std::string> words = command_words(text_of(manifest, "command"));
    const SceneOverrides overrides = overrides_of(words);
    const std::string path = find_file(words, text);
    if (path.empty()) return load_text(text, overrides);
    try {
        return load_scene(path, overrides);
    } catch (const InputError&) {
        return std::nullopt;
    }
}

// The bodies of a frame are those of its scene that are not static, in their order.
bool place_bodies(const ProblemFrame& frame, FrameScene& out) {
    const std::vector<Body>& bodies = out.scene.model.bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (bodies[i].kind != BodyKind::kStatic) out.bodies.push_back(static_cast<int>(i));
    }
    if (out.bodies.size() != frame.bodies.size()) return false;
    for (std::size_t k = 0; k < frame.bodies.size(); ++k) {
        const double mass = bodies[at(out.bodies[k])].mass;
        if (frame.bodies[k].active && std::abs(frame.bodies[k].mass - mass) > 1e-9 * mass)
            return false;
    }
    return true;
}

// Half extents of the box that has these principal moments: I_x = m/3 (b^2 + c^2) and so on.
Vec3 box_of(double mass, const Vec3& moments) {
    Vec3 half;
    for (int i = 0; i < 3; ++i) {
        const double square = 1.5 * (moments.sum() - 2 * moments[i]) / mass;
        half[i] = std::sqrt(std::max(square, 1e-12));
    }
    return half;
}

FrameScene boxes_of(const std::string& path, const ProblemFrame& frame) {
    FrameScene out;
    out.has_shapes = false;
    out.scene.path = path;
    out.scene.name = fs::path(path).stem().string();
    out.scene.description = "Boxes of the mass and inertia that the frame has: it holds no shapes.";
    Model& model = out.scene.model;
    model.name = out.scene.name;
    double size = 0;  // of the last box: bodies that do not move have no mass
    for (std::size_t k = 0; k < frame.bodies.size(); ++k) {
        const FrameBody& from = frame.bodies[k];
        Body body;
        body.name = "body " + std::to_string(k + 1);
        body.kind = from.active ? BodyKind::kDynamic : BodyKind::kKinematic;
        body.mass = from.mass;
        Geom geom;
        geom.body = static_cast<int>(k);
        geom.shape = Box{Vec3::Constant(size > 0 ? size : 0.1)};
        if (from.mass > 0) {
            const Mat3 R = from.q.toRotationMatrix();
            const Eigen::SelfAdjointEigenSolver<Mat3> axes(R.transpose() * from.inertia * R);
            Mat3 turn = axes.eigenvectors();
            if (turn.determinant() < 0) turn.col(0) *= -1;
            const Vec3 half = box_of(from.mass, axes.eigenvalues());
            geom.shape = Box{half};
            geom.pose_BG.q = Quat(turn);
            size = half.maxCoeff();
        }
        model.bodies.push_back(body);
        model.geoms.push_back(geom);
        out.bodies.push_back(static_cast<int>(k));
        out.scene.state.pose.push_back({from.p, from.q});
        out.scene.state.twist.emplace_back();
    }
    return out;
}

}  // namespace

DatasetManifest make_manifest(const Scene& scene, const std::string& command,
                              const std::string& version) {
    DatasetManifest manifest;
    manifest.description = scene.name + ": " + scene.description;
    try {
        manifest.scene = read_input_file(scene.path, "a scene (.yaml)", kLongestScene);
    } catch (const InputError&) {
        manifest.scene = "(longer than 1 MiB)";
    }
    manifest.command = command;
    manifest.date = date_now();
    manifest.version = version;
    return manifest;
}

std::string command_for(const Scene& scene) {
    std::string text = "stiction run " + quoted(scene.path);
    for (const auto& [key, value] : scene.parameters) {
        std::array<char, 40> number{};
        std::snprintf(number.data(), number.size(), "%.17g", value);
        text += " --set " + key + "=" + number.data();
    }
    return text + " --seed " + std::to_string(scene.seed);
}

FrameScene make_frame_scene(const Dataset& file, std::size_t index, const ProblemFrame& frame) {
    FrameScene out;
    if (std::optional<Scene> scene = recorded_scene(file.manifest(index))) {
        out.scene = std::move(*scene);
        out.scene.path = file.path();
    }
    if (out.scene.model.bodies.empty() || !place_bodies(frame, out))
        out = boxes_of(file.path(), frame);
    Body world;
    world.name = "world";
    world.kind = BodyKind::kStatic;
    out.scene.model.bodies.push_back(world);
    out.scene.state.pose.emplace_back();
    out.scene.state.twist.emplace_back();
    return out;
}

}  // namespace stiction
