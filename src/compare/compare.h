// compare.h - runs a scene with several contact models from the same start and gathers what each
// step took and how good its answer was.
//
// The runs take turns, some steps at a time: other load on the machine meets all of them alike, and
// their motions can be compared step by step without being stored. Quality and energies are
// measured between steps, outside of the time of a step.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "compare/variants.h"
#include "metrics/contact_difference.h"
#include "model/state.h"
#include "record/run_statistics.h"
#include "record/run_summary.h"
#include "record/step_record.h"
#include "scene/scene.h"

namespace stiction {

struct CompareSettings {
    std::int64_t steps = 0;
    int threads = 1;
    QualityThresholds thresholds = {};
};

// How far the centres of mass of the dynamic bodies are from where the first run has them.
struct Apart {
    double largest = 0;  // [m]; NaN when the first run has not got that far
    double rms = 0;      // over the bodies [m]
};

struct ComparedStep {
    std::size_t run = 0;  // place among the variants
    StepRecord record;    // with its quality
    Apart apart;
    ContactDifference contacts;  // from those that the first run's narrowphase finds at its state
};

struct ComparedRun {
    std::string label;
    RunInfo info;  // its status: done, failed (a state that is not finite) or interrupted
    RunStatistics statistics;
    std::int64_t unsolved_steps = 0;  // steps with an island that was not solved
    std::int64_t fallback_steps = 0;  // steps with an island that another solver had to answer
    Apart apart;                      // at apart_step
    std::int64_t apart_step = 0;      // the last step that it and the first run took
    ContactDifference contacts;       // largest over the steps; unmatched pairs of all steps
    State end;
};

struct CompareObserver {
    // After every step of a run: steps taken by all runs, those that a failed run will not take
    // included, and time of the run [s]. An answer false ends the comparison. Empty: goes on.
    std::function<bool(std::int64_t done, double time)> go_on;
    // Every step of every run, ordered by step and then by run. Empty: not wanted.
    std::function<void(const ComparedStep& step)> row;
    // Held while a step is recorded and rows are handed out, by whoever calls so_far() too. Empty:
    // nobody does.
    std::function<std::unique_lock<std::mutex>()> lock;
};

// A comparison that another thread can end inside a step.
class Comparison {
  public:
    Comparison(const Scene& scene, const std::vector<Variant>& variants,
               const CompareSettings& settings, const CompareObserver& observer);
    ~Comparison();
    Comparison(const Comparison&) = delete;
    Comparison& operator=(const Comparison&) = delete;

    [[nodiscard]] std::vector<ComparedRun> run();
    // The steps that were recorded, their rows handed out; for another thread, with the lock held
    // for good. The depths of the last states are not measured.
    [[nodiscard]] std::vector<ComparedRun> so_far();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

[[nodiscard]] std::vector<ComparedRun> compare(const Scene& scene,
                                               const std::vector<Variant>& variants,
                                               const CompareSettings& settings,
                                               const CompareObserver& observer = {});

// Share of a run's time that its solve stage took, 0 to 1.
[[nodiscard]] double solve_share(const RunStatistics& statistics);

}  // namespace stiction
