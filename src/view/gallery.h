// gallery.h - the shipped scenes in groups, and their thumbnails.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scene/scene.h"

namespace stiction {

inline constexpr std::array<std::string_view, 7> kGalleryGroups = {
    "Learn", "Compare models", "Robots", "Structures", "Piles", "From papers", "More"};

// Where a shipped scene belongs, as a place in kGalleryGroups; the last for one that is not known.
[[nodiscard]] std::size_t gallery_group(std::string_view scene);

// Names of the scenes that a group holds, in the order in which they are shown.
[[nodiscard]] std::span<const std::string_view> gallery_scenes(std::size_t group);

// Scenes of one group whose name or description has the words that were typed; places in `shipped`.
[[nodiscard]] std::vector<std::size_t> gallery_matches(const std::vector<SceneSummary>& shipped,
                                                       std::size_t group, const std::string& typed);

// The picture of a shipped scene, beside it in a folder of its own.
[[nodiscard]] std::string thumbnail_path(const SceneSummary& scene);

}  // namespace stiction
