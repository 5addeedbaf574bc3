// json_whole.h - whole numbers of a JSON text that somebody brought. nlohmann's own get<int>() converts
// 1e40, 0.5 and 2^40 as C++ does: to anything.
#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "core/error.h"

namespace stiction {

// Throws InputError when it is anything but a whole number that a T holds.
template <class T>
[[nodiscard]] T whole_number(const nlohmann::json& json) {
    const bool fits = json.is_number_unsigned()
                          ? std::in_range<T>(json.get<std::uint64_t>())
                          : json.is_number_integer() && std::in_range<T>(json.get<std::int64_t>());
    if (fits) return json.get<T>();
    constexpr auto kReplace = nlohmann::json::error_handler_t::replace;
    throw InputError("found " + json.dump(-1, ' ', false, kReplace) +
                     "; expected a whole number from " +
                     std::to_string(std::numeric_limits<T>::min()) + " to " +
                     std::to_string(std::numeric_limits<T>::max()));
}

}  // namespace stiction
