// joint_geometry.h - a joint's constraint rows at a configuration, as rows on the link velocity of
// its two bodies: child (side A) relative to parent (side B), reference point at the child's
// anchor.
//
//   kind        rows                                            position error g(q)
//   spherical   3 along the parent's joint axes                 anchors apart
//   revolute    + 2 across the axis z                           z_P x z_C
//   universal   + 1 along x_C x z_P                             z_P . x_C
//   prismatic   2 across the axis + 3 rotational                anchors apart; rotation vector of
//   child in parent fixed       3 + 3                                           the same
//
// Rows along axes that turn with the parent, taken at the child's anchor, are exact derivatives of
// their errors also when the joint has come apart. Rotational rows and errors carry the link's
// length, so all are in metres.
#pragma once

#include <array>

#include "core/types.h"
#include "model/model.h"
#include "model/state.h"

namespace stiction {

struct JointGeometry {
    Vec3 point = Vec3::Zero();  // the child's anchor, world
    int rows = 0;
    std::array<Vec6, 6> g;          // on u = (relative velocity at point, length * relative spin)
    std::array<double, 6> error{};  // [m]
    bool has_coordinate = false;    // revolute or prismatic
    Vec6 g_coordinate =
        Vec6::Zero();  // g . u = rate of the coordinate [m/s; revolute: length * rad/s]
    double unit = 1;   // row velocity per coordinate rate: length for revolute, 1 for prismatic
};

[[nodiscard]] JointGeometry joint_geometry(const State& state, const Joint& joint, double length);

}  // namespace stiction
