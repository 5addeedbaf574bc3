// progress.cpp - draws the bar.
#include "app/progress.h"

#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <string>

namespace stiction {

Progress::Progress(std::int64_t steps, bool wanted)
    : steps_(steps), active_(wanted && isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() { hide(); }

void Progress::show(std::int64_t done, double time) {
    constexpr std::chrono::milliseconds kInterval{100};  // often enough for the eye
    constexpr int kWidth = 40;  // columns: the numbers beside it fit into 80
    if (!active_ || steps_ == 0) return;
    const Clock::time_point now = Clock::now();
    if (now < next_) return;
    next_ = now + kInterval;
    const double share = static_cast<double>(done) / static_cast<double>(steps_);
    const auto filled = static_cast<std::size_t>(share * kWidth);
    const std::string bar = std::string(filled, '#') + std::string(kWidth - filled, '.');
    std::fprintf(stderr, "\r[%s] %3.0f %% ", bar.c_str(), 100 * share);
    if (!std::isnan(time)) std::fprintf(stderr, " t = %.3f s ", time);
    std::fflush(stderr);
    drawn_ = true;
}

void Progress::hide() {
    if (!drawn_) return;
    std::fputs("\r\033[K", stderr);
    std::fflush(stderr);
    drawn_ = false;
}

}  // namespace stiction
