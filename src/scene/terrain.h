// terrain.h - heightfields of a scene, with the files they come from.
#pragma once

#include <cstdint>

#include "model/shape.h"
#include "scene/node.h"

namespace stiction {

// `seed` is what random bumps take when the entry has none.
[[nodiscard]] Heightfield read_heightfield(const Node& node, std::uint64_t seed);

}  // namespace stiction
