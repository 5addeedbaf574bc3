// pose.h - orientations and poses as a scene writes them.
#pragma once

#include "core/types.h"
#include "scene/node.h"

namespace stiction {

// A typed quaternion this near unit length is normalised: people type three digits.
inline constexpr double kUnitTolerance = 1e-3;

// [w, x, y, z]; {axis, angle | angle_deg}; {rpy | rpy_deg}: about fixed x, then y, then z.
[[nodiscard]] Quat read_orientation(const Node& node);

// `position` and `orientation` of a map; the origin and no rotation when absent.
[[nodiscard]] Pose read_pose(const Node& node);

// Rotation that takes z to the unit vector, about the shortest way (about x when it is -z).
[[nodiscard]] Quat z_to(const Vec3& axis);

}  // namespace stiction
