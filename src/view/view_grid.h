// view_grid.h - several pictures in the place of one: where each is, and which of them a point is in.
#pragma once

#include <cstddef>
#include <vector>

#include "view/screen_plan.h"

namespace stiction {

// Cells of one size in `area`, in reading order; as near to the shape of `area` halved as can be.
[[nodiscard]] std::vector<Rectangle> view_grid(const Rectangle& area, std::size_t count);

// The cell that holds the point; the first where none does.
[[nodiscard]] std::size_t cell_at(const std::vector<Rectangle>& cells, float x, float y);

}  // namespace stiction
