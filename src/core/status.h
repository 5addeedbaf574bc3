// status.h - how a solve ended. A numerical failure is a status, never an exception.
#pragma once

#include <string_view>

namespace stiction {

enum class SolveStatus {
    kSolved,          // the model's own law holds to the tolerance asked for
    kIterationLimit,  // best iterate after the most iterations allowed
    kBudget,          // best iterate when the budget ran out
    kContradiction,   // rows that no motion obeys: the answer breaks them least, in least squares
    kNoSolution,      // shown to have none (secondary ray, infeasible rows)
    kTorn,            // a joint is apart, or comes apart, beyond the scene's tolerance
    kNotFinite,       // NaN or infinity in the input or the answer
};

[[nodiscard]] constexpr std::string_view name(SolveStatus status) {
    switch (status) {
        case SolveStatus::kSolved:
            return "solved";
        case SolveStatus::kIterationLimit:
            return "iteration_limit";
        case SolveStatus::kBudget:
            return "budget";
        case SolveStatus::kContradiction:
            return "contradiction";
        case SolveStatus::kNoSolution:
            return "no_solution";
        case SolveStatus::kTorn:
            return "torn";
        case SolveStatus::kNotFinite:
            return "not_finite";
    }
    return "unknown";
}

// The worse of two, for islands and for ladders of fallbacks: the enum is ordered by badness.
[[nodiscard]] constexpr SolveStatus worse(SolveStatus a, SolveStatus b) { return a > b ? a : b; }

}  // namespace stiction
