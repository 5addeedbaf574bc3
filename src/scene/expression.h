// expression.h - arithmetic in scene files: a number wherever one is expected may be an expression.
//
//   + - * / ^ ( )   pi   and the names in scope
//   sin cos tan asin acos atan sqrt abs floor ceil min max mod random
//   a value followed by `deg` is turned from degrees to radians: 30 deg, (angle + 5) deg
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stiction {

// Names and their values: parameters, and around them the indices of a repetition.
struct Scope {
    const Scope* outer = nullptr;
    std::vector<std::pair<std::string, double>> values;

    [[nodiscard]] const double* find(std::string_view name) const;
    [[nodiscard]] std::vector<std::string_view> names() const;  // of this scope and those around it
};

// What is wrong with an expression; the caller adds the place.
struct ExpressionError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

inline constexpr std::size_t kLongestExpression = 1000;  // characters: each bracket is a recursion

[[nodiscard]] double evaluate(std::string_view text, const Scope& scope);

// Can a parameter have this name? Letters, digits and _, not a function, constant or index.
[[nodiscard]] bool is_free_name(std::string_view name);

}  // namespace stiction
