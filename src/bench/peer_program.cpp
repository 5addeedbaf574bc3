// peer_program.cpp - a program in a group of its own, so that it ends with all that it started.
#include "bench/peer_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "core/stopwatch.h"

namespace stiction {

namespace {

constexpr int kPollTime = 20;                              // [ms]
constexpr std::size_t kMostOutput = std::size_t{4} << 20;  // [bytes]

struct Pipe {
    std::array<int, 2> ends{-1, -1};

    Pipe() {
        if (pipe2(ends.data(), O_CLOEXEC) != 0)
            throw std::system_error(errno, std::generic_category(), "pipe");
    }
    ~Pipe() {
        close(ends[0]);
        close_writer();
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    void close_writer() {
        if (ends[1] >= 0) close(ends[1]);
        ends[1] = -1;
    }
};

// Standard output into the pipe, no input, no errors shown, signals as a shell would leave them.
pid_t spawn(const std::string& program, const std::vector<std::string>& arguments, int output) {
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    std::vector<char*> words;
    words.push_back(const_cast<char*>(program.c_str()));
    for (const std::string& argument : arguments)
        words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    pid_t child = -1;
    const int error =
        posix_spawn(&child, program.c_str(), &files, &attributes, words.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    errno = error;
    return error == 0 ? child : -1;
}

std::string fault_of(int status) {
    if (WIFSIGNALED(status)) return fmt::format("signal {}", WTERMSIG(status));
    if (WEXITSTATUS(status) != 0) return fmt::format("exit status {}", WEXITSTATUS(status));
    return "";
}

}  // namespace

std::string peer_folder() {
    namespace fs = std::filesystem;
    std::error_code error;
    const char* given = std::getenv("STICTION_PEERS");
    const fs::path folder =
        given != nullptr && *given != '\0'
            ? fs::path(given)
            : fs::read_symlink("/proc/self/exe", error).parent_path().parent_path() / "benchmarks" /
                  "peers";
    return fs::is_directory(folder, error) ? folder.string() : "";
}

std::string peer_program(const std::string& folder, const std::string& engine) {
    std::string name = "peer_" + engine;
    for (char& c : name) c = c == '-' ? '_' : c;
    std::string path = (std::filesystem::path(folder) / name).string();
    return access(path.c_str(), X_OK) == 0 ? path : "";
}

PeerRun run_peer(const std::string& program, const std::vector<std::string>& arguments,
                 double patience, const std::function<bool(double)>& go_on) {
    PeerRun run;
    Pipe pipe;
    const pid_t child = spawn(program, arguments, pipe.ends[1]);
    if (child < 0) {
        run.fault = std::strerror(errno);
        return run;
    }
    pipe.close_writer();
    const Stopwatch watch;
    std::array<char, 4096> bytes{};
    int status = 0;
    bool writes = true;
    for (bool ended = false; !ended;) {
        pollfd waiting{writes ? pipe.ends[0] : -1, POLLIN, 0};
        if (poll(&waiting, 1, kPollTime) > 0) {
            const ssize_t count = read(pipe.ends[0], bytes.data(), bytes.size());
            writes = count > 0;
            if (writes) run.output.append(bytes.data(), static_cast<std::size_t>(count));
        }
        ended = !writes && waitpid(child, &status, WNOHANG) != 0;
        if (ended) break;
        run.interrupted = !go_on(watch.elapsed());
        if (watch.elapsed() > patience) run.fault = "exceeded the time limit";
        if (run.output.size() > kMostOutput) run.fault = "writes without end";
        if (!run.interrupted && run.fault.empty()) continue;
        kill(-child, SIGKILL);
        waitpid(child, &status, 0);
        return run;
    }
    run.fault = fault_of(status);
    return run;
}

}  // namespace stiction
