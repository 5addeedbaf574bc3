// mouse.h - what mouse movements in the view mean: orbit, pan, zoom, select, drag.
#pragma once

#include <optional>

#include "view/desk.h"
#include "view/window.h"

namespace stiction {

struct ViewArea {  // of the three-dimensional view in the window [pixels]
    float x = 0, y = 0, width = 1, height = 1;
};

class Mouse {
  public:
    void press(Desk& desk, const ViewArea& area, const ButtonEvent& event);
    void release(Desk& desk, const ViewArea& area, const ButtonEvent& event);
    void move(Desk& desk, const ViewArea& area, const MoveEvent& event);
    void scroll(Desk& desk, const ScrollEvent& event);
    [[nodiscard]] bool holds() const { return holding_ != Holding::kNothing; }
    void let_go(Desk& desk);  // of whatever is held

  private:
    enum class Holding { kNothing, kOrbit, kPan, kZoom, kBody };

    void drag_to(Desk& desk, const ViewArea& area, double x, double y);
    void select(Desk& desk, const ViewArea& area, double x, double y);

    Holding holding_ = Holding::kNothing;
    double x_ = 0, y_ = 0;  // where the mouse is
    double start_x_ = 0, start_y_ = 0;
    int body_ = kNone;             // that is dragged
    Vec3 point_B_ = Vec3::Zero();  // where it is held, its frame
    double depth_ = 0;             // distance of the plane in which it is dragged [m]
};

}  // namespace stiction
