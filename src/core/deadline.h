// deadline.h - the moment by which work is to end. The default is never, and then the clock is not
// read: without a deadline nothing depends on it.
#pragma once

#include <chrono>
#include <functional>

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

    // This one, and also as soon as `ended` says so: a person who gives up. It is asked on the thread
    // that works, and must outlive all copies.
    [[nodiscard]] Deadline or_when(const std::function<bool()>& ended) const {
        Deadline deadline = *this;
        deadline.ended_ = &ended;
        return deadline;
    }

    [[nodiscard]] bool passed() const {
        return (ended_ != nullptr && (*ended_)()) || (is_set() && Clock::now() >= at_);
    }

    [[nodiscard]] bool is_set() const { return at_ != Clock::time_point::max(); }  // to a moment

  private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point at_ = Clock::time_point::max();
    const std::function<bool()>* ended_ = nullptr;
};

}  // namespace stiction
