// progress.h - a bar on standard error while a run goes on; silent when that is not a terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>

namespace stiction {

class Progress {
  public:
    Progress(std::int64_t steps, bool wanted);
    ~Progress();  // removes the bar
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    // Draws at most ten times a second. time: simulated [s]; NaN: not shown.
    void show(std::int64_t done, double time = std::numeric_limits<double>::quiet_NaN());
    void hide();  // before other output

  private:
    using Clock = std::chrono::steady_clock;
    std::int64_t steps_;
    bool active_;
    bool drawn_ = false;
    Clock::time_point next_ = Clock::now();
};

}  // namespace stiction
