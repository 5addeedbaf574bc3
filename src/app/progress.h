// progress.h - a bar on standard error while a run goes on; silent when that is not a terminal.
#pragma once

#include <chrono>
#include <cstdint>

namespace stiction {

class Progress {
  public:
    Progress(std::int64_t steps, bool wanted);
    ~Progress();  // removes the bar
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void show(std::int64_t done,
              double time);  // time: simulated [s]; draws at most ten times a second
    void hide();             // before other output

  private:
    using Clock = std::chrono::steady_clock;
    std::int64_t steps_;
    bool active_;
    bool drawn_ = false;
    Clock::time_point next_ = Clock::now();
};

}  // namespace stiction
