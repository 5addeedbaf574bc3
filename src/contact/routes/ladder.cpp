// ladder.cpp - one rung after the other.
#include "contact/routes/ladder.h"

namespace stiction {

IslandResult climb(std::span<const Rung> rungs, const IslandTask& task,
                   const IslandResult& before) {
    IslandResult result = before;
    bool ended = false;
    for (const Rung& rung : rungs) {
        const bool safe = rung.kind == Rung::kSafe;
        if (task.alone && rung.kind != Rung::kChosen) continue;
        if (safe ? is_usable(task, result, rung) : ended) continue;
        if (rung.fits != nullptr && !rung.fits(task)) continue;
        // The safe rung has the budget to itself.
        IslandResult next = rung.solve(safe ? task : after(task, result.iterations));
        next.iterations += result.iterations;
        next.pivots += result.pivots;
        next.fallback = next.fallback || result.fallback || rung.kind != Rung::kChosen;
        if (safe) {  // what it replaces was of no use, whatever that said of itself
            next.status = worse(next.status, result.status);
            next.status = worse(next.status, SolveStatus::kIterationLimit);
        }
        result = next;
        // Numbers that are not finite are none for the next rung either.
        ended = result.status == SolveStatus::kSolved || result.status == SolveStatus::kNotFinite ||
                (rung.enough > 0 && result.residual <= rung.enough) ||
                spent(task, result.iterations);
    }
    // Whatever a rung says of its own end, it was the time that ended the climb.
    const bool unsolved =
        result.status != SolveStatus::kSolved && result.status != SolveStatus::kNotFinite;
    if (unsolved && task.stop.deadline.passed()) result.status = SolveStatus::kBudget;
    return result;
}

}  // namespace stiction
