// pick.h - which body a ray meets first.
#pragma once

#include <optional>
#include <vector>

#include "live/snapshot.h"
#include "model/model.h"
#include "model/state.h"
#include "view/orbit_camera.h"

namespace stiction {

struct Picked {
    int body = kNone;
    Vec3 point = Vec3::Zero();  // world [m]
    double distance = 0;        // along the ray [m]
};

// Distance along the ray at which it enters the shape (frame of the shape); empty when it misses or
// starts inside.
[[nodiscard]] std::optional<double> ray_hit(const Shape& shape, const Ray& ray);

// Planes are met last: a body on the ground is picked, not the ground, where both are hit.
[[nodiscard]] std::optional<Picked> pick(const Model& model, const State& state, const Ray& ray);

// The contact seen nearest to a point of the view (pixels from its top left), at most `reach` pixels
// off; kNone: none.
[[nodiscard]] int pick_contact(const std::vector<ShownContact>& contacts, const OrbitCamera& camera,
                               double x, double y, double width, double height, double reach);

}  // namespace stiction
