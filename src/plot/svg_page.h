// svg_page.h - the page around the drawing of a figure.
#pragma once

#include <string>

#include "plot/svg_drawing.h"

namespace stiction::plotting {

inline constexpr double kTitleFont = 15;  // [px], of a panel
inline constexpr double kEdge = 14;       // [px] around everything

// Where panels begin below the title of the page.
[[nodiscard]] inline double page_top(const std::string& title) {
    return kEdge + (title.empty() ? 0 : 30);
}

[[nodiscard]] std::string svg_page(const std::string& title, double width, double height,
                                   const Drawing& drawing);

}  // namespace stiction::plotting
