// survey.h - many seeds in a row: what failed how often, and the scenes that show it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "random/check_run.h"

namespace stiction {

struct FailedSeed {
    std::uint64_t seed = 0;
    bool live = false;
    Violation violation;
};

struct Survey {
    int seeds = 0;
    std::vector<std::uint64_t> cut;  // seeds whose run the clock ended early
    CheckedIslands islands;
    std::array<int, kContactModelNames.size()> steps{};     // per model
    std::array<int, kContactModelNames.size()> unsolved{};  // of these
    double slowest = 0;                                     // step [s]
    std::uint64_t slowest_seed = 0;
    std::vector<FailedSeed> failed;  // one entry per seed and check
};

struct SeedRange {
    std::uint64_t first = 1, last = 0;  // both included
    int repeated_every = 0;  // this often a seed is run twice more, for its bits; 0: never
    double seconds = 0;      // a run ends early after these; 0: never [s]
    bool live = false;       // sessions (live_session.h) instead of plain runs
};

// `each` is called after every seed, for progress.
[[nodiscard]] Survey survey(
    const SeedRange& range,
    const std::function<void(const Survey&, std::uint64_t)>& each = nullptr);

// Seeds per check and model.
using FaultCounts = std::map<std::pair<Check, std::string>, int>;
[[nodiscard]] FaultCounts count_faults(const Survey& survey);

// Shrinks a failed seed to the same check; its YAML, headed by what fails and by what is done to it.
[[nodiscard]] std::string shrunk_yaml(const FailedSeed& failed, int max_attempts);

// For people: steps and unsolved ones per model, faults per check and model.
[[nodiscard]] std::string describe(const Survey& survey);

}  // namespace stiction
