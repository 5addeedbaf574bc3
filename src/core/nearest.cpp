// nearest.cpp - edit distance and the wording of suggestions.
#include "core/nearest.h"

#include <algorithm>

namespace stiction {

int edit_distance(std::string_view a, std::string_view b) {
    const std::size_t columns = b.size() + 1;
    std::vector<int> d((a.size() + 1) * columns);  // d[i, j]: first i letters of a to first j of b
    const auto at = [&](std::size_t i, std::size_t j) -> int& { return d[i * columns + j]; };
    for (std::size_t i = 0; i <= a.size(); ++i) at(i, 0) = static_cast<int>(i);
    for (std::size_t j = 0; j <= b.size(); ++j) at(0, j) = static_cast<int>(j);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const int replace = at(i - 1, j - 1) + (a[i - 1] == b[j - 1] ? 0 : 1);
            at(i, j) = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, replace});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
            }
        }
    }
    return at(a.size(), b.size());
}

std::string suggestion(std::string_view found, const std::vector<std::string_view>& valid) {
    constexpr std::size_t kLongest = 64;  // letters compared; names are shorter
    constexpr std::size_t kListed = 20;   // a longer list helps nobody
    std::string_view best;
    int best_distance = std::max(2, static_cast<int>(std::min(found.size(), kLongest)) / 3) + 1;
    for (const std::string_view name : valid) {
        const int distance = edit_distance(found.substr(0, kLongest), name.substr(0, kLongest));
        if (distance < best_distance && distance < static_cast<int>(name.size())) {
            best = name;
            best_distance = distance;
        }
    }
    if (!best.empty()) return "; did you mean '" + std::string(best) + "'?";
    if (valid.empty()) return "";
    std::string list = "; expected one of: ";
    for (std::size_t i = 0; i < std::min(valid.size(), kListed); ++i) {
        list += (i == 0 ? "" : ", ") + std::string(valid[i]);
    }
    return list + (valid.size() > kListed ? ", ..." : "");
}

}  // namespace stiction
