// solve_island.h - one island under each model: the overloads that solve_contact calls. Each builds
// the model's rows, climbs its ladder (routes/ladder.h) and leaves v, impulses and the guess for
// the next step.
#pragma once

#include "contact/contact_model.h"
#include "contact/island/island_task.h"

namespace stiction {

[[nodiscard]] IslandResult solve_island(const Viscous& model, const IslandTask& task);
[[nodiscard]] IslandResult solve_island(const NoSlip& model, const IslandTask& task);
[[nodiscard]] IslandResult solve_island(const MaxDissipation& model, const IslandTask& task);
[[nodiscard]] IslandResult solve_island(const FrictionBox& model, const IslandTask& task);
[[nodiscard]] IslandResult solve_island(const CoulombLcp& model, const IslandTask& task);
[[nodiscard]] IslandResult solve_island(const CoulombCone& model, const IslandTask& task);

// No-slip contact of one island; frictional_only: contacts with mu_c = 0 keep no tangential rows.
// Guess bit 0 of a contact says whether it presses.
[[nodiscard]] IslandResult solve_sticking(const NoSlip& model, const IslandTask& task,
                                          bool frictional_only);

}  // namespace stiction
