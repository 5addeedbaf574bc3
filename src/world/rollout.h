// rollout.h - the same scene from many states, on threads: every run has the bits that it would have
// by itself, whatever the number of threads.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "world/world.h"

namespace stiction {

struct RolloutOptions {
    std::int64_t steps = 1;
    std::int64_t every = 0;  // steps from one state that is kept to the next; 0: the last alone
    int threads = 1;
};

// From states[i], at the scene's start time with controls[i]: none, those of the whole run, or of each
// step one after the other. Gives the states kept, run after run. Scene and settings are those of
// `world`, which stays as it is; go_on is asked on the caller's thread only. Throws InputError and
// StepError, the first run's, and returns nothing where go_on says no.
[[nodiscard]] std::vector<std::vector<State>> rollout(
    const World& world, std::span<const State> states,
    const std::vector<std::vector<double>>& controls, const RolloutOptions& options,
    const std::function<bool()>& go_on = nullptr);

}  // namespace stiction
