// find_scene.h - where the shipped scenes are, and which file a scene argument means.
#pragma once

#include <string>

namespace stiction {

// STICTION_SCENES if set; otherwise the first that exists of: share/stiction/scenes beside the
// installed program's bin, the source tree's scenes, ./scenes. Empty when there is none.
[[nodiscard]] std::string scenes_folder();

// `argument` itself when it names a file or looks like a path, otherwise the shipped scene of that
// name. Throws InputError with the nearest shipped scene.
[[nodiscard]] std::string find_scene(const std::string& argument);

}  // namespace stiction
