// stopwatch.h - monotonic wall-clock time of one stretch of work.
#pragma once

#include <chrono>

namespace stiction {

class Stopwatch {
  public:
    // Seconds since construction or the last lap, and starts the next lap.
    double lap() {
        const Clock::time_point now = Clock::now();
        const double seconds = std::chrono::duration<double>(now - start_).count();
        start_ = now;
        return seconds;
    }

    // Seconds of the present lap so far.
    [[nodiscard]] double elapsed() const {
        return std::chrono::duration<double>(Clock::now() - start_).count();
    }

  private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now();
};

}  // namespace stiction
