// command_line.cpp - shared options and their checks.
#include "app/command_line.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <string_view>

#include "core/error.h"
#include "core/nearest.h"
#include "core/printable.h"
#include "core/thread_pool.h"
#include "scene/find_scene.h"
#include "step/run_length.h"

namespace stiction {

namespace {

constexpr double kLargestStep = 1;  // [s]; more is a mistake of units, in a scene as well

std::pair<std::string, std::string> split_parameter(const std::string& text) {
    const std::size_t at = text.find('=');
    if (at == 0 || at == std::string::npos || at + 1 == text.size()) {
        throw InputError("--set " + text + ": expected key=value, for example --set boxes=5");
    }
    return {text.substr(0, at), text.substr(at + 1)};
}

std::uint64_t read_seed(const std::string& text) {
    std::uint64_t seed = 0;
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, seed);
    if (read.ec == std::errc{} && read.ptr == end) return seed;
    throw InputError("--seed " + text + ": expected a whole number from 0 to " +
                     std::to_string(std::numeric_limits<std::uint64_t>::max()));
}

}  // namespace

void add_start_options(CLI::App& command, SceneOptions& options) {
    command.add_option("SCENE", options.scene, "A YAML file, or the name of a shipped scene")
        ->required();
    command.add_option("--step", options.h, "Step size in seconds (default: the scene's)");
    command
        .add_option("--threads", options.threads, "Threads, 1 to 256; results do not depend on it")
        ->capture_default_str();
    command.add_option("--narrowphase", options.narrowphase,
                       "Who finds the contacts: exact (closed forms) or bullet (default: the "
                       "scene's)");
    add_parameter_options(command, options);
}

void add_parameter_options(CLI::App& command, SceneOptions& options) {
    command.add_option("--seed", options.seed, "Seed of the scene's random numbers")
        ->type_name("UINT");
    command
        .add_option("--set", options.parameters, "Set a parameter of the scene; may be repeated")
        ->type_name("KEY=VALUE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void add_scene_options(CLI::App& command, SceneOptions& options) {
    add_start_options(command, options);
    command.add_option(
        "--model", options.model,
        "Contact model: viscous, no_slip, coulomb_lcp, max_dissipation, friction_box, coulomb_cone "
        "(default: the scene's)");
    command.add_option("--solver", options.solver, "Solver of the model (default: the scene's)");
}

void add_budget_option(CLI::App& command, SceneOptions& options) {
    command.add_option("--time-budget", options.time_budget,
                       "Wall-clock time of a step in seconds: solvers that are not done by then "
                       "return their best iterate, and results depend on the clock (default: the "
                       "scene's; 0: none)");
}

void add_length_options(CLI::App& command, LengthOptions& options) {
    CLI::Option* time = command.add_option(
        "--time", options.time, "Simulate this long, in seconds (default: the scene's duration)");
    command.add_option("--steps", options.steps, "Take this many steps, at most 1e9")
        ->excludes(time);
}

std::int64_t count_steps(const LengthOptions& options, const Scene& scene) {
    if (options.steps) {
        if (*options.steps < 0 || *options.steps > kMaxSteps) {
            throw InputError("--steps " + std::to_string(*options.steps) + ": expected 0 to " +
                             std::to_string(kMaxSteps));
        }
        return *options.steps;
    }
    const double time = options.time.value_or(scene.duration);
    if (!(time >= 0 && std::isfinite(time)))
        throw InputError("--time: must be a finite number >= 0 s");
    const double steps = steps_in(time, scene.step.h);
    if (steps > static_cast<double>(kMaxSteps)) {
        throw InputError("the run would take more than " + std::to_string(kMaxSteps) +
                         " steps; choose a shorter --time or a larger --step");
    }
    return static_cast<std::int64_t>(steps);
}

Scene load(const SceneOptions& options) {
    if (options.threads < 1 || options.threads > kMaxThreads) {
        throw InputError("--threads " + std::to_string(options.threads) + ": expected 1 to " +
                         std::to_string(kMaxThreads));
    }
    if (options.h && !(*options.h > 0 && *options.h <= kLargestStep)) {
        throw InputError("--step: expected more than 0 and at most 1 s");
    }
    if (options.time_budget &&
        !(*options.time_budget >= 0 && std::isfinite(*options.time_budget))) {
        throw InputError("--time-budget: must be a finite number >= 0 s");
    }
    SceneOverrides overrides;
    for (const std::string& text : options.parameters) {
        overrides.parameters.push_back(split_parameter(text));
    }
    overrides.has_seed = !options.seed.empty();
    if (overrides.has_seed) overrides.seed = read_seed(options.seed);
    Scene scene = load_scene(find_scene(options.scene), overrides);
    for (const std::string& warning : scene.warnings) spdlog::warn("{}", printable(warning));
    if (options.h) scene.step.h = *options.h;
    if (options.time_budget) scene.step.time_budget = *options.time_budget;
    if (!options.narrowphase.empty()) choose_narrowphase(options.narrowphase, scene.step);
    choose_model(options.model, options.solver, scene);
    return scene;
}

void refuse_leftovers(const CLI::App& command) {
    const std::vector<std::string> left = command.remaining();
    if (left.empty()) return;
    std::string wrong = left.front();
    for (const std::string& argument :
         left) {  // a misspelt option lets its value spill over: name the option
        if (argument.starts_with("-")) {
            wrong = argument.substr(0, argument.find('='));
            break;
        }
    }
    if (!wrong.starts_with("-")) {
        const bool root = command.get_parent() == nullptr;
        throw InputError("unexpected argument '" + wrong + "'; see stiction " +
                         (root ? "" : command.get_name() + " ") + "--help");
    }
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options()) {
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
    throw InputError("unknown option '" + wrong + "'" +
                     suggestion(wrong, std::vector<std::string_view>(names.begin(), names.end())));
}

std::string command_words() {
    std::ifstream file("/proc/self/cmdline", std::ios::binary);
    std::string text = "stiction", word;
    std::getline(file, word, '\0');  // the program
    while (std::getline(file, word, '\0')) {
        const bool plain = word.find_first_not_of(
                               "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                               "-_=+.,:/@%") == std::string::npos;
        text += " ";
        if (plain && !word.empty()) {
            text += word;
            continue;
        }
        text += '\'';
        for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
        text += '\'';
    }
    return text;
}

CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& what,
                      const std::string& examples) {
    CLI::App* command = app.add_subcommand(name, what);
    command->allow_extras();  // refuse_leftovers words the message
    command->footer("Examples:\n" + examples);
    return command;
}

}  // namespace stiction
