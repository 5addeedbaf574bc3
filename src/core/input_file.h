// input_file.h - bytes of files that people bring, and where in a text something stands.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>

namespace stiction {

// All bytes of the file. Throws InputError ("PATH: no such file; expected a scene (.yaml)") where
// it is missing, a folder, a device, not readable, or has more than `most` bytes; never holds more
// than that, whatever the file pretends to be. A pipe is a file.
[[nodiscard]] std::string read_input_file(const std::string& path, std::string_view expected,
                                          std::size_t most);

// A file read line by line. Whatever is wrong is an InputError that names it, as above.
class InputLines {
  public:
    InputLines(std::string path, std::string_view expected, std::size_t longest);  // line [bytes]

    bool next(std::string& line);  // without its end; false behind the last one
    [[nodiscard]] std::int64_t number() const { return number_; }  // of the line, from 1
    [[nodiscard]] bool whole() const { return whole_; }            // it had an end
    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    bool fill();

    std::string path_;
    std::size_t longest_;
    std::ifstream file_;
    std::array<char, 1U << 16> piece_;
    std::size_t at_ = 0, filled_ = 0;  // in the piece
    std::int64_t number_ = 0;
    bool whole_ = false;
};

// "NAME:line:column" of the byte at `offset`, both from 1.
[[nodiscard]] std::string place_in(std::string_view text, std::size_t offset,
                                   const std::string& name);

}  // namespace stiction
