// step_light.cpp - reads how steps ended, and words it.
#include "view/step_light.h"

#include <algorithm>
#include <cstdio>

namespace stiction {

namespace {

std::string_view advice(SolveStatus status) {
    switch (status) {
        case SolveStatus::kIterationLimit:
            return "Try a smaller step, the solver 'auto', or more iterations (settings of the "
                   "model).";
        case SolveStatus::kBudget:
            return "The budget ended the solve: allow more iterations (settings of the model) or "
                   "more time (step).";
        case SolveStatus::kContradiction:
            return "Rows contradict one another: look for a motor, a limit or a prescribed motion "
                   "that fights a joint or a contact.";
        case SolveStatus::kNoSolution:
            return "This model has no answer here: try coulomb_cone (key 6) or a smaller step.";
        case SolveStatus::kTorn:
            return "A joint is apart: try a smaller step, or less force on it.";
        case SolveStatus::kNotFinite:
            return "Numbers are not finite: go back (Left) and take a smaller step.";
        case SolveStatus::kSolved:
            break;
    }
    return "Try a smaller step or another model (keys 1 to 6).";
}

}  // namespace

StepLight light_of(const StepRecord& record) {
    if (record.failures > 0 || record.status != SolveStatus::kSolved) return StepLight::kUnsolved;
    return record.fallbacks > 0 ? StepLight::kFallback : StepLight::kSolved;
}

StepLight light_of(const Snapshot& snapshot) {
    const bool answered = snapshot.frame && !snapshot.frame->answers.empty();
    if (!snapshot.stepped || (snapshot.recorded && !answered)) return StepLight::kNotMeasured;
    return light_of(snapshot.record);
}

std::optional<Trouble> trouble_of(const Timeline& timeline) {
    Trouble trouble;
    const auto& records = timeline.records();
    for (auto r = records.rbegin(); r != records.rend() && trouble.steps < kTroubleSteps; ++r) {
        ++trouble.steps;
        if (light_of(*r) != StepLight::kUnsolved) continue;
        if (trouble.unsolved++ == 0) trouble.last = *r;
    }
    if (trouble.unsolved == 0) return std::nullopt;
    return trouble;
}

std::string describe(const Trouble& trouble) {
    std::string status(name(trouble.last.status));
    std::replace(status.begin(), status.end(), '_', ' ');
    char text[160];
    std::snprintf(text, sizeof text,
                  "Not solved: %d of the last %d steps (%s, residual %.1e). What is shown may be "
                  "wrong.\n",
                  trouble.unsolved, trouble.steps, status.c_str(), trouble.last.residual);
    return text + std::string(advice(trouble.last.status));
}

}  // namespace stiction
