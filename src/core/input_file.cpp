// input_file.cpp - reads a file by pieces, so that one without end is noticed.
#include "core/input_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "core/error.h"

namespace stiction {

namespace {

std::string size_text(std::size_t bytes) {
    constexpr unsigned kMiB = 20;
    return bytes >> kMiB > 0 ? std::to_string(bytes >> kMiB) + " MiB"
                             : std::to_string(bytes) + " bytes";
}

std::ifstream open_input(const std::string& path, const std::string& wanted) {
    using Type = std::filesystem::file_type;
    std::error_code error;
    const Type type = std::filesystem::status(path, error).type();
    if (type == Type::not_found) throw InputError(path + ": no such file" + wanted);
    if (type == Type::directory) throw InputError(path + ": is a directory" + wanted);
    if (type == Type::character || type == Type::block)
        throw InputError(path + ": is a device" + wanted);
    std::ifstream file(path, std::ios::binary);
    if (!file) throw InputError(path + ": cannot be opened: " + std::strerror(errno));
    return file;
}

}  // namespace

std::string read_input_file(const std::string& path, std::string_view expected, std::size_t most) {
    const std::string wanted = "; expected " + std::string(expected);
    std::ifstream file = open_input(path, wanted);
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

InputLines::InputLines(std::string path, std::string_view expected, std::size_t longest)
    : path_(std::move(path)),
      longest_(longest),
      file_(open_input(path_, "; expected " + std::string(expected))) {}

bool InputLines::fill() {
    if (!file_) return false;
    file_.read(piece_.data(), static_cast<std::streamsize>(piece_.size()));
    if (file_.bad()) throw InputError(path_ + ": cannot be read: " + std::strerror(errno));
    at_ = 0;
    filled_ = static_cast<std::size_t>(file_.gcount());
    return filled_ > 0;
}

bool InputLines::next(std::string& line) {
    line.clear();
    whole_ = false;
    if (at_ == filled_ && !fill()) return false;
    ++number_;
    do {
        const char* const begin = piece_.data() + at_;
        const char* const all = piece_.data() + filled_;
        const char* const end = std::find(begin, all, '\n');
        const auto bytes = static_cast<std::size_t>(end - begin);
        if (line.size() + bytes > longest_) {
            throw InputError(path_ + ":" + std::to_string(number_) + ": the line is longer than " +
                             size_text(longest_));
        }
        line.append(begin, bytes);
        at_ += bytes;
        whole_ = at_ < filled_;
    } while (!whole_ && fill());
    at_ += whole_ ? 1 : 0;
    return true;
}

std::string place_in(std::string_view text, std::size_t offset, const std::string& name) {
    const std::string_view before = text.substr(0, std::min(offset, text.size()));
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t column = before.size() - (before.rfind('\n') + 1) + 1;  // npos + 1 is 0
    return name + ":" + std::to_string(line) + ":" + std::to_string(column);
}

}  // namespace stiction
