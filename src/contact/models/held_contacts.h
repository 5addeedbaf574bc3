// held_contacts.h - which contacts no_slip holds, revised until what presses is held and what parts
// is not, as far as there are such sets: a contact may part as long as it is held and press as soon
// as it is not. Such a contact is held for good, as the paper holds every contact that touches.
#pragma once

#include "contact/island/island_task.h"
#include "contact/models/no_slip.h"

namespace stiction {

// Tangential rows of a contact: none, droppable, or pinned because the contact closed after they
// had been dropped.
enum Tangential : char { kAbsent = 0, kDroppable = 1, kPinned = 2 };

// The first choice.
void choose_tangential(const NoSlip& model, const IslandTask& task, bool frictional_only);

// After a solve: first drops, pins when none is left to drop, in large piles both at once.
// Returns whether rows changed.
[[nodiscard]] bool revise_tangential(const NoSlip& model, const IslandTask& task,
                                     bool frictional_only);

// Whether no contact that presses slides, so that an answer without slip may be Coulomb's: where it
// slides by u the law is missed by u and by mu u. The no-slip answer may slide: its friction has a
// bound, and rows that nearly depend on one another are left out.
[[nodiscard]] bool all_rest(const IslandTask& task);

}  // namespace stiction
