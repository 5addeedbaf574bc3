// graph_strip.h - graphs beside each other below the view, and the menu that a right click on a
// number opens.
#pragma once

#include <initializer_list>

#include "view/desk.h"

namespace stiction {

[[nodiscard]] float graph_strip_height(const Desk& desk);  // 0: no graphs [pixels]
void graph_strip(Desk& desk);

// After a widget that shows these numbers: a right click on it offers graphs of them.
void plottable(Desk& desk, std::initializer_list<Quantity> quantities);
void plot_menu(Desk& desk);  // once per frame, inside no window

// Files of a graph, as it is shown.
void save_graph_table(Desk& desk, std::size_t graph);
void save_graph_picture(Desk& desk, std::size_t graph);

}  // namespace stiction
