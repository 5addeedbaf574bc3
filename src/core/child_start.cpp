// child_start.cpp - a child's beginning and end: fork, limits, and what it died of. The fuzzers' program
// has one of its own instead (tests/fuzz/child_here.cpp).
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <utility>

#include "core/child_process.h"
#include "core/error.h"

namespace stiction {

namespace {

[[maybe_unused]] std::size_t address_space() {
    std::ifstream file("/proc/self/statm");
    std::size_t pages = 0;
    file >> pages;
    return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

void limit(__rlimit_resource resource, rlim_t most) {
    const rlimit both{most, most};
    setrlimit(resource, &both);
}

// Only for the child. The sanitizers reserve more address space than any limit would allow.
void take_limits(const ChildLimits& limits) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    limit(RLIMIT_CORE, 0);
    const auto seconds = static_cast<rlim_t>(limits.seconds);
    const rlimit time{seconds, seconds + 1};  // SIGXCPU at the first, SIGKILL at the second
    setrlimit(RLIMIT_CPU, &time);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    limit(RLIMIT_AS, address_space() + limits.memory);
#endif
    // Ctrl-C reaches the whole group: it is the parent's to answer, whose end is the child's.
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
    for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGXCPU}) {
        std::signal(signal, SIG_DFL);
    }
    sigset_t none;  // the program's own threads may leave signals to one of them
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    const int nothing = open("/dev/null", O_RDWR);  // libraries print what they think
    dup2(nothing, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
}

}  // namespace

ChildProcess::ChildProcess(std::string subject, const ChildLimits& limits,
                           const std::function<void(ChildOutput&)>& work)
    : subject_(std::move(subject)), limits_(limits) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        throw InputError(subject_ + ": cannot be read: " + std::strerror(errno));
    }
    pid_ = fork();
    if (pid_ == 0) {
        close(ends[0]);
        take_limits(limits_);
        work_as_child(ends[1], subject_, limits_, work);
        _exit(0);  // nothing of the parent's is flushed or closed a second time
    }
    const int error = errno;
    close(ends[1]);
    pipe_ = ends[0];
    if (pid_ < 0) {
        close(pipe_);
        throw InputError(subject_ + ": cannot be read: " + std::strerror(error));
    }
}

ChildProcess::~ChildProcess() {
    close(pipe_);
    if (pid_ < 0) return;
    kill(pid_, SIGKILL);
    while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
}

void ChildProcess::report_death() {
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) {
        fail("reading it takes more than " + std::to_string(limits_.seconds) + " s");
    }
    fail("its reader ended on it (" +
         (WIFSIGNALED(status) ? std::string(strsignal(WTERMSIG(status)))
                              : "status " + std::to_string(WEXITSTATUS(status))) +
         "); the file is damaged");
}

}  // namespace stiction
