// ladder.h - a model's table of rungs, and the one way to climb it: each rung is tried in turn with
// what is left of the budget until one solves the island. A rung leaves its answer in the solution
// (v, impulses) whether it solved the island or not.
#pragma once

#include <limits>
#include <span>

#include "contact/island/island_task.h"

namespace stiction {

struct Rung {
    enum Kind : std::uint8_t {
        kChosen,    // what was asked for; of `auto`, one stage of several
        kFallback,  // what was not asked for
        kSafe,      // a fallback for answers that are worse than it: see is_usable
    };
    Kind kind = kChosen;
    bool (*fits)(const IslandTask&) = nullptr;  // the islands it is for; null: all
    IslandResult (*solve)(const IslandTask&) = nullptr;
    // > 0: residual with which it ends the climb, solved or not [-]; of a safe rung: the one from
    // which on it is taken, 0: as is_usable says.
    double enough = 0;
};

// Relative residuals above which no friction is the better answer; and none at all, which counts
// after a spent budget: what little was done is worth more than what the safe rung would add.
inline constexpr double kUseless = 0.1;
inline constexpr double kWorthless = 1.0;

[[nodiscard]] inline bool is_usable(const IslandTask& task, const IslandResult& result,
                                    const Rung& safe) {
    if (safe.enough > 0) return result.residual < safe.enough;
    return result.residual < (spent(task, result.iterations) ? kWorthless : kUseless);
}

// What a rung says when it has no answer at all.
[[nodiscard]] inline IslandResult no_answer() {
    IslandResult result;
    result.status = SolveStatus::kIterationLimit;
    result.residual = std::numeric_limits<double>::infinity();
    return result;
}

// `before`: what went before the ladder; its iterations count against the budget.
[[nodiscard]] IslandResult climb(std::span<const Rung> rungs, const IslandTask& task,
                                 const IslandResult& before = no_answer());

// Which islands rungs are for.
[[nodiscard]] inline bool of_free_bodies(const IslandTask& task) { return task.size.free_bodies; }
[[nodiscard]] inline bool with_trees(const IslandTask& task) { return !task.size.free_bodies; }
// What is not factored has had its Newton steps between the sweeps.
[[nodiscard]] inline bool is_for_newton(const IslandTask& task) { return !is_iterated(task.size); }

}  // namespace stiction
