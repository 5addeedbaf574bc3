// preferences.cpp - reads and writes window.json.
#include "view/preferences.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "record/output_file.h"
#include "view/ui.h"

namespace stiction {

namespace {

std::string user_folder(const char* variable, const char* below_home) {
    if (const char* folder = std::getenv(variable); folder != nullptr && folder[0] == '/')
        return std::string(folder) + "/stiction";
    if (const char* home = std::getenv("HOME"); home != nullptr && home[0] != '\0')
        return std::string(home) + "/" + below_home + "/stiction";
    return "";
}

// One list of what is kept, for both directions: visit(key, value).
template <class Kept, class Visit>
void for_each_kept(Kept& p, const Visit& visit) {
    visit("scale", p.scale);
    visit("left_panel", p.layout.left);
    visit("right_panel", p.layout.right);
    visit("overlay", p.layout.overlay);
    visit("overlay_line", p.layout.line);
    visit("overlay_whole", p.layout.whole);
    visit("timeline", p.layout.timeline);
    visit("light", p.layout.light);
    visit("pivots", p.draw.pivots);
    visit("used_models", p.layout.used_models);
    visit("used_help", p.layout.used_help);
    visit("told_software", p.told_software);
    visit("contacts", p.draw.contacts);
    visit("normals", p.draw.normals);
    visit("forces", p.draw.forces);
    visit("cones", p.draw.cones);
    visit("joints", p.draw.joints);
    visit("shadows", p.draw.shadows);
    visit("grid", p.draw.grid);
}

}  // namespace

std::string config_folder() { return user_folder("XDG_CONFIG_HOME", ".config"); }
std::string data_folder() {
    const std::string folder = user_folder("XDG_DATA_HOME", ".local/share");
    return folder.empty() ? (std::filesystem::temp_directory_path() / "stiction").string() : folder;
}

Preferences load_preferences() {
    Preferences preferences;
    std::ifstream file(config_folder() + "/window.json");
    if (!file) return preferences;
    const nlohmann::json json = nlohmann::json::parse(file, nullptr, false);
    if (!json.is_object()) return preferences;
    for_each_kept(preferences, [&json](const char* key, auto& value) {
        using Value = std::remove_reference_t<decltype(value)>;
        const auto found = json.find(key);
        if (found == json.end()) return;
        if (std::is_same_v<Value, bool> ? found->is_boolean() : found->is_number())
            value = found->template get<Value>();
    });
    for (const nlohmann::json& path : json.value("recent", nlohmann::json::array())) {
        if (path.is_string() && preferences.files.recent.size() < kMostRecent)
            preferences.files.recent.push_back(path.get<std::string>());
    }
    preferences.scale = std::clamp(preferences.scale, kSmallestScale, kLargestScale);
    return preferences;
}

void save_preferences(const Preferences& preferences) {
    const std::string folder = config_folder();
    if (folder.empty()) return;
    nlohmann::json json = nlohmann::json::object();
    for_each_kept(preferences, [&json](const char* key, const auto& value) { json[key] = value; });
    json["recent"] = preferences.files.recent;
    try {
        std::filesystem::create_directories(folder);
        write_file(folder + "/window.json", json.dump(1) + "\n");
    } catch (const std::exception& error) {
        spdlog::warn("the window's preferences were not saved: {}", error.what());
    }
}

}  // namespace stiction
