// restitution.h - phase III [DS10]: Poisson restitution, for every velocity-level model.
//
//   v++ = v+ + C N' (eps o c_n)
//
// at contacts whose approach speed exceeds the threshold; where a contact then approaches, phase I
// from v++ adds what is missing. If the energy exceeds that of v_free, all eps are scaled down
// together.
#pragma once

#include "contact/island/island_task.h"

namespace stiction {

// On the answer of a model in task.solution; sets v, v_move and the impulses. `threshold` [m/s].
void add_restitution(const IslandTask& task, double threshold);

}  // namespace stiction
