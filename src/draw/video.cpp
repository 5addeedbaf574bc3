// video.cpp - raw frames to ffmpeg's standard input. ffmpeg runs in a session of its own, so that
// Ctrl-C in the terminal or the death of this program leaves it time to end the file: it sees the
// end of its input and writes what it has.
#include "draw/video.h"

#include <fcntl.h>
#include <spawn.h>
#include <spdlog/spdlog.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <sstream>
#include <utility>
#include <vector>

#include "core/error.h"
#include "record/output_file.h"

namespace stiction {

namespace fs = std::filesystem;

namespace {

class FileDescriptor {
  public:
    FileDescriptor() = default;
    explicit FileDescriptor(int id) : id_(id) {}
    ~FileDescriptor() { close(); }
    FileDescriptor(FileDescriptor&& other) noexcept : id_(std::exchange(other.id_, -1)) {}
    FileDescriptor& operator=(FileDescriptor&& other) noexcept {
        std::swap(id_, other.id_);
        return *this;
    }
    void close() {
        if (id_ >= 0) ::close(std::exchange(id_, -1));
    }
    [[nodiscard]] int id() const { return id_; }

  private:
    int id_ = -1;
};

std::string error_text() { return std::strerror(errno); }

// The program in PATH; empty when there is none.
std::string find_ffmpeg() {
    const char* path = std::getenv("PATH");
    std::istringstream folders(path == nullptr ? "" : path);
    for (std::string folder; std::getline(folders, folder, ':');) {
        std::string program = (folder.empty() ? "." : folder) + "/ffmpeg";
        std::error_code ignored;
        if (fs::is_regular_file(program, ignored) && access(program.c_str(), X_OK) == 0) {
            return program;
        }
    }
    return {};
}

std::string format_of(const std::string& path) {
    const std::string extension = fs::path(path).extension().string();
    if (extension == ".mp4") return "mp4";
    if (extension == ".mkv") return "matroska";
    throw InputError("cannot write '" + path +
                     "': expected a video name that ends with .mp4 or .mkv");
}

std::vector<std::string> arguments(const std::string& path, int width, int height, double rate) {
    std::ostringstream rate_text;
    rate_text.imbue(std::locale::classic());
    rate_text.precision(10);
    rate_text << rate;
    // A key frame every half second: that much at most is missing where ffmpeg itself was killed.
    const int group = std::max(1, static_cast<int>(std::lround(rate / 2)));
    std::vector<std::string> words{
        "ffmpeg", "-hide_banner", "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24",
        "-video_size", std::to_string(width) + "x" + std::to_string(height), "-framerate",
        rate_text.str(), "-i", "pipe:0", "-an",
        // Halved colour needs even sizes: an odd one loses its last row or column. Colours as
        // players expect them of high definition.
        "-vf", "crop=trunc(iw/2)*2:trunc(ih/2)*2:0:0,scale=out_color_matrix=bt709:out_range=tv",
        "-c:v", "libx264", "-preset", "veryfast", "-crf", "19", "-pix_fmt", "yuv420p", "-g",
        std::to_string(group), "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc",
        "bt709", "-color_range", "tv", "-flush_packets", "1"};
    const std::string format = format_of(path);
    if (format == "mp4") {  // in pieces, each of which can be played without what follows
        words.insert(words.end(), {"-movflags", "frag_keyframe+empty_moov+default_base_moof"});
    }
    words.insert(words.end(), {"-f", format, "file:" + part_path(path)});
    return words;
}

// Starts the program with `input` as its standard input and `messages` as its standard error; other
// descriptors of ours are closed on exec.
pid_t start(const std::string& program, std::vector<std::string> words, int input, int messages) {
    std::vector<char*> argv;
    argv.reserve(words.size() + 1);
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&files, messages, STDERR_FILENO);
    posix_spawnattr_t how;
    posix_spawnattr_init(&how);
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&how, &none);
    posix_spawnattr_setsigdefault(&how, &all);
    posix_spawnattr_setflags(&how, static_cast<short>(POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK |
                                                      POSIX_SPAWN_SETSIGDEF));
    pid_t child = -1;
    const int failed = posix_spawn(&child, program.c_str(), &files, &how, argv.data(), environ);
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(&files);
    if (failed != 0) {
        throw OutputError("cannot start '" + program + "': " + std::strerror(failed));
    }
    return child;
}

// At most the last few hundred characters: the cause stands at the end.
std::string last_words(int messages) {
    constexpr off_t kMaxLength = 600;  // some lines of a terminal
    const off_t size = lseek(messages, 0, SEEK_END);
    if (size <= 0) return {};
    std::string text(static_cast<std::size_t>(std::min(size, kMaxLength)), '\0');
    const ssize_t got =
        pread(messages, text.data(), text.size(), std::max<off_t>(0, size - kMaxLength));
    text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    while (!text.empty() && text.back() == '\n') text.pop_back();
    std::replace(text.begin(), text.end(), '\n', ' ');  // a message is one line
    return text;
}

