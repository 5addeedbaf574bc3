// screen_plan_test.cpp - nothing of the window covers anything else or leaves it, at any size.
#include "view/screen_plan.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace stiction {
namespace {

// Sizes of what lies over the view as they are at this scale of letters.
ScreenWishes wishes_at(float width, float height, float scale) {
    ScreenWishes w;
    w.width = width;
    w.height = height;
    w.scale = scale;
    w.overlay = {440 * scale, 330 * scale};
    w.line = {440 * scale, 33 * scale};
    w.legend = {215 * scale, 150 * scale};
    w.notices = 60 * scale;
    w.timeline = 47 * scale;
    return w;
}

void expect_sound(const ScreenWishes& w, const ScreenPlan& plan) {
    SCOPED_TRACE(std::to_string(w.width) + " x " + std::to_string(w.height) + ", scale " +
                 std::to_string(w.scale));
    const Rectangle window{0, 0, w.width, w.height};
    const std::vector<Rectangle> parts = {plan.left,     plan.right,  plan.left_tab, plan.right_tab,
                                          plan.timeline, plan.graphs, plan.gallery,  plan.notices,
                                          plan.overlay,  plan.legend};
    for (std::size_t i = 0; i < parts.size(); ++i) {
        EXPECT_TRUE(window.holds(parts[i])) << i;
        for (std::size_t k = 0; k < i; ++k) EXPECT_FALSE(parts[i].overlaps(parts[k])) << i << k;
        if (i < 7) {
            EXPECT_FALSE(parts[i].overlaps(plan.view)) << i;
        } else {
            EXPECT_TRUE(plan.view.holds(parts[i])) << i;
        }
    }
    for (const Rectangle& r : parts) {  // parts that meet leave no gap
        if (&r == &parts[7] || &r == &parts[8] || &r == &parts[9]) continue;
        for (const float edge : {r.left, r.top, r.right, r.bottom})
            EXPECT_EQ(edge, std::floor(edge));
    }
    EXPECT_TRUE(plan.view.holds(plan.free));
    const bool room = plan.view.width() > 300 * w.scale && plan.view.height() > 300 * w.scale;
    EXPECT_TRUE(!room || !plan.free.overlaps(plan.overlay));
    EXPECT_TRUE(!room || !plan.free.overlaps(plan.legend));
    EXPECT_FALSE(plan.free.empty());
}

TEST(ScreenPlan, NothingCoversAnythingElse) {
    for (const auto& [width, height] : std::vector<std::pair<float, float>>{
             {480, 360}, {640, 480}, {1000, 700}, {1440, 900}, {2560, 1440}}) {
        for (const float scale : {0.5F, 1.0F, 1.5F, 3.0F}) {
            for (int choice = 0; choice < 128; ++choice) {
                ScreenWishes w = wishes_at(width, height, scale);
                w.left = (choice & 1) != 0;
                w.right = (choice & 2) != 0;
                w.preferred = (choice & 4) != 0 ? Side::kRight : Side::kLeft;
                w.folded = (choice & 8) != 0;
                if ((choice & 16) != 0) w.overlay = {};
                if ((choice & 32) != 0) w.graphs = 165 * scale;
                if ((choice & 64) != 0) w.gallery = true;
                expect_sound(w, plan_screen(w));
            }
        }
    }
}

TEST(ScreenPlan, BothPanelsWhereThereIsRoom) {
    for (const float width : {1440.0F, 2560.0F}) {
        const ScreenPlan plan = plan_screen(wishes_at(width, 900, 1));
        EXPECT_FALSE(plan.left.empty());
        EXPECT_FALSE(plan.right.empty());
        EXPECT_TRUE(plan.left_tab.empty());
        EXPECT_FALSE(plan.folded);
        EXPECT_FALSE(plan.overlay.empty());
        EXPECT_FALSE(plan.legend.empty());
    }
}

// The view is never a strip: one panel gives way, the one that was not opened last.
TEST(ScreenPlan, OnePanelBecomesATabWhereThereIsNot) {
    for (const auto& [width, height, scale] :
         std::vector<std::array<float, 3>>{{1000, 700, 1}, {1440, 900, 1.5F}}) {
        ScreenWishes w = wishes_at(width, height, scale);
        const ScreenPlan left = plan_screen(w);
        EXPECT_FALSE(left.left.empty());
        EXPECT_TRUE(left.right.empty());
        EXPECT_FALSE(left.right_tab.empty());
        EXPECT_GE(left.view.width(), kLeastView * scale);
        EXPECT_TRUE(scale != 1 || !left.folded);
        w.preferred = Side::kRight;
        const ScreenPlan right = plan_screen(w);
        EXPECT_TRUE(right.left.empty());
        EXPECT_FALSE(right.left_tab.empty());
        EXPECT_FALSE(right.right.empty());
    }
}

TEST(ScreenPlan, TheOverlayFoldsWhereItHasNoRoom) {
    const ScreenPlan plan = plan_screen(wishes_at(1000, 700, 1.5F));
    EXPECT_TRUE(plan.folded);
    EXPECT_FALSE(plan.overlay.empty());
    EXPECT_LE(plan.overlay.height(), 33 * 1.5F);
    ScreenWishes w = wishes_at(2560, 1440, 1);
    EXPECT_FALSE(plan_screen(w).folded);
    w.folded = true;  // or because it is asked to
    EXPECT_TRUE(plan_screen(w).folded);
}

// Opened by hand it stays open, and the legend goes; where it has no room itself it cannot.
TEST(ScreenPlan, TheOverlayOpensByHandInPlaceOfTheLegend) {
    ScreenWishes w = wishes_at(1440, 800, 1.5F);
    w.notices = 0;
    const ScreenPlan before = plan_screen(w);
    EXPECT_TRUE(before.folded);
    EXPECT_TRUE(before.can_open);
    EXPECT_FALSE(before.legend.empty());
    w.whole = true;
    const ScreenPlan after = plan_screen(w);
    EXPECT_FALSE(after.folded);
    EXPECT_FALSE(after.overlay.empty());
    EXPECT_TRUE(after.legend.empty());
    ScreenWishes narrow = wishes_at(1000, 700, 1.5F);
    narrow.whole = true;
    EXPECT_FALSE(plan_screen(narrow).can_open);
    EXPECT_TRUE(plan_screen(narrow).folded);
}

TEST(ScreenPlan, TheLegendGoesWhereItWouldLeaveTheSceneTooLittle) {
    const ScreenPlan small = plan_screen(wishes_at(1000, 700, 1.5F));
    EXPECT_TRUE(small.legend.empty());
    EXPECT_GT(small.free.width(), 400);
    EXPECT_FALSE(plan_screen(wishes_at(1000, 700, 1)).legend.empty());
}

TEST(ScreenPlan, TheGalleryHasRoomForCardsBesideEachOther) {
    ScreenWishes w = wishes_at(1000, 700, 1.5F);
    w.gallery = true;
    const ScreenPlan plan = plan_screen(w);
    EXPECT_GE(plan.gallery.width(), kLeastGallery * 1.5F);
    EXPECT_FALSE(plan.left_tab.empty());
    EXPECT_FALSE(plan.right_tab.empty());
    w.scale = 1;
    EXPECT_FALSE(plan_screen(w).left.empty());
}

}  // namespace
}  // namespace stiction
