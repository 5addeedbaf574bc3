// guarded_run.cpp - fork, a CPU timer, and memory that both sides see.
#include "guarded_run.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>

namespace stiction {

namespace {

constexpr unsigned kWallFactor = 20;  // of the CPU limit: a child that sleeps is ended as well

[[noreturn]] void run_child(double cpu_seconds, std::span<double> shared,
                            const std::function<void(std::span<double>)>& work) {
    const int null = open("/dev/null", O_WRONLY);
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    extend_guard(cpu_seconds);
    try {
        work(shared);
    } catch (...) {
        _exit(1);
    }
    _exit(0);
}

}  // namespace

void extend_guard(double cpu_seconds) {
    const double whole = std::floor(cpu_seconds);
    itimerval limit{};
    limit.it_value.tv_sec = static_cast<time_t>(whole);
    limit.it_value.tv_usec = static_cast<suseconds_t>(1e6 * (cpu_seconds - whole));
    setitimer(ITIMER_PROF, &limit, nullptr);  // SIGPROF and SIGALRM end the process
    alarm(kWallFactor * static_cast<unsigned>(std::ceil(cpu_seconds)));
}

std::vector<double> run_guarded(double cpu_seconds, std::size_t count,
                                const std::function<void(std::span<double>)>& work) {
    const std::size_t bytes = std::max<std::size_t>(1, count) * sizeof(double);
    void* const memory =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::runtime_error("no shared memory for a child process");
    const std::span<double> shared(static_cast<double*>(memory), count);
    std::fflush(nullptr);  // else the child would hold a copy of what is not yet written
    const pid_t child = fork();
    if (child == 0) run_child(cpu_seconds, shared, work);
    if (child > 0) waitpid(child, nullptr, 0);
    std::vector<double> answer(shared.begin(), shared.end());
    munmap(memory, bytes);
    if (child < 0) throw std::runtime_error("cannot start a child process");
    return answer;
}

}  // namespace stiction
