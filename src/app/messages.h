// messages.h - what the program says on standard error: the one place where it does.
#pragma once

#include <exception>
#include <string>
#include <string_view>

namespace stiction {

// "error: TEXT", as core/printable.h makes it fit for a terminal, in one write.
void print_error(std::string_view text);

// What an exception says: "out of memory" where that is what is missing.
[[nodiscard]] std::string message_of(const std::exception& error);

// The log of warnings, with the same care. Throws InputError for a level that there is not.
void set_up_log(const std::string& level);

// Throws OutputError when something that was printed did not arrive.
void check_standard_output();

}  // namespace stiction
