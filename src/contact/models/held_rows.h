// held_rows.h - the tangential rows of contacts that are held, made fit for solving.
#pragma once

#include "contact/island/island_task.h"

namespace stiction {

// Whether the points of a contact are apart, by more than the rounding of their pair's length.
[[nodiscard]] bool has_gap(const ContactProblem& problem, const ContactRow& contact);

// Points that are nearly, but not quite, as the others hold what they may not with tiny levers: a
// foot on two triangles of a terrain cannot close the gap to the second one without sliding by
// micrometres on the first, and would push 1e8 times its weight instead. Friction beyond what any
// motion of the island needs is not exerted,
[[nodiscard]] double most_friction(const IslandTask& task);  // [N s]
// and none at all by what is not held, nor by rows that depend on those before them but for 1e-5 of
// their length, at pairs of bodies with a gap: points at different heights forbid these to tilt
// against each other, though tilting may be what closes the gap. At heights that differ by 1e-6 of
// the distance it takes 1e6 of the weight, and rounding decides.
void bound_tangential(const IslandTask& task, double most);

// The bound to solve with again: wedges and levers ask for more than the motion does, and where they
// do, contacts, joints or limits have to transmit more too. 0: `most` was not reached, or is enough
// beside what they have.
[[nodiscard]] double more_friction(const IslandTask& task, double most);  // [N s]

}  // namespace stiction
