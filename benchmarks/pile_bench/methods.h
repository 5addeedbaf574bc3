// methods.h - ways to make more of Gauss-Seidel sweeps, side by side on one island. Each works on the
// one sweep of the house (contact/routes/sweep_system.h) and its velocities.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "contact/island/island_task.h"
#include "contact/routes/newton.h"
#include "contact/routes/sweep_system.h"

namespace stiction {

inline constexpr std::array<double, 4> kGoals = {1e-3, 1e-4, 1e-6, 1e-8};

// When each goal was met: sweeps (steps of a helper count as the products they took) and CPU time of
// sweeps and acceleration, without the residuals that tell.
struct Trace {
    std::array<double, kGoals.size()> sweeps, seconds;
    std::array<bool, kGoals.size()> met;
    double residual = 0;  // the best
};

// An island ready to be swept: r and velocities are the guess.
struct SweptIsland {
    SweepSystem system;
    Triples triples;
    SweepHelp* help = nullptr;
};

struct Method {
    std::string name;
    // From the island's start; ends when all goals are met or after `most` sweeps.
    Trace (*run)(SweptIsland& island, int most);
    bool coloured = false;  // contacts by colours, several at a time
};

[[nodiscard]] const std::vector<Method>& sweep_methods();

}  // namespace stiction
