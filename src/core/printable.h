// printable.h - text that comes from files and arguments, as it may be shown on a terminal: nothing
// in it moves the cursor, changes colours or the direction of writing, or fills the screen.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace stiction {

inline constexpr std::size_t kMaxMessage = 600;  // bytes: some lines of a terminal

// Control characters, bytes that are no UTF-8 and marks that turn the direction of writing become
// \x1b, \xff, \u202e. Everything else stays.
[[nodiscard]] std::string printable(std::string_view text);

// Printable, and at most kMaxMessage bytes: of a longer one the beginning, which names the file,
// and the end, which names the cause, with " ... " between them.
[[nodiscard]] std::string message_text(std::string_view text);

}  // namespace stiction
