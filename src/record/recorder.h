// recorder.h - everything a run writes: opened before the first step, fed by each step's observer,
// closed at the end.
#pragma once

#include <optional>
#include <string>

#include "record/run_statistics.h"
#include "record/run_summary.h"
#include "record/state_file.h"
#include "record/step_table.h"
#include "record/trajectory.h"

namespace stiction {

struct Simulation;

struct OutputPaths {  // empty: not wanted
    std::string csv;
    std::string trajectory;
    std::string json;  // "-": standard output
    std::string save_state;
    std::int64_t trajectory_every = 1;  // steps per sample
    bool quality = false;               // measured after every step, for csv and json
};

// Throws InputError when one of the outputs cannot be written or two are the same file. Creates
// nothing.
void check_outputs(const OutputPaths& paths);

class Recorder {
  public:
    // Opens the outputs; sim is in its first state.
    Recorder(const OutputPaths& paths, const std::string& scene, const Simulation& sim);

    void observe(
        const Simulation& sim);  // as the observer of a step: the row before is written now
    void step_ended(const Simulation& sim);  // after the step: adds its times
    void finish(Simulation& sim,
                const RunInfo& info);  // writes what is left; files get their names

    [[nodiscard]] const StepRecord& last() const { return record_; }
    // With which the quality was measured; empty when it was not asked for.
    [[nodiscard]] std::optional<QualityThresholds> thresholds() const;
    [[nodiscard]] const RunStatistics& statistics() const { return statistics_; }

  private:
    OutputPaths paths_;
    std::string scene_;
    RunStatistics statistics_;
    std::optional<StepTable> table_;
    std::optional<TrajectoryWriter> trajectory_;
    TrajectorySample sample_;
    StepRecord record_;
    std::optional<QualityMeter> quality_;
    bool account_ = false;  // of energy, in the table
    bool pending_ = false;  // record_ is complete, but not in the table yet
    bool sampled_ = false;  // the present state is in the trajectory
};

}  // namespace stiction
