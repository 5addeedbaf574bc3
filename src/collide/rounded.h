// rounded.h - the core of a rounded box.
#pragma once

#include "collide/geometry.h"

namespace stiction {

// A box that keeps the radius, for those whom edges that are rounded concern. Other shapes are their
// own core.
[[nodiscard]] inline WorldGeom core_of(const WorldGeom& g) {
    WorldGeom core = g;
    if (g.kind != ShapeKind::kRoundedBox) return core;
    core.kind = ShapeKind::kBox;
    core.size = core.half.sum();
    return core;
}

}  // namespace stiction