std::string fate(int status) {
    if (WIFSIGNALED(status)) return "was ended by signal " + std::to_string(WTERMSIG(status));
    return "ended with status " + std::to_string(WEXITSTATUS(status));
}

}  // namespace

void check_video_path(const std::string& path) {
    format_of(path);
    check_writable(path, true);
    if (find_ffmpeg().empty()) {
        throw InputError("cannot write '" + path + "': ffmpeg is not installed");
    }
}

struct VideoWriter::Impl {
    int wait();  // for ffmpeg to end, after its input is closed; its status
    [[noreturn]] void fail();

    std::string path;
    int width = 0, height = 0;
    std::int64_t frames = 0;
    FileDescriptor input, messages;
    pid_t child = -1;  // -1: ended
    bool done = false, published = false;
    std::mutex mutex;                  // of a picture being added and the end
    std::atomic<bool> ending = false;  // before the mutex is asked for: the end goes first
};

int VideoWriter::Impl::wait() {
    input.close();
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    child = -1;
    return status;
}

// ffmpeg went away while it should have read on.
void VideoWriter::Impl::fail() {
    const std::string cause = error_text();
    done = true;
    const std::string how = fate(wait()), words = last_words(messages.id());
    throw OutputError("cannot write '" + path + "': ffmpeg " + how + ": " +
                      (words.empty() ? cause : words));
}

VideoWriter::VideoWriter(const std::string& path, int width, int height, double frames_per_second)
    : impl_(std::make_unique<Impl>()) {
    check_video_path(path);
    clear_part(path);
    if (width < 2 || height < 2) {
        throw InputError("cannot write '" + path + "': a video has at least 2 x 2 pixels");
    }
    if (!(frames_per_second > 0) || !std::isfinite(frames_per_second)) {
        throw InputError("cannot write '" + path + "': frames per second must be > 0");
    }
    impl_->path = path;
    impl_->width = width;
    impl_->height = height;
    impl_->messages = FileDescriptor(memfd_create("ffmpeg messages", MFD_CLOEXEC));
    // A socket rather than a pipe: writing to one whose other end is gone can be had without
    // SIGPIPE.
    std::array<int, 2> ends{-1, -1};
    if (impl_->messages.id() < 0 ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        throw OutputError("cannot write '" + path + "': " + error_text());
    }
    impl_->input = FileDescriptor(ends[0]);
    const FileDescriptor childs(ends[1]);
    shutdown(impl_->input.id(), SHUT_RD);
    impl_->child = start(find_ffmpeg(), arguments(path, width, height, frames_per_second),
                         childs.id(), impl_->messages.id());
}

VideoWriter::~VideoWriter() {
    try {
        if (impl_->frames > 0) {
            finish();
        } else if (!impl_->done) {
            impl_->wait();
            std::error_code ignored;
            fs::remove(part_path(impl_->path), ignored);
        }
    } catch (const std::exception& error) {
        spdlog::error("{}", error.what());
    }
}

void VideoWriter::add(const Image& image) {
    Impl& m = *impl_;
    const bool ending = m.ending;
    const std::lock_guard lock(m.mutex);
    if (ending || m.done) throw OutputError("cannot write '" + m.path + "': the video has ended");
    if (image.width != m.width || image.height != m.height) {
        throw std::invalid_argument("VideoWriter::add: an image of another size");
    }
    std::size_t sent = 0;
    while (sent < image.rgb.size()) {
        const ssize_t now =
            send(m.input.id(), image.rgb.data() + sent, image.rgb.size() - sent, MSG_NOSIGNAL);
        if (now < 0 && errno == EINTR) continue;
        if (now < 0) m.fail();
        sent += static_cast<std::size_t>(now);
    }
    ++m.frames;
}

void VideoWriter::finish() {
    Impl& m = *impl_;
    m.ending = true;
    const std::lock_guard lock(m.mutex);
    if (m.done) return;
    m.done = true;
    const int status = m.wait();
    if (m.frames == 0) {
        std::error_code ignored;
        fs::remove(part_path(m.path), ignored);
        throw OutputError("cannot write '" + m.path + "': no picture was added to the video");
    }
    if (status != 0) {
        throw OutputError("cannot write '" + m.path + "': ffmpeg " + fate(status) + ": " +
                          last_words(m.messages.id()));
    }
    publish(m.path);
    m.published = true;
}

std::int64_t VideoWriter::frames() const { return impl_->frames; }

std::int64_t VideoWriter::bytes() const {
    std::error_code error;
    const auto size = fs::file_size(impl_->published ? impl_->path : part_path(impl_->path), error);
    return error ? 0 : static_cast<std::int64_t>(size);
}

const std::string& VideoWriter::path() const { return impl_->path; }

}  // namespace stiction
