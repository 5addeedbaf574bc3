// frame_summary.h - how good the answer is that a frame holds, read without the frame's problem.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/status.h"
#include "problem_files/dataset.h"

namespace stiction {

struct FrameSummary {
    std::string answer;  // MODEL.SOLVER
    SolveStatus status = SolveStatus::kSolved;
    int iterations = 0;
    double residual = 0;           // of the model's own law [-]
    double scaled = 0;             // Coulomb's residual, in units of velocity [m/s]
    int resting = 0, sliding = 0;  // contacts
};

// Of the first answer of every frame, in order, until `take` says no; empty where there is none with
// metrics, or none that can be read.
void summarise_frames(
    const Dataset& file,
    const std::function<bool(std::size_t frame, const std::optional<FrameSummary>&)>& take);

}  // namespace stiction
