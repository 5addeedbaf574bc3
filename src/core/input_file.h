// input_file.h - bytes of files that people bring, and where in a text something stands.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace stiction {

// All bytes of the file. Throws InputError ("PATH: no such file; expected a scene (.yaml)") where
// it is missing, a folder, not readable, or has more than `most` bytes; never holds more than that,
// whatever the file pretends to be.
[[nodiscard]] std::string read_input_file(const std::string& path, std::string_view expected,
                                          std::size_t most);

// "NAME:line:column" of the byte at `offset`, both from 1.
[[nodiscard]] std::string place_in(std::string_view text, std::size_t offset,
                                   const std::string& name);

}  // namespace stiction
