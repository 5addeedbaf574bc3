// sweep_display.h - a sweep while it runs, on a terminal: how far it is, how long it will take, and
// its latest rows. Silent when standard error is no terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "sweep/plan.h"

namespace stiction {

class SweepDisplay {
  public:
    // `missing` of the jobs are to be run.
    SweepDisplay(const Plan& plan, std::int64_t missing, bool wanted);
    ~SweepDisplay();  // removes it
    SweepDisplay(const SweepDisplay&) = delete;
    SweepDisplay& operator=(const SweepDisplay&) = delete;

    void add(const JobResult& result);
    void show();  // at most ten times a second
    void hide();  // before other output

    [[nodiscard]] double seconds() const;  // since the start
    [[nodiscard]] std::int64_t ended() const { return ended_; }

  private:
    using Clock = std::chrono::steady_clock;

    [[nodiscard]] std::string progress_line() const;
    [[nodiscard]] std::vector<std::string> table_lines() const;

    const Plan& plan_;
    std::int64_t missing_;
    bool active_;
    std::int64_t ended_ = 0, failed_ = 0;
    std::deque<std::vector<std::string>> rows_;  // the latest, oldest first
    int drawn_ = 0;                              // lines
    Clock::time_point start_ = Clock::now(), next_ = start_;
};

// "1 h 12 min", "3 min 20 s", "12 s".
[[nodiscard]] std::string duration_text(double seconds);

}  // namespace stiction
