// row_states.h - warm starts of rows: which of them act, and with what impulse, from one step (or
// pass) to the next.
#pragma once

#include <cstdint>
#include <span>

#include "contact/island/island_task.h"

namespace stiction {

// States of the rows from the guess (contacts that press, limits and motors at a bound; new
// contacts press where they touch), and back. Guess bit 0 of a contact says whether it presses.
void guess_row_states(const IslandTask& task, std::span<const std::uint64_t> contacts,
                      std::span<const std::uint64_t> joints, IslandRows& rows);
void keep_row_states(const IslandTask& task, const IslandRows& rows);

// Whether Newton's method had to answer for the island last time, and that it did this time: where
// pivoting does not end it will not end in the next step either.
[[nodiscard]] bool needs_newton(const IslandTask& task);
void keep_newton(const IslandTask& task);

// Impulses of the contacts in the last step into rows.c, from which sweeps start.
void guess_impulses(const IslandTask& task, IslandRows& rows);
// The other way: those of rows.c become the guess, e.g. for another pass.
void keep_impulses(const IslandTask& task, const IslandRows& rows);

// Whether a contact is to press by its bits of the last step; one that is new, by touching.
[[nodiscard]] bool guess_presses(const ContactProblem& problem, std::uint64_t bits,
                                 const ContactRow& contact);

}  // namespace stiction
