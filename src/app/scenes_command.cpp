// scenes_command.cpp - stiction scenes: the scenes that ship, one line each.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>

#include "app/command_line.h"
#include "app/commands.h"
#include "core/error.h"
#include "core/printable.h"
#include "scene/find_scene.h"
#include "scene/scene.h"

namespace stiction {

namespace {

int list(const std::string& chosen) {
    const std::string folder = chosen.empty() ? scenes_folder() : chosen;
    if (folder.empty())
        throw InputError("the folder of shipped scenes was not found; set STICTION_SCENES");
    const std::vector<SceneSummary> scenes = list_scenes(folder);
    std::size_t width = 0;
    for (const SceneSummary& scene : scenes) width = std::max(width, scene.name.size());
    for (const SceneSummary& scene : scenes) {
        std::printf("%-*s  %s\n", static_cast<int>(width), printable(scene.name).c_str(),
                    message_text(scene.description).c_str());
    }
    return kExitDone;
}

}  // namespace

Command add_scenes_command(CLI::App& app) {
    CLI::App* command = add_command(app, "scenes", "List the scenes that ship, one line each",
                                    "  stiction scenes\n  stiction scenes --folder my_scenes");
    auto folder = std::make_shared<std::string>();
    command->add_option("--folder", *folder, "List the scenes of this folder instead");
    return {command, [folder] { return list(*folder); }};
}

}  // namespace stiction
