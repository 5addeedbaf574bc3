// input_file.cpp - reads a file by pieces, so that one without end is noticed.
#include "core/input_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/error.h"

namespace stiction {

namespace {

std::string size_text(std::size_t bytes) {
    constexpr unsigned kMiB = 20;
    return bytes >> kMiB > 0 ? std::to_string(bytes >> kMiB) + " MiB"
                             : std::to_string(bytes) + " bytes";
}

}  // namespace

std::string read_input_file(const std::string& path, std::string_view expected, std::size_t most) {
    const std::string wanted = "; expected " + std::string(expected);
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    if (status.type() == std::filesystem::file_type::not_found) {
        throw InputError(path + ": no such file" + wanted);
    }
    if (status.type() == std::filesystem::file_type::directory) {
        throw InputError(path + ": is a directory" + wanted);
    }
    std::ifstream file(path, std::ios::binary);
    if (!file) throw InputError(path + ": cannot be opened: " + std::strerror(errno));
    std::string text;
    std::array<char, 1U << 16> piece;
    while (file && text.size() <= most) {
        file.read(piece.data(), piece.size());
        text.append(piece.data(), static_cast<std::size_t>(file.gcount()));
    }
    if (file.bad()) throw InputError(path + ": cannot be read: " + std::strerror(errno));
    if (text.size() > most) {
        throw InputError(path + ": larger than " + size_text(most) + wanted + " of at most that");
    }
    return text;
}

std::string place_in(std::string_view text, std::size_t offset, const std::string& name) {
    const std::string_view before = text.substr(0, std::min(offset, text.size()));
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t column = before.size() - (before.rfind('\n') + 1) + 1;  // npos + 1 is 0
    return name + ":" + std::to_string(line) + ":" + std::to_string(column);
}

}  // namespace stiction
