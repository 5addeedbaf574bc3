// shown_joints.h - what the drives of the joints did in a step, as the window shows it.
#pragma once

#include <vector>

#include "live/snapshot.h"

namespace stiction {

struct Simulation;

// Of the step just taken, one per joint of the model.
void show_drives(const Simulation& sim, std::vector<ShownDrive>& drives);

}  // namespace stiction
