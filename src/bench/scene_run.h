// scene_run.h - one run of a scene under one model, with what each step took.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "scene/scene.h"
#include "step/simulation.h"

namespace stiction {

struct RunStep {
    double t = 0;                                // after the step [s]
    double step_seconds = 0, solve_seconds = 0;  // [s]
    double cpu_seconds = 0;                      // of the step on the one thread that takes it [s]
    int contacts = 0, pivots = 0, iterations = 0;
    SolveStatus status = SolveStatus::kSolved;  // the worst of its islands
    bool fallback = false;                      // an island that another solver had to answer

    [[nodiscard]] bool by_itself() const { return status == SolveStatus::kSolved && !fallback; }
};

struct SceneRun {
    std::vector<RunStep> steps;
    std::string failure;   // of the simulation: a state that is not finite
    bool stopped = false;  // by `after`

    [[nodiscard]] double cpu_total() const;    // [s]
    [[nodiscard]] double solve_total() const;  // [s]
    [[nodiscard]] double contacts_mean() const;
    [[nodiscard]] int contacts_most() const;
    [[nodiscard]] std::int64_t unsolved() const;   // steps
    [[nodiscard]] std::int64_t fallbacks() const;  // steps
};

// Called after every step; false ends the run.
using AfterStep = std::function<bool(const Simulation& sim, const RunStep& step)>;

[[nodiscard]] SceneRun run_scene(const Scene& scene, const ContactModel& contact,
                                 std::int64_t steps, const AfterStep& after);

// A model as a scene would write it: "{model: coulomb_lcp, solver: lemke}".
[[nodiscard]] ContactModel contact_from(const std::string& text);

// As many steps of the scene as the time takes, at least one.
[[nodiscard]] std::int64_t steps_for(const Scene& scene, double time);

// At most `count` of the points, evenly spread, the first and the last among them: what a plot needs.
[[nodiscard]] std::vector<std::size_t> spread(std::size_t size, std::size_t count);

}  // namespace stiction
