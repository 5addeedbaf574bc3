// output_file.cpp - checks before a run, NAME.part during it, NAME after it.
#include "record/output_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "core/error.h"

namespace stiction {

namespace fs = std::filesystem;

namespace {

// Devices and pipes have no NAME.part: they are written directly.
bool is_special(const std::string& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
    throw InputError("cannot write '" + path + "': " + why);
}

}  // namespace

std::string part_path(const std::string& path) { return path + ".part"; }

void check_writable(const std::string& path, bool regular) {
    if (path.empty()) refuse(path, "the name is empty");
    std::error_code error;
    if (fs::is_directory(path, error)) refuse(path, "it is a folder; expected the name of a file");
    if (regular && is_special(path)) refuse(path, "it is not a plain file");
    if (fs::exists(path, error) && access(path.c_str(), W_OK) != 0) {
        refuse(path, std::strerror(errno));
    }
    if (is_special(path)) return;
    fs::path folder = fs::path(path).parent_path();
    if (folder.empty()) folder = ".";
    const fs::file_status status = fs::status(folder, error);
    if (!fs::exists(status)) refuse(path, "there is no folder '" + folder.string() + "'");
    if (!fs::is_directory(status)) refuse(path, "'" + folder.string() + "' is not a folder");
    if (access(folder.c_str(), W_OK | X_OK) != 0) refuse(path, std::strerror(errno));
    if (fs::is_directory(part_path(path), error)) {
        refuse(path, "'" + part_path(path) + "', its name until it is complete, is a folder");
    }
}

void publish(const std::string& path) {
    std::error_code error;
    fs::rename(part_path(path), path, error);
    if (error) {
        throw OutputError("cannot rename '" + part_path(path) + "' to '" + path +
                          "': " + error.message());
    }
}

OutputFile::OutputFile(const std::string& path)
    : path_(path), written_path_(is_special(path) ? path : part_path(path)) {
    check_writable(path);
    file_ = std::fopen(written_path_.c_str(), "wb");
    if (file_ == nullptr) refuse(path, std::strerror(errno));
}

OutputFile::~OutputFile() {
    if (file_ == nullptr) return;
    std::fclose(file_);
    std::error_code ignored;
    if (empty_ && written_path_ != path_) fs::remove(written_path_, ignored);
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      written_path_(std::move(other.written_path_)),
      file_(std::exchange(other.file_, nullptr)),
      empty_(other.empty_) {}

void OutputFile::fail() const {
    throw OutputError("cannot write '" + path_ + "': " + std::strerror(errno));
}

void OutputFile::write(std::string_view text) {
    if (text.empty()) return;
    empty_ = false;
    if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail();
}

void OutputFile::flush() {
    if (std::fflush(file_) != 0) fail();
}

void OutputFile::finish() {
    if (std::fclose(std::exchange(file_, nullptr)) != 0) fail();
    if (written_path_ != path_) publish(path_);
}

bool FlushClock::due(std::size_t gathered_bytes) {
    constexpr std::size_t kMuch = 1 << 20;        // bytes: one write of this size costs little
    constexpr std::chrono::seconds kInterval{1};  // what a killed run loses at most
    const auto now = std::chrono::steady_clock::now();
    if (gathered_bytes < kMuch && now - last_ < kInterval) return false;
    last_ = now;
    return true;
}

void write_file(const std::string& path, std::string_view text) {
    OutputFile file(path);
    file.write(text);
    file.finish();
}

}  // namespace stiction
