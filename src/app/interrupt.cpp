// interrupt.cpp - the thread that waits for signals. One mutex decides who ends the program: it is
// held while a step is recorded, and for good by the one who ends.
#include "app/interrupt.h"

#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <exception>
#include <string_view>
#include <thread>
#include <utility>

#include "app/command_line.h"
#include "app/messages.h"

namespace stiction {

namespace {

// Signals come to the program as a whole.
std::atomic<bool> signal_seen{false};
std::mutex ending;
std::atomic<std::chrono::milliseconds> grace{kGrace};
std::function<void()> kept;              // what the keeper does; under `ending`
std::unique_lock<std::mutex> by_itself;  // the main thread's

extern "C" void give_up(int) {
    constexpr std::string_view kText =
        "error: interrupted; what could not be completed is in NAME.part\n";
    [[maybe_unused]] const auto written = write(STDERR_FILENO, kText.data(), kText.size());
    _exit(kExitFailed);
}

void end_after_patience() {
    struct sigaction action = {};
    action.sa_handler = give_up;
    sigaction(SIGALRM, &action, nullptr);
    const itimerval once = {{0, 0}, {kPatience.count(), 0}};
    setitimer(ITIMER_REAL, &once, nullptr);
}

void end_where_it_is() {
    try {
        if (!kept) throw std::runtime_error("interrupted");
        kept();
    } catch (const std::exception& error) {
        print_error(message_of(error));
    }
    std::fflush(stdout);
    _exit(kExitFailed);
}

void wait_for_signal(const sigset_t& signals) {
    int signal = 0;
    sigwait(&signals, &signal);
    end_after_patience();
    signal_seen = true;
    std::this_thread::sleep_for(grace.load());
    ending.lock();  // a step that is being recorded is recorded whole
    end_where_it_is();
}

}  // namespace

void watch_signals() {
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    std::signal(SIGINT, SIG_DFL);  // a shell ignores it for what it starts in the background
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    struct sigaction hangup = {};
    sigaction(SIGHUP, nullptr, &hangup);
    if (hangup.sa_handler != SIG_IGN) sigaddset(&signals, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);  // of all threads to come, too
    std::thread([signals] { wait_for_signal(signals); }).detach();
}

bool interrupted() { return signal_seen; }

void end_by_itself() {
    if (!by_itself.owns_lock()) by_itself = std::unique_lock(ending);
}

Keeper::Keeper(std::function<void()> keep, std::chrono::milliseconds patience) {
    const std::lock_guard lock(ending);
    grace = patience;
    kept = std::move(keep);
}

Keeper::~Keeper() {
    if (by_itself.owns_lock()) {
        kept = nullptr;
    } else {
        const std::lock_guard lock(ending);
        kept = nullptr;
    }
}

std::unique_lock<std::mutex> Keeper::lock() {
    if (by_itself.owns_lock()) return {};
    return std::unique_lock(ending);
}

}  // namespace stiction
