// scene_run.cpp - steps a scene and keeps the numbers.
#include "bench/scene_run.h"

#include <algorithm>
#include <cmath>

#include "core/thread_clock.h"

namespace stiction {

namespace {

RunStep last_step(const Simulation& sim) {
    const ContactSolution& solution = sim.frame.solution;
    RunStep step;
    step.t = sim.state.time;
    step.step_seconds = sim.frame.step_seconds;
    step.solve_seconds = sim.frame.seconds[static_cast<std::size_t>(Stage::kSolve)];
    step.contacts = static_cast<int>(sim.frame.problem.contacts.size());
    step.pivots = solution.pivots;
    step.iterations = solution.iterations;
    step.status = solution.status;
    step.fallback = solution.fallbacks > 0;
    return step;
}

template <class Value>
double sum_of(const std::vector<RunStep>& steps, Value RunStep::*value) {
    double sum = 0;
    for (const RunStep& step : steps) sum += static_cast<double>(step.*value);
    return sum;
}

}  // namespace

double SceneRun::cpu_total() const { return sum_of(steps, &RunStep::cpu_seconds); }
double SceneRun::solve_total() const { return sum_of(steps, &RunStep::solve_seconds); }
double SceneRun::contacts_mean() const {
    return steps.empty() ? 0
                         : sum_of(steps, &RunStep::contacts) / static_cast<double>(steps.size());
}
int SceneRun::contacts_most() const {
    int most = 0;
    for (const RunStep& step : steps) most = std::max(most, step.contacts);
    return most;
}
std::int64_t SceneRun::unsolved() const {
    return std::count_if(steps.begin(), steps.end(),
                         [](const RunStep& s) { return s.status != SolveStatus::kSolved; });
}
std::int64_t SceneRun::fallbacks() const {
    return std::count_if(steps.begin(), steps.end(), [](const RunStep& s) { return s.fallback; });
}

SceneRun run_scene(const Scene& scene, const ContactModel& contact, std::int64_t steps,
                   const AfterStep& after) {
    Simulation sim =
        make_simulation(scene.model, scene.state, scene.controls, contact, scene.step, 1);
    SceneRun run;
    run.steps.reserve(static_cast<std::size_t>(steps));
    for (std::int64_t i = 0; i < steps; ++i) {
        const double start = cpu_now();
        if (step(sim) != StepOutcome::kDone) {
            run.failure = describe_failure(sim);
            return run;
        }
        run.steps.push_back(last_step(sim));
        run.steps.back().cpu_seconds = cpu_now() - start;
        if (after && !after(sim, run.steps.back())) {
            run.stopped = true;
            return run;
        }
    }
    return run;
}

ContactModel contact_from(const std::string& text) {
    ContactModel contact;
    read_contact_text(text, contact);
    return contact;
}

std::int64_t steps_for(const Scene& scene, double time) {
    return std::max<std::int64_t>(1, std::llround(time / scene.step.h));
}

std::vector<std::size_t> spread(std::size_t size, std::size_t count) {
    std::vector<std::size_t> chosen;
    if (size <= count || count < 2) {
        for (std::size_t i = 0; i < size; ++i) chosen.push_back(i);
        return chosen;
    }
    for (std::size_t k = 0; k < count; ++k) chosen.push_back(k * (size - 1) / (count - 1));
    return chosen;
}

}  // namespace stiction
