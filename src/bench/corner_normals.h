// corner_normals.h - contacts of equal boxes as the simulator of [D15] listed them: where corners
// meet, each with all three directions of the boxes as its normal, as the geometry does not tell
// which is the right one. Twelve contacts per pair of boxes, of which four are those of the faces.
#pragma once

#include "model/model.h"
#include "model/state.h"
#include "problem/contact_set.h"

namespace stiction {

// Adds to each contact between corners of two boxes those with the two other directions of B's
// corner, outward, while the corners are less than `reach` apart along them [m].
void add_corner_normals(const Model& model, const State& state, double reach, ContactSet& set);

}  // namespace stiction
