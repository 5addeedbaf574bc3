// stages.h - the stages of a step by name, and their times.
#pragma once

#include <array>
#include <string_view>

namespace stiction {

// The stages of a step, in order. One record of their times is the source for every table, plot and
// summary.
enum class Stage { kForces, kCollide, kAssemble, kSolve, kIntegrate, kStabilise, kRecord };
inline constexpr std::array<std::string_view, 7> kStageNames = {
    "forces", "collide", "assemble", "solve", "integrate", "stabilise", "record"};
using StageTimes = std::array<double, kStageNames.size()>;  // [s]

}  // namespace stiction
