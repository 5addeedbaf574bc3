// view_grid.cpp - rows and columns.
#include "view/view_grid.h"

#include <algorithm>
#include <cmath>

namespace stiction {

std::vector<Rectangle> view_grid(const Rectangle& area, std::size_t count) {
    count = std::max<std::size_t>(count, 1);
    std::size_t best = 1;
    float largest = -1;
    // The columns whose cells hold the largest square; of equal ones the fewest empty cells.
    for (std::size_t columns = 1; columns <= count; ++columns) {
        const std::size_t rows = (count + columns - 1) / columns;
        const float side = std::min(area.width() / static_cast<float>(columns),
                                    area.height() / static_cast<float>(rows));
        if (side <= largest * 1.001F) continue;
        largest = side;
        best = columns;
    }
    const std::size_t rows = (count + best - 1) / best;
    const float width = std::floor(area.width() / static_cast<float>(best));
    const float height = std::floor(area.height() / static_cast<float>(rows));
    std::vector<Rectangle> cells;
    for (std::size_t i = 0; i < count; ++i) {
        const float left = area.left + static_cast<float>(i % best) * width;
        const float top = area.top + static_cast<float>(i / best) * height;
        cells.push_back({left, top, left + width, top + height});
    }
    return cells;
}

std::size_t cell_at(const std::vector<Rectangle>& cells, float x, float y) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const Rectangle& c = cells[i];
        if (x >= c.left && x < c.right && y >= c.top && y < c.bottom) return i;
    }
    return 0;
}

}  // namespace stiction
