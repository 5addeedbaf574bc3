// command_line.h - options that several commands share, and what they make of a scene.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scene/scene.h"

namespace stiction {

inline constexpr int kExitDone = 0;
inline constexpr int kExitFailed = 1;  // the run failed
inline constexpr int kExitUsage = 2;   // bad usage or bad input

// Options that change what a scene says. Text is kept until the scene is read: a wrong value is an
// InputError like any other.
struct SceneOptions {
    std::string scene;                    // path, or name of a shipped scene
    std::string model;                    // empty: as the scene says
    std::string solver;                   // empty: as the scene says
    std::string narrowphase;              // empty: as the scene says
    std::optional<double> h;              // [s]
    std::optional<double> time_budget;    // [s]
    std::string seed;                     // empty: as the scene says
    std::vector<std::string> parameters;  // key=value
    int threads = 1;
};

// All of them; or all but the model and its solver, for a command that takes several.
void add_scene_options(CLI::App& command, SceneOptions& options);
void add_start_options(CLI::App& command, SceneOptions& options);
void add_parameter_options(CLI::App& command, SceneOptions& options);  // --set and --seed
void add_budget_option(CLI::App& command, SceneOptions& options);  // for commands that take steps

// How long a run is.
struct LengthOptions {
    std::optional<double> time;  // [s]
    std::optional<std::int64_t> steps;
};
void add_length_options(CLI::App& command, LengthOptions& options);

// As the options say, otherwise the scene's duration. Throws InputError.
[[nodiscard]] std::int64_t count_steps(const LengthOptions& options, const Scene& scene);

// Reads the scene and applies the options. Throws InputError.
[[nodiscard]] Scene load(const SceneOptions& options);

// Throws InputError for arguments that `command` does not know, with the nearest option.
void refuse_leftovers(const CLI::App& command);

// The words of this program's command line, as a shell would take them again.
[[nodiscard]] std::string command_words();

// What a command starts with: `what` is one line, `examples` are shown below the options.
CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& what,
                      const std::string& examples);

}  // namespace stiction
