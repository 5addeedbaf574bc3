// deadline.h - the moment by which work is to end. The default is never, and then the clock is not
// read: without a deadline nothing depends on it.
#pragma once

#include <chrono>

namespace stiction {

class Deadline {
  public:
    Deadline() = default;

    [[nodiscard]] static Deadline in(double seconds) {
        Deadline deadline;
        const auto later = std::chrono::duration<double>(seconds);
        if (later < std::chrono::hours(24 * 365))  // else never: a time point has a last one
            deadline.at_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(later);
        return deadline;
    }

    [[nodiscard]] bool passed() const { return is_set() && Clock::now() >= at_; }

    [[nodiscard]] bool is_set() const { return at_ != Clock::time_point::max(); }

  private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point at_ = Clock::time_point::max();
};

}  // namespace stiction
