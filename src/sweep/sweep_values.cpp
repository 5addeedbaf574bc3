// sweep_values.cpp - reads values and ranges.
#include "sweep/sweep_values.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "sweep/sweep_file.h"

namespace stiction {

namespace {

constexpr std::array<std::string_view, 2> kScales = {"linear", "log"};

void refuse_doubled(const Node& node, const std::vector<std::string>& values) {
    std::vector<std::string> sorted = values;
    std::sort(sorted.begin(), sorted.end());
    const auto twin = std::adjacent_find(sorted.begin(), sorted.end());
    if (twin != sorted.end()) node.fail("the value " + *twin + " comes twice");
}

double checked(const Node& node, double value, bool integers) {
    if (integers && value != std::floor(value)) {
        node.fail("must be whole numbers, got " + number_text(value));
    }
    return value;
}

// Values of a range as people write them: 0.06 rather than 0.06000000000000001.
double without_rounding(double value) {
    std::array<char, 32> digits{};
    constexpr int kDigits = 15;  // all that every double keeps
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value,
                                   std::chars_format::general, kDigits)
                         .ptr;
    double rounded = value;
    std::from_chars(digits.data(), end, rounded);
    return rounded;
}

std::vector<std::string> read_range(const Node& node, const Range& range, bool integers) {
    node.only({"from", "to", "count", "scale"});
    const double from = node.at("from").number(range);
    const double to = node.at("to").number(range);
    const std::int64_t count = node.at("count").integer(1, kMaxJobs);
    const auto scale = node.find("scale");
    const bool logarithmic = scale && scale->choice(kScales, "scale") == 1;
    if (logarithmic && !(from > 0 && to > 0)) node.fail("a log scale needs from and to above 0");
    if (count > 1 && from == to) node.fail("from and to are equal; expected a range");
    std::vector<std::string> values;
    for (std::int64_t i = 0; i < count; ++i) {
        const double part =
            count == 1 ? 0 : static_cast<double>(i) / static_cast<double>(count - 1);
        double value = without_rounding(logarithmic ? from * std::pow(to / from, part)
                                                    : from + part * (to - from));
        if (i + 1 == count && count > 1) value = to;  // exactly
        values.push_back(number_text(checked(node, value, integers)));
    }
    return values;
}

}  // namespace

std::string number_text(double value) {
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    return {digits.data(), end};
}

std::vector<std::string> read_numbers(const Node& node, const Range& range, bool integers) {
    std::vector<std::string> values;
    if (node.is_map()) {
        values = read_range(node, range, integers);
    } else if (node.is_list()) {
        for (std::size_t i = 0; i < node.size(); ++i)
            values.push_back(number_text(checked(node[i], node[i].number(range), integers)));
    } else {
        values.push_back(number_text(checked(node, node.number(range), integers)));
    }
    if (values.empty()) node.fail("the list is empty; expected at least one value");
    refuse_doubled(node, values);
    return values;
}

std::vector<std::string> read_words(const Node& node) {
    std::vector<std::string> values;
    if (node.is_list()) {
        for (std::size_t i = 0; i < node.size(); ++i) values.push_back(node[i].text());
    } else {
        values.push_back(node.text());
    }
    if (values.empty()) node.fail("the list is empty; expected at least one value");
    if (std::find(values.begin(), values.end(), "") != values.end()) node.fail("a name is empty");
    refuse_doubled(node, values);
    return values;
}

}  // namespace stiction
