// worker_pool.cpp - fork, exec and a socket for each worker.
#include "sweep/worker_pool.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace stiction {

namespace {

constexpr std::size_t kChunk = 65536;  // [bytes] read at once

// False when the other end is gone.
bool send_whole(int socket, std::string_view text) {
    while (!text.empty()) {
        const ssize_t sent = send(socket, text.data(), text.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        text.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

// Appends what is there, waiting for the first byte. False at the end.
bool receive_some(int socket, std::string& text) {
    std::array<char, kChunk> bytes;
    ssize_t got = -1;
    while (got < 0) {
        got = read(socket, bytes.data(), bytes.size());
        if (got < 0 && errno != EINTR) return false;
    }
    text.append(bytes.data(), static_cast<std::size_t>(got));
    return got > 0;
}

// In the child; only what is allowed between fork and exec.
[[noreturn]] void become_worker(int socket, pid_t parent, char* const* words) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // whatever ends the parent ends its workers
    if (getppid() != parent) _exit(1);
    setpgid(0, 0);  // Ctrl-C is the parent's to answer
    dup2(socket, STDIN_FILENO);
    const int nothing = open("/dev/null", O_WRONLY);
    dup2(nothing, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
    execv(words[0], words);
    _exit(127);
}

// Signals that a program does not send itself.
bool comes_from_outside(int status) {
    if (!WIFSIGNALED(status)) return false;
    const int signal = WTERMSIG(status);
    return signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP;
}

std::string how_ended(int status) {
    if (WIFSIGNALED(status)) return std::string("its worker ended: ") + strsignal(WTERMSIG(status));
    return "its worker ended with status " + std::to_string(WEXITSTATUS(status));
}

}  // namespace

WorkerPool::WorkerPool(std::vector<std::string> words, int workers)
    : words_(std::move(words)), workers_(static_cast<std::size_t>(workers)) {
    for (Worker& worker : workers_) start(worker);
}

WorkerPool::~WorkerPool() {
    for (Worker& worker : workers_) end(worker);
}

void WorkerPool::start(Worker& worker) {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        throw std::runtime_error(std::string("cannot start a worker: ") + std::strerror(errno));
    std::vector<char*> words;
    for (std::string& word : words_) words.push_back(word.data());
    words.push_back(nullptr);
    const pid_t parent = getpid();
    worker.process = fork();
    if (worker.process == 0) become_worker(ends[1], parent, words.data());
    const int error = errno;
    close(ends[1]);
    worker.socket = ends[0];
    worker.tasks.clear();
    worker.received.clear();
    if (worker.process < 0) {
        close(std::exchange(worker.socket, -1));
        throw std::runtime_error(std::string("cannot start a worker: ") + std::strerror(error));
    }
}

void WorkerPool::end(Worker& worker) {
    if (worker.socket >= 0) close(worker.socket);
    if (worker.process < 0) return;
    kill(worker.process, SIGKILL);
    while (waitpid(worker.process, nullptr, 0) < 0 && errno == EINTR) {
    }
}

std::size_t WorkerPool::least_busy() const {
    const auto least = std::min_element(
        workers_.begin(), workers_.end(),
        [](const Worker& a, const Worker& b) { return a.tasks.size() < b.tasks.size(); });
    return static_cast<std::size_t>(least - workers_.begin());
}

bool WorkerPool::has_room(std::size_t depth) const {
    return workers_[least_busy()].tasks.size() < depth;
}

bool WorkerPool::has_busy() const {
    return std::any_of(workers_.begin(), workers_.end(),
                       [](const Worker& w) { return !w.tasks.empty(); });
}

// A worker that died while it was idle shows when its answer is waited for.
void WorkerPool::give(std::int64_t task, const std::string& line) {
    Worker& worker = workers_[least_busy()];
    worker.tasks.push_back(task);
    (void)send_whole(worker.socket, line + "\n");
}

void WorkerPool::bury(Worker& worker, std::vector<WorkerEvent>& events) {
    int status = 0;
    while (waitpid(worker.process, &status, 0) < 0 && errno == EINTR) {
    }
    worker.process = -1;
    close(std::exchange(worker.socket, -1));
    auto kind =
        comes_from_outside(status) ? WorkerEvent::Kind::kKilled : WorkerEvent::Kind::kCrashed;
    for (const std::int64_t task : std::exchange(worker.tasks, {})) {
        events.push_back({task, kind, how_ended(status)});
        kind = WorkerEvent::Kind::kReturned;
    }
    start(worker);
}

void WorkerPool::receive(Worker& worker, std::vector<WorkerEvent>& events) {
    const bool open = receive_some(worker.socket, worker.received);
    for (std::size_t end = 0; (end = worker.received.find('\n')) != std::string::npos;) {
        if (!worker.tasks.empty()) {
            events.push_back({worker.tasks.front(), WorkerEvent::Kind::kAnswered,
                              worker.received.substr(0, end)});
            worker.tasks.pop_front();
        }
        worker.received.erase(0, end + 1);
    }
    if (!open) bury(worker, events);
}

std::vector<WorkerEvent> WorkerPool::wait(int milliseconds) {
    std::vector<pollfd> sockets;
    for (const Worker& worker : workers_) sockets.push_back({worker.socket, POLLIN, 0});
    std::vector<WorkerEvent> events;
    if (poll(sockets.data(), sockets.size(), milliseconds) <= 0) return events;
    for (std::size_t i = 0; i < workers_.size(); ++i) {
        if (sockets[i].revents != 0) receive(workers_[i], events);
    }
    return events;
}

void serve_lines(const std::function<std::string(const std::string& line)>& answer) {
    std::string received;
    while (receive_some(STDIN_FILENO, received)) {
        for (std::size_t end = 0; (end = received.find('\n')) != std::string::npos;) {
            const std::string line = received.substr(0, end);
            received.erase(0, end + 1);
            if (!send_whole(STDIN_FILENO, answer(line) + "\n")) return;
        }
    }
}

}  // namespace stiction
