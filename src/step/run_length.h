// run_length.h - how many steps a run takes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace stiction {

inline constexpr std::int64_t kMaxSteps = 1'000'000'000;  // more is a mistake of units

// Steps of h [s] in a time [s], at least 0 and maybe above kMaxSteps. A time that is a multiple of h
// up to rounding takes exactly that many.
[[nodiscard]] inline double steps_in(double time, double h) {
    constexpr double kRounding = 1e-6;  // of a step: far above that of a quotient of doubles
    return std::max(0.0, std::ceil(time / h - kRounding));
}

}  // namespace stiction
