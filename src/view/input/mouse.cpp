// mouse.cpp - mouse movements in the view.
#include "view/input/mouse.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <cmath>

#include "live/live_scene.h"
#include "view/input/pick.h"
#include "view/panels/panels.h"

namespace stiction {

namespace {

constexpr double kContactReach = 9;  // of a contact point around itself [pixels at scale 1]
constexpr double kClick = 4;         // movement up to which a press and release is a click [pixels]

std::optional<Picked> pick_at(Desk& desk, const ViewArea& area, double x, double y) {
    const Ray ray = desk.camera.ray(x - area.x, y - area.y, area.width, area.height);
    return pick(desk.session.scene().model, desk.session.now().state, ray);
}

void post_drag(Desk& desk, const std::optional<Drag>& drag) {
    desk.session.post([drag](LiveScene& live) { live.set_drag(drag); });
}

bool is_dynamic(const Desk& desk, int body) {
    return desk.session.scene().model.bodies[at(body)].kind == BodyKind::kDynamic;
}

}  // namespace

void Mouse::press(Desk& desk, const ViewArea& area, const ButtonEvent& event) {
    x_ = start_x_ = event.x;
    y_ = start_y_ = event.y;
    const bool ctrl = (event.mods & GLFW_MOD_CONTROL) != 0;
    if (event.button == GLFW_MOUSE_BUTTON_RIGHT) {
        holding_ = Holding::kPan;
    } else if (event.button == GLFW_MOUSE_BUTTON_MIDDLE) {
        holding_ = Holding::kZoom;
    } else if (!ctrl) {
        holding_ = Holding::kOrbit;
    } else if (const auto picked = pick_at(desk, area, event.x, event.y);
               picked && is_dynamic(desk, picked->body) && !desk.session.is_replay()) {
        holding_ = Holding::kBody;
        body_ = picked->body;
        desk.session.go_on();
        desk.selection.body = body_;
        const Pose& pose = desk.session.now().state.pose[at(body_)];
        point_B_ = pose.inverse() * picked->point;
        depth_ = desk.camera.project(picked->point, area.width, area.height).z();
        drag_to(desk, area, event.x, event.y);
    }
}

// To the point of the plane at the depth where it was grasped, parallel to the screen.
void Mouse::drag_to(Desk& desk, const ViewArea& area, double x, double y) {
    const Ray ray = desk.camera.ray(x - area.x, y - area.y, area.width, area.height);
    const Vec3 forward = (desk.camera.target - desk.camera.eye()).normalized();
    const Vec3 target = ray.origin + depth_ / ray.direction.dot(forward) * ray.direction;
    post_drag(desk, Drag{body_, point_B_, target, 1});
}

void Mouse::select(Desk& desk, const ViewArea& area, double x, double y) {
    if (desk.draw.contacts) {
        const int contact =
            pick_contact(desk.session.now().contacts, desk.camera, x - area.x, y - area.y,
                         area.width, area.height, kContactReach * desk.scale);
        if (contact != kNone) {
            show_contact(desk, contact);
            return;
        }
    }
    const auto picked = pick_at(desk, area, x, y);
    desk.selection.contact = kNone;
    desk.anchor.let_go();
    desk.selection.body = picked ? picked->body : kNone;
}

void Mouse::release(Desk& desk, const ViewArea& area, const ButtonEvent& event) {
    const bool click = std::hypot(event.x - start_x_, event.y - start_y_) <= kClick;
    if (holding_ == Holding::kOrbit && click) select(desk, area, event.x, event.y);
    let_go(desk);
}

void Mouse::let_go(Desk& desk) {
    if (holding_ == Holding::kBody) post_drag(desk, std::nullopt);
    holding_ = Holding::kNothing;
}

void Mouse::move(Desk& desk, const ViewArea& area, const MoveEvent& event) {
    const double dx = event.x - x_;
    const double dy = event.y - y_;
    x_ = event.x;
    y_ = event.y;
    switch (holding_) {
        case Holding::kNothing:
            break;
        case Holding::kOrbit:
            desk.camera.orbit(dx, dy, area.height);
            break;
        case Holding::kPan:
            desk.layout.keep = false;  // the user looks elsewhere
            desk.camera.pan(dx, dy, area.height);
            break;
        case Holding::kZoom:
            desk.camera.zoom(-dy / 20);
            break;
        case Holding::kBody:
            drag_to(desk, area, event.x, event.y);
            break;
    }
}

void Mouse::scroll(Desk& desk, const ScrollEvent& event) { desk.camera.zoom(event.notches); }

}  // namespace stiction
