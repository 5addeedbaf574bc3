// ahead.h - contacts of boxes that are apart now and would overlap at the end of the step.
//
// Boxes with parallel faces that are diagonal neighbours have no contact: one in any direction would
// be in the way of one of them that slides over or beside the other (box_box.cpp). Whether they meet
// depends on how they move. At the end of the step, with the present velocities, it is seen which
// faces would have met: their points are taken back to where the bodies are now, and the gap there
// is what closes.
#pragma once

#include "collide/geometry.h"
#include "core/types.h"

namespace stiction {

// Of a body over the step.
struct BodyMotion {
    Vec3 centre = Vec3::Zero();  // of mass, at its start [m]
    Vec3 shift = Vec3::Zero();   // of it [m]
    Mat3 turn = Mat3::Identity();

    [[nodiscard]] Vec3 forward(const Vec3& p) const { return centre + shift + turn * (p - centre); }
    [[nodiscard]] Vec3 back(const Vec3& p) const {
        return centre + turn.transpose() * (p - centre - shift);
    }
};
[[nodiscard]] BodyMotion motion_over(double h, const Vec3& centre, const Vec3& v, const Vec3& w);

// Adds to an empty manifold; a and b are boxes as they are placed now.
void collide_boxes_ahead(const WorldGeom& a, const BodyMotion& of_a, const WorldGeom& b,
                         const BodyMotion& of_b, Manifold& m);

}  // namespace stiction
