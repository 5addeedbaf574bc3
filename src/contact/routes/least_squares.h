// least_squares.h - rows that contradict one another, such as those of a box between two walls that
// close: no motion obeys them all, and the impulses that a law asks for have no bound. Every rigid
// row is made soft by the same small part of what it feels by itself,
//
//   w = g.u - target + eps (g W g') c,       eps = kSoftness
//
// which always has an answer, the one of
//
//   min over v:  1/2 (v - v_free)'M (v - v_free) + 1/(2 eps) sum of violation^2 / (g W g')
//
// The violations are those of least squares, weighted by the mass that a row feels, but for eps; the
// impulses are bounded by (violation / (g W g')) / eps; and what acts is a spring and a damper of
// the step, so there is no energy of their own. Where the rows do not contradict one another,
// violations are eps times what the rigid rows would do.
//
// Friction comes second, between bounds that follow from the normal impulses of the first solve.
#pragma once

#include "contact/contact_model.h"
#include "contact/island/island_task.h"

namespace stiction {

// Large enough that impulses stay within 1e3 of those that the motion needs.
inline constexpr double kSoftness = 1e-3;
// With which rows are probed: nothing but a contradiction leaves a violation to speak of, be levers
// ten to one.
inline constexpr double kProbe = 1e-4;

// Velocities and impulses of the island into the solution; status kSolved if the soft rows are
// solved. The probe is without friction.
[[nodiscard]] IslandResult probe_rows(const IslandTask& task);
[[nodiscard]] IslandResult solve_least_squares(const ContactModel& model, const IslandTask& task);

}  // namespace stiction
