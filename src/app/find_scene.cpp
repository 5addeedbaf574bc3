// find_scene.cpp - looks for scenes by path and by name.
#include "app/find_scene.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/nearest.h"

namespace stiction {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> shipped_names(const std::string& folder) {
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace

std::string scenes_folder() {
    if (const char* folder = std::getenv("STICTION_SCENES")) return folder;
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    const fs::path installed = program.parent_path().parent_path() / "share/stiction/scenes";
    for (const fs::path& folder :
         {installed, fs::path(STICTION_SOURCE_SCENES), fs::path("scenes")}) {
        if (fs::is_directory(folder, error)) return folder.string();
    }
    return "";
}

std::string find_scene(const std::string& argument) {
    std::error_code error;
    if (fs::is_directory(argument, error)) {
        throw InputError(argument + ": is a folder; expected a scene (.yaml)");
    }
    if (fs::exists(argument, error)) return argument;
    const bool looks_like_path = argument.find('/') != std::string::npos ||
                                 argument.ends_with(".yaml") || argument.ends_with(".yml");
    if (looks_like_path) throw InputError(argument + ": no such file; expected a scene (.yaml)");
    const std::string folder = scenes_folder();
    const std::string shipped = (fs::path(folder) / (argument + ".yaml")).string();
    if (!folder.empty() && fs::exists(shipped, error)) return shipped;
    const std::vector<std::string> names = shipped_names(folder);
    throw InputError(
        "no scene '" + argument + "': neither a file nor a shipped scene" +
        suggestion(argument, std::vector<std::string_view>(names.begin(), names.end())));
}

}  // namespace stiction
