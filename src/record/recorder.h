// recorder.h - everything a run writes: opened before the first step, fed by each step's observer,
// closed at the end.
//
// A recorder has all it needs of the steps that ended, so that it can be finished while another
// thread computes the next one. One output that cannot be written leaves the others as they are:
// finish() completes them, and only what failed stays under NAME.part.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "contact/island/guess.h"
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

// The files that they stand for; standard output is none.
[[nodiscard]] std::vector<std::string> output_files(const OutputPaths& paths);

// Throws InputError when one of the outputs cannot be written or two are the same file. Creates
// nothing.
void check_outputs(const OutputPaths& paths);

class Recorder {
  public:
    // Opens the outputs; sim is in its first state. An output that opens but cannot be written
    // makes failure().
    Recorder(const OutputPaths& paths, const std::string& scene, const Simulation& sim);

    void observe(
        const Simulation& sim);  // as the observer of a step: the row before is written now
    void step_ended(const Simulation& sim);  // after the step: adds its times
    // Of an output that observe() or the constructor could not write; empty: none. The run should
    // end.
    [[nodiscard]] std::string failure() const;
    void add_end(const ContactSet& contacts);  // of the last state: its penetration counts
    // Writes what is left; files get their names. What the outputs that failed have to say is told
    // in the summary, whose status is then "failed", and thrown as one OutputError.
    void finish(const Model& model, RunInfo info);

    [[nodiscard]] const StepRecord& last() const { return record_; }
    // With which the quality was measured; empty when it was not asked for.
    [[nodiscard]] std::optional<QualityThresholds> thresholds() const;
    [[nodiscard]] const RunStatistics& statistics() const { return statistics_; }
    [[nodiscard]] const State& end() const { return end_; }  // after the last step that ended

  private:
    void start(const Simulation& sim);
    template <class Write>
    void attempt(std::string& failed, const Write& write);
    void write_summary(const Model& model, const RunInfo& info) const;

    OutputPaths paths_;
    std::string scene_;
    RunStatistics statistics_;
    std::optional<StepTable> table_;
    std::optional<TrajectoryWriter> trajectory_;
    TrajectorySample sample_;  // of the last step
    State end_;
    std::string contact_model_, narrowphase_;  // for the saved state, with the next
    Guess guess_;
    StepRecord record_;
    std::optional<QualityMeter> quality_;
    bool account_ = false;                          // of energy, in the table
    bool pending_ = false;                          // record_ is complete, but not in the table yet
    bool sampled_ = false;                          // sample_ is in the trajectory
    std::string table_failed_, trajectory_failed_;  // what went wrong; empty: nothing
};

}  // namespace stiction
