// nearest.h - the nearest valid name to a misspelt one, for error messages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stiction {

// Fewest insertions, deletions, replacements and swaps of neighbours that turn a into b.
[[nodiscard]] int edit_distance(std::string_view a, std::string_view b);

// "; did you mean 'x'?" when a valid name is near, otherwise "; expected one of: ..." (or nothing
// to offer: "").
[[nodiscard]] std::string suggestion(std::string_view found,
                                     const std::vector<std::string_view>& valid);

}  // namespace stiction
