// held_rows.h - the tangential rows of contacts that are held, made fit for solving.
#pragma once

#include "contact/island/island_task.h"

namespace stiction {

// Whether the points of a contact are apart, by more than the rounding of their pair's length.
[[nodiscard]] bool has_gap(const ContactProblem& problem, const ContactRow& contact);

// Points of a pair of bodies at different heights forbid them to tilt against each other, though
// tilting may be what closes a gap. At heights that differ by 1e-6 of the distance it takes 1e6 of
// the weight, and rounding decides. So a tangential row that depends on those before it but for 1e-5
// of its length is replaced by the one that does depend on them.
void level_tangential(const IslandTask& task);

// The same impulse by the rows that were not replaced: a contact pushes along its own tangents.
void shift_to_independent(const IslandTask& task);

// Points that are nearly, but not quite, as the others hold what they may not with tiny levers: a
// foot on two triangles of a terrain cannot close the gap to the second one without sliding by
// micrometres on the first, and would push 1e8 times its weight instead. Friction beyond what any
// motion of the island needs is not exerted, and none at all by what is not held.
[[nodiscard]] double most_friction(const IslandTask& task);  // [N s]
void bound_tangential(const IslandTask& task, double most);

}  // namespace stiction
