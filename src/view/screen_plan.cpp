// screen_plan.cpp - gives every part its rectangle; where there is not enough room, panels become
// tabs, the overlay its line, and the legend goes last.
#include "view/screen_plan.h"

namespace stiction {

namespace {

void place_panels(const ScreenWishes& w, ScreenPlan& plan) {
    const float panel = std::min(kPanelWidth * w.scale, 0.6F * w.width);
    const float tab = std::min(kTabWidth * w.scale, 0.1F * w.width);
    const bool both = w.left && w.right;
    const bool room = w.width - 2 * panel >= kLeastView * w.scale;
    const bool left = w.left && (!both || room || w.preferred == Side::kLeft);
    const bool right = w.right && (!both || room || w.preferred == Side::kRight);
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

bool fits(const ScreenPlan& plan, const ScreenWishes& w, float margin) {
    const bool wide = w.overlay.width + 2 * margin <= plan.view.width();
    const bool high = plan.overlay.top >= std::max(plan.view.top, plan.notices.bottom) + margin;
    const bool legend = w.legend.width <= 0 || !place_legend(plan, w.legend, margin).empty();
    return wide && high && legend;
}

// What is above the overlay or beside it, whichever is larger, without the legend.
Rectangle free_part(const ScreenPlan& plan) {
    Rectangle above = plan.view, beside = plan.view;
    if (!plan.overlay.empty()) {
        above.bottom = plan.overlay.top;
        beside.left = plan.overlay.right;
    }
    if (plan.legend.overlaps(above)) above.right = plan.legend.left;
    if (plan.legend.overlaps(beside)) beside.bottom = plan.legend.top;
    const auto room = [](const Rectangle& r) { return std::min(r.width(), r.height()); };
    const Rectangle& larger = room(above) >= room(beside) ? above : beside;
    return larger.empty() ? plan.view : larger;
}

}  // namespace

ScreenPlan plan_screen(const ScreenWishes& wishes) {
    ScreenPlan plan;
    ScreenWishes w = wishes;
    const float margin = kViewMargin * w.scale;
    if (w.timeline > 0) {
        w.height -= std::min(w.timeline, 0.2F * w.height);
        plan.timeline = {0, w.height, w.width, wishes.height};
    }
    place_panels(w, plan);
    if (w.gallery) {
        plan.view.bottom = 0.42F * w.height;
        plan.gallery = {plan.view.left, plan.view.bottom, plan.view.right, w.height};
        w.graphs = 0;
    }
    const float graphs = std::min(w.graphs, 0.35F * w.height);
    if (graphs > 0 && w.height - graphs >= kLeastHeight * w.scale) {
        plan.view.bottom -= graphs;
        plan.graphs = {plan.view.left, plan.view.bottom, plan.view.right, w.height};
    }
    if (w.notices > 0)
        plan.notices = {plan.view.left + margin, margin, plan.view.right - margin,
                        std::min(margin + w.notices, plan.view.bottom)};
    const bool overlay = w.overlay.width > 0;
    if (overlay) plan.overlay = dock(plan.view, w.overlay, margin);
    plan.folded = overlay && (w.folded || !fits(plan, w, margin));
    if (plan.folded) plan.overlay = dock(plan.view, w.line, margin);
    if (plan.overlay.top < plan.notices.bottom + margin && plan.folded) plan.overlay = {};
    plan.legend = place_legend(plan, w.legend, margin);
    plan.free = free_part(plan);
    return plan;
}

}  // namespace stiction
