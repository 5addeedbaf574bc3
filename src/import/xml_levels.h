// xml_levels.h - how deep the elements of an XML text are nested, seen before a reader that recurses
// gets it.
#pragma once

#include <cstddef>
#include <string_view>

namespace stiction {

// Where the first element stands that has `most` others around it or more; npos where none has.
// Comments, declarations and self-closing tags are no levels. Where readers might understand a text
// in two ways, an element counts as open.
[[nodiscard]] std::size_t find_too_deep(std::string_view text, int most);

}  // namespace stiction
