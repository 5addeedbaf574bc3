// achieved_speed.h - simulated over wall-clock time during the last second.
#pragma once

#include <chrono>
#include <deque>

namespace stiction {

class AchievedSpeed {
  public:
    using Clock = std::chrono::steady_clock;

    void stop() { points_.clear(); }
    void start(Clock::time_point now) { points_.assign(1, {now, 0}); }

    void add(Clock::time_point now, double simulated) {
        if (points_.empty()) return;
        const double total = points_.back().total + simulated;
        if (points_.size() > 1 && now - points_[points_.size() - 2].at < kApart) {
            points_.back() = {now, total};  // many short steps make one point
        } else {
            points_.push_back({now, total});
        }
        while (points_.size() > 2 && points_[1].at <= now - kWindow) points_.pop_front();
    }

    [[nodiscard]] double value() const {
        if (points_.size() < 2) return 0;
        const std::chrono::duration<double> wall = points_.back().at - points_.front().at;
        return wall.count() > 0 ? (points_.back().total - points_.front().total) / wall.count() : 0;
    }

  private:
    static constexpr auto kWindow = std::chrono::seconds(1);  // long enough to read, soon forgotten
    static constexpr auto kApart = std::chrono::milliseconds(20);  // 50 points span the window
    struct Point {
        Clock::time_point at;
        double total = 0;  // simulated since the start [s]
    };
    std::deque<Point> points_;
};

}  // namespace stiction
