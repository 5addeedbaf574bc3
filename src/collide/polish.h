// polish.h - exact nearest points of the two features that a nearly right normal points at.
#pragma once

#include "collide/gjk.h"

namespace stiction {

// Replaces `nearest` by the stationary points of corner, edge, axis or rim of A against those of B,
// where a pair of them proves to be the shapes' nearest: its gap is what the shapes' support points
// show along its direction. `size` [m] is that of the smaller shape.
void polish(const WorldGeom& a, const WorldGeom& b, double size, NearestPoints& nearest);

}  // namespace stiction
