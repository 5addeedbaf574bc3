// worker.cpp - fork, one packet per input, and whose fault a report of the sanitizers tells of.
#include "fuzz/worker.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <sanitizer/common_interface_defs.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>
#include <vector>

namespace stiction {

namespace {

constexpr int kMostInputs = 2000;  // of one worker: libraries leak
constexpr int kLongest = 500;      // [ms] of computing that an input may take; 2 s in the program
constexpr int kSilence = 60'000;   // [ms] until a worker that does not compute is ended
constexpr std::size_t kTop = 4;    // frames that tell one fault from another
constexpr std::size_t kInner = 8;  // frames that an allocation may have inside the sanitizers

enum class Code { kRuntime, kSanitizer, kOurs, kLibrary };

// Of what is linked into this program our code alone is not exported, and the sanitizers' own inner functions;
// templates of the standard library are, and a library may have called them.
Code code_at(std::uintptr_t pc) {
    static const char here = 0;
    Dl_info own{}, info{};
    dladdr(&here, &own);
    if (dladdr(reinterpret_cast<const void*>(pc), &info) == 0) return Code::kRuntime;
    if (info.dli_fbase == own.dli_fbase) {
        if (info.dli_sname == nullptr) return Code::kOurs;
        const std::string_view name = info.dli_sname;
        if (name == "main" || name.starts_with("LLVMFuzzer")) return Code::kOurs;
        const bool operator_new_or_delete = name.starts_with("_Zn") || name.starts_with("_Zd");
        return operator_new_or_delete || !name.starts_with("_Z") ? Code::kSanitizer
                                                                 : Code::kRuntime;
    }
    const std::string file = std::filesystem::path(info.dli_fname).filename();
    for (const char* runtime :
         {"libc.so", "libm.so", "libstdc++", "libgcc_s", "ld-linux", "linux-vdso"}) {
        if (file.starts_with(runtime)) return Code::kRuntime;
    }
    return Code::kLibrary;
}

// Where it happened: the first stack of a report.
std::vector<std::uintptr_t> first_stack(const std::string& report) {
    std::vector<std::uintptr_t> stack;
    std::istringstream lines(report);
    for (std::string line; std::getline(lines, line);) {
        int number = 0;
        unsigned long pc = 0;
        if (std::sscanf(line.c_str(), " #%d 0x%lx", &number, &pc) == 2)
            stack.push_back(pc);
        else if (!stack.empty())
            break;
    }
    return stack;
}

// A library's, where the innermost frame that is neither the sanitizers' nor the standard library's is.
bool in_library(const std::vector<std::uintptr_t>& stack) {
    std::size_t from = 0;
    for (std::size_t i = 0; i < std::min(kInner, stack.size()); ++i) {
        const Code code = code_at(stack[i]);
        if (code == Code::kLibrary) break;
        if (code == Code::kSanitizer) from = i + 1;  // it has called what is further in
    }
    for (std::size_t i = from; i < stack.size(); ++i) {
        const Code code = code_at(stack[i]);
        if (code == Code::kLibrary) return true;
        if (code == Code::kOurs) return false;
    }
    return false;
}

// What tells one fault from another: the innermost frames, or what was found.
std::string fault_name(const std::vector<std::uintptr_t>& stack, const std::string& report) {
    std::string name;
    for (std::size_t i = 0; i < std::min(kTop, stack.size()); ++i)
        name += std::to_string(stack[i]) + " ";
    if (!name.empty()) return name;
    constexpr std::size_t kEnough = 100;
    const std::size_t error = report.find("runtime error:");
    return error == std::string::npos ? "no report" : report.substr(error, kEnough);
}

std::string text_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// libFuzzer looks at the clock by a signal.
template <class Call>
auto unless_interrupted(const Call& call) {
    auto result = call();
    while (result < 0 && errno == EINTR) result = call();
    return result;
}

// An endless loop becomes a report of where it is: SIGABRT after so much computing.
timer_t make_timer() {
    sigevent event{};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGABRT;
    timer_t timer{};
    if (timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer) != 0) _exit(2);
    return timer;
}

void set_timer(timer_t timer, int milliseconds) {
    itimerspec in{};
    in.it_value.tv_nsec = 1'000'000L * milliseconds;  // less than a second
    timer_settime(timer, 0, &in, nullptr);
}

}  // namespace

void Worker::start() {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0 ||
        (pid_ = fork()) < 0) {
        std::perror("starting a worker");
        std::exit(2);
    }
    if (pid_ == 0) {
        close(ends[0]);
        work(ends[1]);
    }
    close(ends[1]);
    socket_ = ends[0];
    inputs_ = 0;
}

void Worker::stop() {
    if (pid_ < 0) return;
    close(socket_);
    kill(pid_, SIGKILL);
    unless_interrupted([&] { return waitpid(pid_, nullptr, 0); });
    pid_ = -1;
}

void Worker::work(int socket) const {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    __sanitizer_set_death_callback(nullptr);  // libFuzzer's: it would write what it tried last
    __sanitizer_set_report_path((finds_ + "-report").c_str());
    const int nothing = open("/dev/null", O_RDWR);  // libraries print what they think
    dup2(nothing, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
    const timer_t timer = make_timer();
    constexpr std::size_t kMost = std::size_t{1} << 20U;  // [bytes] of an input
    std::vector<char> packet(kMost);
    while (true) {
        const ssize_t got = recv(socket, packet.data(), packet.size(), 0);
        if (got <= 0) _exit(0);
        const std::vector<char> input(packet.begin() + 1, packet.begin() + got);  // its own bounds
        set_timer(timer, kLongest);
        target_.read({input.data(), input.size()});
        set_timer(timer, 0);
        if (send(socket, packet.data(), 1, MSG_NOSIGNAL) != 1) _exit(0);
    }
}

// False when the worker ended on it.
bool Worker::passes(std::string_view bytes) {
    if (pid_ < 0) start();
    const std::string packet = ">" + std::string(bytes);  // an empty one would look like the end
    char done = 0;
    ++inputs_;
    return unless_interrupted([&] {
               return send(socket_, packet.data(), packet.size(), MSG_NOSIGNAL);
           }) == static_cast<ssize_t>(packet.size()) &&
           unless_interrupted([&] {
               pollfd ready{socket_, POLLIN, 0};
               return poll(&ready, 1, kSilence);
           }) > 0 &&
           unless_interrupted([&] { return recv(socket_, &done, 1, 0); }) == 1;
}

// Ends the worker, if it has not already.
std::string Worker::take_report() {
    const std::string path = finds_ + "-report." + std::to_string(pid_);
    stop();
    std::string report = text_of(path);
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
    return report;
}

bool Worker::read(std::string_view bytes) {
    if (passes(bytes)) {
        if (inputs_ >= kMostInputs) take_report();  // warnings, at most
        return true;
    }
    const bool first = inputs_ == 1;
    std::string report = take_report();
    bool library = in_library(first_stack(report));
    if (!library && !first) {  // or did a library break what is ours, on an earlier input?
        library = passes(bytes);
        if (!library) {
            report = take_report();
            library = in_library(first_stack(report));
        }
    }
    if (library)
        ++ended_in_library_;
    else
        keep(bytes, report);
    return false;
}

void Worker::keep(std::string_view bytes, const std::string& report) {
    if (!faults_.insert(fault_name(first_stack(report), report)).second) return;
    const std::string path =
        finds_ + "-fault-" + std::to_string(getpid()) + "-" + std::to_string(faults_.size());
    std::ofstream(path, std::ios::binary) << bytes;
    std::ofstream(path + ".report", std::ios::binary) << report;
}

}  // namespace stiction
