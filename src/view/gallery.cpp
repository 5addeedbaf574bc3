// gallery.cpp - which scene is in which group.
#include "view/gallery.h"

#include <algorithm>
#include <filesystem>

#include "view/file_browser.h"

namespace stiction {

namespace {

using Names = std::span<const std::string_view>;

constexpr auto kLearn = std::to_array<std::string_view>(
    {"ramp", "cube_slide", "rolling", "backspin", "bounce", "newton_cradle", "pendulum", "tumbler",
     "tippe_top", "motors"});
constexpr auto kCompare =
    std::to_array<std::string_view>({"wall", "creep", "turntable", "stack", "islands"});
constexpr auto kRobots = std::to_array<std::string_view>(
    {"quadruped_flat", "quadruped", "quadruped_large", "quadruped_low", "stand", "hand3", "hand5",
     "puma", "urdf_arm"});
constexpr auto kStructures = std::to_array<std::string_view>(
    {"domino", "arch", "brick_wall", "cards", "kapla", "pyramid", "chain"});
constexpr auto kPiles = std::to_array<std::string_view>(
    {"granular", "mixed_pile", "hourglass", "repose", "logpile", "terrain"});
constexpr auto kPapers =
    std::to_array<std::string_view>({"grasp", "engine", "loader", "arm", "painleve"});

constexpr std::array<Names, kGalleryGroups.size() - 1> kGroups = {kLearn,      kCompare, kRobots,
                                                                  kStructures, kPiles,   kPapers};

}  // namespace

Names gallery_scenes(std::size_t group) {
    return group < kGroups.size() ? kGroups[group] : Names{};
}

std::size_t gallery_group(std::string_view scene) {
    for (std::size_t g = 0; g < kGroups.size(); ++g) {
        if (std::find(kGroups[g].begin(), kGroups[g].end(), scene) != kGroups[g].end()) return g;
    }
    return kGroups.size();
}

std::vector<std::size_t> gallery_matches(const std::vector<SceneSummary>& shipped,
                                         std::size_t group, const std::string& typed) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < shipped.size(); ++i) {
        if (gallery_group(shipped[i].name) == group &&
            matches(shipped[i].name + " " + shipped[i].description, typed))
            found.push_back(i);
    }
    const Names order = gallery_scenes(group);
    const auto place = [&](std::size_t i) {
        return std::find(order.begin(), order.end(), shipped[i].name) - order.begin();
    };
    std::sort(found.begin(), found.end(),
              [&](std::size_t a, std::size_t b) { return place(a) < place(b); });
    return found;
}

std::string thumbnail_path(const SceneSummary& scene) {
    return (std::filesystem::path(scene.path).parent_path() / "thumbnails" / (scene.name + ".png"))
        .string();
}

}  // namespace stiction
