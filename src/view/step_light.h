// step_light.h - one light for how a step was solved, and what to do when steps are not.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "live/snapshot.h"
#include "view/timeline.h"

namespace stiction {

enum class StepLight { kNotMeasured, kSolved, kFallback, kUnsolved };
inline constexpr std::array<std::string_view, 4> kStepLightNames = {"not measured", "solved",
                                                                    "fallback", "not solved"};
[[nodiscard]] constexpr std::string_view name(StepLight light) {
    return kStepLightNames[static_cast<std::size_t>(light)];
}

[[nodiscard]] StepLight light_of(const StepRecord& record);
// Of the step shown: not measured before the first one, and in a recording.
[[nodiscard]] StepLight light_of(const Snapshot& snapshot);

// Steps that were not solved among the last ones.
struct Trouble {
    int steps = 0, unsolved = 0;
    StepRecord last;  // of those that were not solved
};
inline constexpr int kTroubleSteps = 100;  // that count as the last ones
[[nodiscard]] std::optional<Trouble> trouble_of(const Timeline& timeline);

// What happened and what to do about it, for the banner over the view.
[[nodiscard]] std::string describe(const Trouble& trouble);

}  // namespace stiction
