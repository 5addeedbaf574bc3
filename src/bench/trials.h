// trials.h - mean and standard deviation of repeated measurements, as the papers give them.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace stiction {

struct Trials {
    double mean = std::numeric_limits<double>::quiet_NaN();
    double deviation = std::numeric_limits<double>::quiet_NaN();  // of a sample; one has none
    double least = std::numeric_limits<double>::quiet_NaN();
    double most = std::numeric_limits<double>::quiet_NaN();
};

[[nodiscard]] inline Trials summarise(const std::vector<double>& values) {
    Trials trials;
    if (values.empty()) return trials;
    const auto count = static_cast<double>(values.size());
    double sum = 0;
    for (const double value : values) sum += value;
    trials.mean = sum / count;
    trials.least = *std::min_element(values.begin(), values.end());
    trials.most = *std::max_element(values.begin(), values.end());
    if (values.size() < 2) return trials;
    double squares = 0;
    for (const double value : values) squares += (value - trials.mean) * (value - trials.mean);
    trials.deviation = std::sqrt(squares / (count - 1));
    return trials;
}

}  // namespace stiction
