// plot_axis.h - axes of plots: the range they show, their ticks, and where values lie in pixels.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "plot/plot.h"

namespace stiction::plotting {

// An axis with its range settled, mapping values to pixels between `begin` and `end`.
struct Ruler {
    Scale scale = Scale::kLinear;
    double from = 0, to = 1;    // values
    double begin = 0, end = 1;  // [px]

    [[nodiscard]] bool shows(double value) const {
        return std::isfinite(value) && (scale == Scale::kLinear || value > 0);
    }
    [[nodiscard]] double at(double value) const {
        const double part = scale == Scale::kLog ? (std::log10(value) - std::log10(from)) /
                                                       (std::log10(to) - std::log10(from))
                                                 : (value - from) / (to - from);
        // Far outside is as good as just outside, and keeps the numbers in the file short.
        return begin + std::clamp(part, -4.0, 5.0) * (end - begin);
    }
    [[nodiscard]] bool inside(double value) const {
        return shows(value) && value >= std::min(from, to) && value <= std::max(from, to);
    }
};

struct Range {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();

    void add(double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
};

// The range of the axis: what it asks for, otherwise the data's with a margin, rounded outward to
// powers of ten (logarithmic, more than a decade) or ticks (linear, unless `tight`).
[[nodiscard]] Ruler settle(const Axis& axis, Range data, int ticks_wanted, bool tight);

// Where an axis from `from` to `to` has its ticks: multiples of 1, 2 or 5 times a power of ten
// inside the range, about `count` of them; powers of ten on a logarithmic axis, and 2 and 5 times
// these on a short one.
[[nodiscard]] std::vector<double> nice_ticks(double from, double to, int count, Scale scale);

struct Ticks {
    std::vector<double> values;
    std::vector<std::string> names;
};

[[nodiscard]] Ticks make_ticks(const Ruler& ruler, int count);

}  // namespace stiction::plotting
