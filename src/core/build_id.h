// build_id.h - which build of the program this is.
#pragma once

#include <string>

namespace stiction {

// The linker's hash of all that was linked into the program, or into the library that holds this
// function, as hexadecimal digits. Any change of the code changes it; stripping does not.
[[nodiscard]] std::string build_id();

}  // namespace stiction
