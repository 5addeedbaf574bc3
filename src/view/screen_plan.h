// screen_plan.h - which part of the window is where: panels at the sides, what lies over the view,
// and the part of the view that is left for the scene. Plain rectangles, so that they can be tested.
#pragma once

#include <algorithm>

namespace stiction {

struct Rectangle {  // [pixels], y downwards; empty: not shown
    float left = 0, top = 0, right = 0, bottom = 0;

    [[nodiscard]] float width() const { return right - left; }
    [[nodiscard]] float height() const { return bottom - top; }
    [[nodiscard]] bool empty() const { return width() <= 0 || height() <= 0; }
    [[nodiscard]] bool overlaps(const Rectangle& o) const {
        return !empty() && !o.empty() && left < o.right && o.left < right && top < o.bottom &&
               o.top < bottom;
    }
    [[nodiscard]] bool holds(const Rectangle& o) const {
        return o.empty() ||
               (left <= o.left && o.right <= right && top <= o.top && o.bottom <= bottom);
    }
};

struct PartSize {
    float width = 0, height = 0;  // [pixels]; 0: not wanted
};

enum class Side { kLeft, kRight };

struct ScreenWishes {
    float width = 0, height = 0;     // of the window [pixels]
    float scale = 1;                 // of letters
    bool left = true, right = true;  // panels
    Side preferred = Side::kLeft;    // where there is room for one of them alone
    PartSize overlay, line;          // the timing overlay, and folded to one line
    bool folded = false;             // the line is wanted
    PartSize legend;
    bool whole = false;    // the overlay was opened by hand: the legend goes before it folds
    float notices = 0;     // their height
    float timeline = 0;    // the same, across the whole width at the bottom
    bool gallery = false;  // of scenes, across the view
    float graphs = 0;      // the same, across the view above it
};

struct ScreenPlan {
    Rectangle left, right;          // panels
    Rectangle left_tab, right_tab;  // of a panel that is wanted and has no room
    Rectangle view;                 // between them
    Rectangle timeline, graphs, gallery;
    Rectangle notices, overlay, legend;
    bool folded = false;    // the overlay is its line
    bool can_open = false;  // there is room for the whole of it
    Rectangle free;         // the part of the view where the scene is to be seen
};

inline constexpr float kPanelWidth = 330;  // these in pixels at scale 1
inline constexpr float kTabWidth = 24;
inline constexpr float kLeastView = 470;  // the whole overlay with its margins fits
inline constexpr float kViewMargin = 10;
inline constexpr float kLeastGallery = 420;  // width below which panels leave it their room
inline constexpr float kNoticeRoom = 45;     // at the top of the view: one notice of a line
inline constexpr float kLeastHeight = 240;   // of the view, below which there are no graphs

[[nodiscard]] ScreenPlan plan_screen(const ScreenWishes& wishes);

}  // namespace stiction
