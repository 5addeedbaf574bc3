// drag.cpp - stiffness and force of the mouse's spring.
#include "live/drag.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace stiction {

namespace {

constexpr double kGravity = 9.81;        // where the scene has none [m/s^2]
constexpr double kSag = 0.1;             // under its own weight, of the body's radius
constexpr double kSlowest = 5;           // [1/s]: a body of any size follows within a second
constexpr double kFastest = 100;         // [1/s]: a small one is not jerked about
constexpr double kLargestProduct = 0.4;  // w h: half of what is stable (drag.h)

// Of the smallest ball about the centre of mass that holds the body's shapes [m].
double radius(const Model& model, int body) {
    double largest = 0;
    for (const Geom& geom : model.geoms) {
        if (geom.body != body) continue;
        const double r = geom.pose_BG.p.norm() + bounding_radius(geom.shape);
        if (std::isfinite(r)) largest = std::max(largest, r);
    }
    return largest > 0 ? largest : 1;
}

double frequency(const Model& model, double h, const Drag& drag) {
    const double g = model.gravity.norm() > 0 ? model.gravity.norm() : kGravity;
    const double w =
        std::clamp(std::sqrt(g / (kSag * radius(model, drag.body))), kSlowest, kFastest);
    return std::min(w * std::sqrt(drag.strength), kLargestProduct / h);
}

}  // namespace

void check_drag(const Model& model, const Drag& drag) {
    if (drag.body < 0 || static_cast<std::size_t>(drag.body) >= model.bodies.size())
        throw InputError("drag: there is no body " + std::to_string(drag.body));
    const Body& body = model.bodies[at(drag.body)];
    if (body.kind != BodyKind::kDynamic)
        throw InputError("drag: body '" + body.name + "' is not moved by forces");
    if (!drag.point_B.allFinite() || !drag.target.allFinite() || !(drag.strength >= 0) ||
        !std::isfinite(drag.strength)) {
        throw InputError("drag: expected finite numbers and a strength >= 0");
    }
}

BodyForce drag_force(const Model& model, const State& state, double h, const Drag& drag) {
    const auto i = at(drag.body);
    const Body& body = model.bodies[i];
    const Pose& pose = state.pose[i];
    const Twist& twist = state.twist[i];
    const Vec3 r = pose.q * drag.point_B;
    const Mat3 R = pose.R();
    const Mat3 inv_inertia = R * body.inv_inertia_B * R.transpose();
    const Mat3 mobility = Mat3::Identity() / body.mass - skew(r) * inv_inertia * skew(r);
    const double w = frequency(model, h, drag);
    const Vec3 wanted = w * w * (drag.target - (pose.p + r)) - 2 * w * (twist.v + twist.w.cross(r));
    BodyForce force;
    force.body = drag.body;
    force.force = mobility.inverse() * wanted;
    force.point_B = drag.point_B;
    return force;
}

}  // namespace stiction
