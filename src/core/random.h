// random.h - a small seeded generator (splitmix64) whose numbers are the same on every machine.
#pragma once

#include <cstdint>

namespace stiction {

class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t bits() {
        state_ += 0x9e3779b97f4a7c15ULL;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }
    double unit() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }  // [0, 1)
    double uniform(double lo, double hi) { return lo + (hi - lo) * unit(); }

    [[nodiscard]] std::uint64_t state() const { return state_; }

  private:
    std::uint64_t state_;
};

}  // namespace stiction
