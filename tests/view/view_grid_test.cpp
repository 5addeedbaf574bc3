// view_grid_test.cpp - pictures beside each other fill their place and do not overlap.
#include "view/view_grid.h"

#include <gtest/gtest.h>

namespace stiction {
namespace {

TEST(ViewGrid, CellsAreInsideAndApart) {
    for (const Rectangle& area :
         {Rectangle{0, 0, 640, 700}, Rectangle{330, 20, 1900, 1300}, Rectangle{10, 10, 400, 900}}) {
        for (std::size_t count = 1; count <= 6; ++count) {
            const std::vector<Rectangle> cells = view_grid(area, count);
            ASSERT_EQ(cells.size(), count);
            float covered = 0;
            for (std::size_t i = 0; i < count; ++i) {
                EXPECT_TRUE(area.holds(cells[i])) << count << " " << i;
                EXPECT_FALSE(cells[i].empty());
                EXPECT_EQ(cells[i].width(), cells[0].width());
                EXPECT_EQ(cells[i].height(), cells[0].height());
                for (std::size_t k = 0; k < i; ++k) EXPECT_FALSE(cells[i].overlaps(cells[k]));
                covered += cells[i].width() * cells[i].height();
                EXPECT_EQ(cell_at(cells, cells[i].left + 1, cells[i].top + 1), i);
            }
            EXPECT_GT(covered, 0.55F * area.width() * area.height()) << count;
        }
    }
    EXPECT_EQ(view_grid({0, 0, 800, 400}, 2)[1].top, 0);  // beside each other
    EXPECT_EQ(view_grid({0, 0, 400, 800}, 2)[1].left, 0);
    EXPECT_EQ(view_grid({0, 0, 600, 600}, 4)[3].left, 300);
    EXPECT_EQ(cell_at(view_grid({0, 0, 800, 400}, 2), -5, 900), 0U);
}

}  // namespace
}  // namespace stiction
