// output_file.cpp - checks before a run, NAME.part during it, NAME after it.
#include "record/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
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

// What scenes are made of. Such a file is never what a run wrote, so that an output of its name is a
// slip of the hand.
bool is_source(const std::string& path) {
    constexpr std::array<std::string_view, 14> kSuffixes = {
        ".yaml", ".yml", ".urdf", ".xacro", ".sdf", ".xml", ".obj",
        ".stl",  ".ply", ".dae",  ".gltf",  ".glb", ".mtl", ".off"};
    std::string suffix = fs::path(path).extension().string();
    std::transform(suffix.begin(), suffix.end(), suffix.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return std::find(kSuffixes.begin(), kSuffixes.end(), suffix) != kSuffixes.end();
}

// One file by any of its names: device and inode where it exists, otherwise the name in its folder.
struct Identity {
    std::string name;
    dev_t device = 0;
    ino_t inode = 0;
    bool plain = true;  // no device, pipe or folder

    [[nodiscard]] bool same(const Identity& other) const {
        return name == other.name || (inode != 0 && inode == other.inode && device == other.device);
    }
};

Identity identify(const std::string& path) {
    Identity id;
    std::error_code error;
    const fs::path absolute = fs::absolute(path, error);
    id.name = fs::weakly_canonical(absolute, error).string();
    if (error) id.name = absolute.lexically_normal().string();
    struct stat found = {};
    if (stat(path.c_str(), &found) != 0) return id;
    id.device = found.st_dev;
    id.inode = found.st_ino;
    id.plain = S_ISREG(found.st_mode);
    return id;
}

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
    throw InputError("cannot write '" + path + "': " + why);
}

}  // namespace

std::string join_problems(const std::string& why, const std::string& more) {
    if (more.empty() || why.ends_with(more)) return why;
    return more.starts_with(why) ? more : why + "; " + more;
}

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
    if (fs::exists(path, error) && is_source(path)) {
        refuse(path, "it is a scene, robot or mesh file, which no output replaces");
    }
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

void check_distinct(const std::vector<std::string>& outputs,
                    const std::vector<std::string>& inputs) {
    const auto wanted = [](const std::string& path) { return !path.empty() && path != "-"; };
    std::vector<Identity> read;
    for (const std::string& path : inputs) {
        if (wanted(path)) read.push_back(identify(path));
    }
    std::vector<Identity> written;
    for (const std::string& path : outputs) {
        if (!wanted(path)) continue;
        const std::array<Identity, 2> mine = {identify(path), identify(part_path(path))};
        if (!mine[0].plain) continue;
        for (const Identity& id : mine) {
            const auto is_mine = [&id](const Identity& other) { return id.same(other); };
            if (std::any_of(read.begin(), read.end(), is_mine)) {
                refuse(path, "it is a file that this command reads");
            }
            if (std::any_of(written.begin(), written.end(), is_mine)) {
                throw InputError("two outputs have the same name '" + path + "'");
            }
        }
        written.insert(written.end(), mine.begin(), mine.end());
    }
}

void clear_part(const std::string& path) {
    if (unlink(part_path(path).c_str()) != 0 && errno != ENOENT) {
        refuse(path, "'" + part_path(path) + "' cannot be removed: " + std::strerror(errno));
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
    if (written_path_ == path_) {
        file_ = std::fopen(path_.c_str(), "wb");
    } else {  // a new file, whatever was planted or left under that name
        clear_part(path_);
        const int created =
            open(written_path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (created >= 0) file_ = fdopen(created, "wb");
        if (created >= 0 && file_ == nullptr) close(created);
    }
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

void OutputFile::discard() {
    if (file_ == nullptr) return;
    std::fclose(std::exchange(file_, nullptr));
    std::error_code ignored;
    if (written_path_ != path_) fs::remove(written_path_, ignored);
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

void write_standard_output(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0)
        return;
    throw OutputError("cannot write to standard output: " + std::string(std::strerror(errno)));
}

}  // namespace stiction
