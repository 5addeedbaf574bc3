// named_file.h - a file that an entry of a scene names.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "scene/node.h"

namespace stiction {

inline constexpr std::uintmax_t kLargestNamedFile = 512U << 20;  // bytes: the largest grid as text

// Its path, relative to the scene file it stands in. Complains where there is no such file.
[[nodiscard]] inline std::string file_of(const Node& node) {
    const std::filesystem::path folder = std::filesystem::path(node.document().path).parent_path();
    std::string path = (folder / node.text()).lexically_normal().string();
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) {
        node.fail("'" + node.text() + "' is not a file (looked for " + path +
                  "); expected a path relative to this file");
    }
    if (std::filesystem::file_size(path, error) > kLargestNamedFile) {
        node.fail("'" + node.text() + "' is larger than " +
                  std::to_string(kLargestNamedFile >> 20) + " MiB");
    }
    return path;
}

}  // namespace stiction
