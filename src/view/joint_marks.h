// joint_marks.h - joint frames and the range that limits leave, as lines and arrows.
#pragma once

#include "draw/picture.h"
#include "live/snapshot.h"
#include "model/model.h"

namespace stiction {

// `size` is the length of the axes [m]. x vermilion, y green, z (the joint's axis) blue; the range
// between the limits yellow.
// Where joints are, and what is fixed to the world.
void add_pivots(const Model& model, const State& state, double size, Picture& picture);

void add_joint_marks(const Model& model, const Snapshot& snapshot, double size, Picture& picture);

}  // namespace stiction
