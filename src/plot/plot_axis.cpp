// plot_axis.cpp - ranges, ticks and their names.
#include "plot/plot_axis.h"

#include <array>
#include <cstdio>

namespace stiction::plotting {

namespace {

std::string superscript(int exponent) {
    constexpr std::array<const char*, 10> kDigits = {"⁰", "¹", "²", "³", "⁴",
                                                     "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string text;
    for (const char c : std::to_string(exponent)) {
        text += c == '-' ? "⁻" : kDigits[static_cast<std::size_t>(c - '0')];
    }
    return text;
}

// A number with just the digits that tell it from its neighbours a `step` away; step 0: with a
// power of ten.
std::string tick_text(double value, double step) {
    if (value == 0) return "0";
    const double size = std::abs(value);
    std::array<char, 64> text{};
    if (step >= 1e6 || step == 0 || (size < 1e-2 && step < 1e-4)) {
        const int exponent = static_cast<int>(std::floor(std::log10(size) + 1e-12));
        std::snprintf(text.data(), text.size(), "%.12g", size / std::pow(10, exponent));
        const std::string factor = text.data();
        const std::string power = "10" + superscript(exponent);
        return (value < 0 ? "−" : "") + (factor == "1" ? power : factor + "·" + power);
    }
    const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 9);
    std::snprintf(text.data(), text.size(), "%.*f", decimals, size);
    return (value < 0 ? "−" : "") + std::string(text.data());
}

// Plain numbers as long as all of an axis are short, otherwise powers of ten.
std::string log_tick_text(double value, bool plain) {
    if (!plain) return tick_text(value, 0);
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.6g", value);
    return text.data();
}

// Differences and quotients of the ends stay finite, and the range is not empty.
void keep_drawable(bool log, Range& data) {
    constexpr double kHuge = 1e300;  // twice it is still a number
    data.low = std::clamp(data.low, log ? 1 / kHuge : -kHuge, kHuge);
    data.high = std::clamp(data.high, log ? 1 / kHuge : -kHuge, kHuge);
    const double size = std::max(std::abs(data.low), std::abs(data.high));
    if (log) {
        if (!(data.high > 1.0001 * data.low)) data = {data.low / 2, 2 * data.low};
    } else if (!(data.high - data.low > std::max(1e-9 * size, 1 / kHuge))) {
        const double margin = size <= 1 / kHuge ? 1 : 0.1 * size;
        data = {data.low - margin, data.low + margin};
    }
}

}  // namespace

Ruler settle(const Axis& axis, Range data, int ticks_wanted, bool tight) {
    Ruler ruler;
    ruler.scale = axis.scale;
    const bool log = axis.scale == Scale::kLog;
    if (!(data.low <= data.high)) data = log ? Range{1, 10} : Range{0, 1};
    keep_drawable(log, data);
    if (log && !tight) {
        const double low = std::floor(std::log10(data.low) + 1e-9);
        const double high = std::ceil(std::log10(data.high) - 1e-9);
        data = {std::pow(10, low), std::pow(10, high)};
    } else if (!tight) {
        const std::vector<double> ticks = nice_ticks(data.low, data.high, ticks_wanted, axis.scale);
        const double step = ticks.size() > 1 ? ticks[1] - ticks[0] : data.high - data.low;
        data = {step * std::floor(data.low / step + 1e-9),
                step * std::ceil(data.high / step - 1e-9)};
    }
    const auto wanted = [log](const std::optional<double>& value) {
        return value && std::isfinite(*value) && (!log || *value > 0);
    };
    if (wanted(axis.from)) data.low = *axis.from;
    if (wanted(axis.to)) data.high = *axis.to;
    keep_drawable(log, data);
    ruler.from = data.low;
    ruler.to = data.high;
    return ruler;
}

std::vector<double> nice_ticks(double from, double to, int count, Scale scale) {
    std::vector<double> ticks;
    if (!(to > from) || !std::isfinite(to - from) || count < 1) return ticks;
    if (scale == Scale::kLog && from > 0) {
        const int low = static_cast<int>(std::ceil(std::log10(from) - 1e-9));
        const int high = static_cast<int>(std::floor(std::log10(to) + 1e-9));
        const int stride = std::max(1, (high - low + count) / count);
        const bool between = high - low < 2;
        if (std::log10(to / from) > 0.7) {
            for (int e = between ? low - 1 : low; e <= high; ++e) {
                if (e % stride != 0) continue;
                for (const double m : {1.0, 2.0, 5.0}) {
                    const double value = m * std::pow(10, e);
                    const bool in = value >= from * (1 - 1e-9) && value <= to * (1 + 1e-9);
                    if (in && (m == 1 || between)) ticks.push_back(value);
                }
            }
            return ticks;
        }
    }
    const double rough = (to - from) / count;
    const double power = std::pow(10, std::floor(std::log10(rough)));
    double step = 10 * power;
    for (const double m : {5.0, 2.0, 1.0}) {
        if (m * power >= rough * (1 - 1e-9)) step = m * power;
    }
    const double first = std::ceil(from / step - 1e-9);
    for (double k = first; k * step <= to + 1e-9 * step; ++k) {
        ticks.push_back(k == 0 ? 0 : k * step);
    }
    return ticks;
}

Ticks make_ticks(const Ruler& ruler, int count) {
    Ticks ticks;
    ticks.values = nice_ticks(ruler.from, ruler.to, count, ruler.scale);
    const double step = ticks.values.size() > 1 ? ticks.values[1] - ticks.values[0]
                                                : std::max(std::abs(ruler.to), 1e-300);
    const bool plain =
        !ticks.values.empty() && ticks.values.front() > 0.99e-3 && ticks.values.back() < 1.01e4;
    for (const double value : ticks.values) {
        ticks.names.push_back(ruler.scale == Scale::kLog ? log_tick_text(value, plain)
                                                         : tick_text(value, step));
    }
    return ticks;
}

}  // namespace stiction::plotting
