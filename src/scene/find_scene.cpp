// find_scene.cpp - looks for scenes by path and by name.
#include "scene/find_scene.h"

#include <dlfcn.h>

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

constexpr const char* kShared = "share/stiction";

// The shared library that has this code; the program's own name where there is none.
fs::path own_file() {
    Dl_info info{};
    const auto* here = reinterpret_cast<const void*>(&scenes_folder);
    if (dladdr(here, &info) == 0 || info.dli_fname == nullptr) return {};
    std::error_code error;
    return fs::canonical(info.dli_fname, error);
}

// Where packages put their data: of a program that links an installed library, say.
void add_data_folders(const std::string& name, std::vector<fs::path>& folders) {
    const char* listed = std::getenv("XDG_DATA_DIRS");
    std::string_view rest =
        listed != nullptr && *listed != '\0' ? listed : "/usr/local/share:/usr/share";
    while (!rest.empty()) {
        const std::string_view folder = rest.substr(0, rest.find(':'));
        if (folder.starts_with('/')) folders.push_back(fs::path(folder) / "stiction" / name);
        rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
    }
}

// The first that exists: share/stiction/NAME of the prefix where program or library are installed,
// the source tree's, that of a package; empty when there is none.
std::string first_folder(const std::string& name, const fs::path& source) {
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    std::vector<fs::path> folders{program.parent_path().parent_path() / kShared / name};
    for (fs::path above = own_file().parent_path(); above.has_relative_path();
         above = above.parent_path())
        folders.push_back(above / kShared / name);
    folders.push_back(source);
    add_data_folders(name, folders);
    for (const fs::path& folder : folders) {
        if (fs::is_directory(folder, error)) return folder.string();
    }
    return "";
}

std::vector<std::string> shipped_names(const std::string& folder) {
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

// `argument` itself where it names a file, otherwise the shipped file of that name.
std::string find_yaml(const std::string& argument, const std::string& what,
                      const std::string& folder) {
    std::error_code error;
    if (fs::is_directory(argument, error)) {
        throw InputError(argument + ": is a folder; expected a " + what + " (.yaml)");
    }
    if (fs::exists(argument, error)) return argument;
    const bool looks_like_path = argument.find('/') != std::string::npos ||
                                 argument.ends_with(".yaml") || argument.ends_with(".yml");
    if (looks_like_path) {
        throw InputError(argument + ": no such file; expected a " + what + " (.yaml)");
    }
    const std::string shipped = (fs::path(folder) / (argument + ".yaml")).string();
    if (!folder.empty() && fs::exists(shipped, error)) {
        return fs::path(shipped).lexically_normal().string();
    }
    const std::vector<std::string> names = shipped_names(folder);
    throw InputError(
        "no " + what + " '" + argument + "': neither a file nor a shipped " + what +
        suggestion(argument, std::vector<std::string_view>(names.begin(), names.end())));
}

}  // namespace

std::string scenes_folder() {
    if (const char* folder = std::getenv("STICTION_SCENES")) return folder;
    const std::string found = first_folder("scenes", STICTION_SOURCE_SCENES);
    std::error_code error;
    return found.empty() && fs::is_directory("scenes", error) ? "scenes" : found;
}

std::vector<std::string> shipped_scenes() { return shipped_names(scenes_folder()); }

std::string problems_folder() {
    return first_folder("problems", fs::path(STICTION_SOURCE_SCENES) / "../tests/data/problems");
}

std::string find_problem(const std::string& argument) {
    std::error_code error;
    if (fs::exists(argument, error) || argument.find('/') != std::string::npos) return argument;
    const fs::path shipped = fs::path(problems_folder()) / (argument + ".h5");
    return fs::exists(shipped, error) ? shipped.lexically_normal().string() : argument;
}

std::string find_problem_unless_scene(const std::string& argument) {
    std::error_code error;
    const fs::path scene = fs::path(scenes_folder()) / (argument + ".yaml");
    return fs::exists(scene, error) ? argument : find_problem(argument);
}

std::string find_scene(const std::string& argument) {
    return find_yaml(argument, "scene", scenes_folder());
}

std::string find_sweep(const std::string& argument) {
    return find_yaml(argument, "sweep",
                     first_folder("sweeps", fs::path(STICTION_SOURCE_SCENES) / "../sweeps"));
}

}  // namespace stiction
