// sweep_values.h - the values of an axis: one, a list, or a range.
#pragma once

#include <string>
#include <vector>

#include "scene/node.h"

namespace stiction {

// The shortest digits that give the number again.
[[nodiscard]] std::string number_text(double value);

// A number, [a list] or {from, to, count, scale}. Throws InputError, also for a value that comes
// twice.
[[nodiscard]] std::vector<std::string> read_numbers(const Node& node, const Range& range = {},
                                                    bool integers = false);
// A word or a [list] of them.
[[nodiscard]] std::vector<std::string> read_words(const Node& node);

}  // namespace stiction
