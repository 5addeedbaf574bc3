// view_command.cpp - stiction view: opens the window on a scene.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "app/command_line.h"
#include "app/commands.h"
#include "app/film_options.h"
#include "app/interrupt.h"
#include "core/error.h"
#include "problem_files/dataset.h"
#include "scene/find_scene.h"
#include "view/input/keys.h"
#include "view/ui.h"
#include "view/view.h"

namespace stiction {

namespace {

constexpr const char* kViewExamples =
    "  stiction grasp                                   the window on a shipped scene\n"
    "  stiction view my.yaml --model coulomb_cone --paused\n"
    "  stiction view granular --set count=300 --scale 1.5\n"
    "  stiction view wall.h5 --frame 12                 a frame of a dataset\n"
    "Space plays and pauses, 1 to 6 switch the contact model, F3 is the timing overlay, F1 lists "
    "all keys.";

// The loop asks once per frame, which may take long without a graphics card.
constexpr std::chrono::milliseconds kWindowGrace{1000};

struct ViewCommandOptions {
    SceneOptions scene;
    ViewOptions view;
    std::string size;
    std::optional<std::int64_t> frame;
    bool keys = false;
};

// As docs/window.md has it.
void print_keys() {
    std::string_view group;
    for (const KeyBinding& binding : key_bindings()) {
        const bool first = binding.group != group;
        group = binding.group;
        std::printf("| %s | %s | %s |\n", first ? std::string(group).c_str() : "",
                    key_text(binding).c_str(), std::string(binding.text).c_str());
    }
}

// The options of the command line belong to the scene they were given with; others are read as
// they stand.
SceneLoader make_loader(const SceneOptions& given) {
    return [given](const std::string& path, const ParameterTexts& parameters) {
        SceneOptions options;
        if (path == given.scene) options = given;
        options.scene = path;
        options.threads = given.threads;
        for (const auto& [key, value] : parameters) {
            std::erase_if(options.parameters, [start = key + "="](const std::string& text) {
                return text.starts_with(start);
            });
            options.parameters.push_back(key + "=" + value);
        }
        return load(options);
    };
}

void choose_frame(ViewCommandOptions& options) {
    if (*options.frame < 1) throw InputError("--frame: frames are counted from 1");
    if (!is_dataset(options.scene.scene))
        throw InputError("--frame: " + options.scene.scene + " is no dataset of frames");
    options.view.frame = *options.frame;
}

int view(ViewCommandOptions options) {
    if (options.keys) {
        print_keys();
        return kExitDone;
    }
    if (options.scene.scene.empty()) {
        options.scene.scene = "quadruped_flat";  // something moves on the first screen
        options.view.gallery = true;
    }
    options.scene.scene = find_scene(find_problem_unless_scene(options.scene.scene));
    if (!options.size.empty()) read_size(options.size, options.view.width, options.view.height);
    if (options.view.scale != 0 &&
        !(options.view.scale >= kSmallestScale && options.view.scale <= kLargestScale))
        throw InputError("--scale: expected 0.5 to 3");
    if (options.frame) choose_frame(options);
    options.view.load = make_loader(options.scene);
    options.view.scene = options.scene.scene;
    options.view.threads = options.scene.threads;
    options.view.shipped = list_scenes(scenes_folder());
    open_window(options.view);
    return kExitDone;
}

}  // namespace

void open_window(ViewOptions& view) {
    std::optional<Keeper> keeper;
    view.stop = interrupted;
    view.opened = [&keeper](const std::function<void()>& abandon) {
        keeper.emplace(
            [abandon] {
                abandon();
                throw std::runtime_error("interrupted");
            },
            kWindowGrace);
    };
    view.closing = end_by_itself;
    view.leave = [] {
        std::fflush(stdout);
        _exit(kExitDone);
    };
    show_window(view);
}

void add_window_options(CLI::App& command, ViewOptions& view, std::string& size) {
    command.add_flag("--paused", view.paused, "Do not start by itself");
    command.add_option("--scale", view.scale,
                       "Size of letters, 0.5 to 3 (default: as it was last time)");
    command.add_option("--size", size, "Of the window in pixels, for example 1280x800")
        ->type_name("WxH");
    command
        .add_option("--output-folder", view.output_folder,
                    "Where recordings go (default: the user's data folder)")
        ->type_name("FOLDER");
    command
        .add_option("--state-log", view.state_log,
                    "Write what the window shows as lines of JSON, for tests")
        ->type_name("FILE");
    command.add_flag("--debug-gl", view.debug_gl, "Report errors of OpenGL");
}

Command add_view_command(CLI::App& app) {
    CLI::App* command =
        add_command(app, "view", "Open a scene in the window (the default command)", kViewExamples);
    auto options = std::make_shared<ViewCommandOptions>();
    add_scene_options(*command, options->scene);
    command->get_option("SCENE")->required(false);
    add_budget_option(*command, options->scene);
    command->add_option("--load-state", options->view.load_state, "Start from a saved state")
        ->type_name("FILE");
    command->add_option("--frame", options->frame,
                        "Of a dataset: the frame that is shown first, from 1");
    add_window_options(*command, options->view, options->size);
    command->add_flag("--keys", options->keys, "Print the table of keys");
    return {command, [options] { return view(*options); }};
}

}  // namespace stiction
