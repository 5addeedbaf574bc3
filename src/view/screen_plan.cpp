// screen_plan.cpp - gives every part its rectangle; where there is not enough room, panels become
// tabs, the overlay its line, and the legend goes.
#include "view/screen_plan.h"

#include <cmath>

namespace stiction {

namespace {

void place_panels(const ScreenWishes& w, ScreenPlan& plan) {
    const float panel = std::floor(std::min(kPanelWidth * w.scale, 0.6F * w.width));
    const float tab = std::floor(std::min(kTabWidth * w.scale, 0.1F * w.width));
    const bool both = w.left && w.right;
    const bool room = w.width - 2 * panel >= kLeastView * w.scale;
    const bool any = !w.gallery || w.width - panel >= kLeastGallery * w.scale;
    const bool left = any && w.left && (!both || room || w.preferred == Side::kLeft);
    const bool right = any && w.right && (!both || room || w.preferred == Side::kRight);
    plan.view = {0, 0, w.width, w.height};
    if (left) plan.left = {0, 0, panel, w.height};
    if (w.left && !left) plan.left_tab = {0, 0, tab, w.height};
    if (right) plan.right = {w.width - panel, 0, w.width, w.height};
    if (w.right && !right) plan.right_tab = {w.width - tab, 0, w.width, w.height};
    plan.view.left = std::max(plan.left.right, plan.left_tab.right);
    if (!plan.right.empty()) plan.view.right = plan.right.left;
    if (!plan.right_tab.empty()) plan.view.right = plan.right_tab.left;
}

// Lower left corner of the view.
Rectangle dock(const Rectangle& view, const PartSize& size, float margin) {
    if (size.width <= 0 || size.height <= 0) return {};
    const float width = std::min(size.width, view.width() - 2 * margin);
    return {view.left + margin, view.bottom - margin - size.height, view.left + margin + width,
            view.bottom - margin};
}

// Right of the overlay, above it, or nowhere: never over it and never over the notices.
Rectangle place_legend(const ScreenPlan& plan, const PartSize& size, float margin) {
    if (size.width <= 0 || size.height <= 0) return {};
    const float right = plan.view.right - margin;
    const float left = right - size.width;
    const float top = std::max(plan.view.top, plan.notices.bottom) + margin;
    if (left < plan.view.left + margin) return {};
    const bool beside = plan.overlay.empty() || plan.overlay.right + margin <= left;
    const float bottom = beside ? plan.view.bottom - margin : plan.overlay.top - margin;
    if (bottom - size.height < top) return {};
    return {left, bottom - size.height, right, bottom};
}

float room_of(const Rectangle& r) { return r.empty() ? 0 : std::min(r.width(), r.height()); }

// The largest of what is above the overlay or beside it, and of that left of the legend or above it.
// At the top a notice has its room.
Rectangle free_part(const ScreenPlan& plan, float scale) {
    Rectangle view = plan.view;
    view.top += std::min(kNoticeRoom * scale, 0.25F * view.height());
    Rectangle above = view, beside = view;
    if (!plan.overlay.empty()) {
        above.bottom = plan.overlay.top;
        beside.left = plan.overlay.right;
    }
    Rectangle largest;
    for (const Rectangle& part : {above, beside}) {
        Rectangle narrow = part, low = part;
        if (plan.legend.overlaps(part)) {
            narrow.right = plan.legend.left;
            low.bottom = plan.legend.top;
        }
        for (const Rectangle& r : {narrow, low}) {
            if (room_of(r) > room_of(largest)) largest = r;
        }
    }
    return largest.empty() ? plan.view : largest;
}

// A legend that leaves the scene too little goes.
void add_legend(const ScreenWishes& w, float margin, ScreenPlan& plan) {
    constexpr float kLeastShare = 0.7F;  // of the room without it
    plan.legend = {};
    const float alone = room_of(free_part(plan, w.scale));
    plan.legend = place_legend(plan, w.legend, margin);
    if (room_of(free_part(plan, w.scale)) < kLeastShare * alone) plan.legend = {};
}

// The overlay as a whole or as its line, and the legend.
void place_overlay(const ScreenWishes& w, float margin, ScreenPlan& plan) {
    const bool wanted = w.overlay.width > 0;
    if (wanted) plan.overlay = dock(plan.view, w.overlay, margin);
    const bool wide = w.overlay.width + 2 * margin <= plan.view.width();
    const bool high = plan.overlay.top >= std::max(plan.view.top, plan.notices.bottom) + margin;
    plan.can_open = wanted && wide && high;
    add_legend(w, margin, plan);
    const bool both = w.whole || w.legend.width <= 0 || !plan.legend.empty();
    plan.folded = wanted && (w.folded || !plan.can_open || !both);
    if (!plan.folded) return;
    plan.overlay = dock(plan.view, w.line, margin);
    if (plan.overlay.top < plan.notices.bottom + margin) plan.overlay = {};
    add_legend(w, margin, plan);
}

// Whole pixels: parts that meet leave no gap.
void round_down(ScreenWishes& w) {
    for (float* size : {&w.timeline, &w.graphs, &w.width, &w.height}) *size = std::floor(*size);
}

}  // namespace

ScreenPlan plan_screen(const ScreenWishes& wishes) {
    ScreenPlan plan;
    ScreenWishes w = wishes;
    round_down(w);
    const float margin = kViewMargin * w.scale;
    if (w.timeline > 0) {
        const float whole = w.height;
        w.height -= std::floor(std::min(w.timeline, 0.2F * w.height));
        plan.timeline = {0, w.height, w.width, whole};
    }
    place_panels(w, plan);
    if (w.gallery) {
        plan.view.bottom = std::floor(0.42F * w.height);
        plan.gallery = {plan.view.left, plan.view.bottom, plan.view.right, w.height};
        w.graphs = 0;
    }
    const float graphs = std::floor(std::min(w.graphs, 0.35F * w.height));
    if (graphs > 0 && w.height - graphs >= kLeastHeight * w.scale) {
        plan.view.bottom -= graphs;
        plan.graphs = {plan.view.left, plan.view.bottom, plan.view.right, w.height};
    }
    if (w.notices > 0)
        plan.notices = {plan.view.left + margin, margin, plan.view.right - margin,
                        std::min(margin + w.notices, plan.view.bottom)};
    place_overlay(w, margin, plan);
    plan.free = free_part(plan, w.scale);
    return plan;
}

}  // namespace stiction
