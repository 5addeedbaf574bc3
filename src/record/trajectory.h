// trajectory.h - a recorded motion: poses, velocities, joint coordinates and contact forces at a
// series of times. Written step by step as CSV or HDF5 (chosen by the name's suffix), read back
// whole. docs/output-formats.md has the layout.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "core/types.h"
#include "model/model.h"
#include "model/state.h"
#include "record/trajectory_csv.h"
#include "record/trajectory_hdf5.h"
#include "record/trajectory_sample.h"

namespace stiction {

struct Simulation;

// Fills `sample` from the step just taken (observer), or from a state no step has led to: no
// contacts.
void sample_step(const Simulation& sim, TrajectorySample& sample);
void sample_state(const Model& model, const State& state, TrajectorySample& sample);

enum class TrajectoryFormat { kCsv, kHdf5 };
// By suffix: .csv, .h5, .hdf5, each also followed by .part. Throws InputError for others.
[[nodiscard]] TrajectoryFormat trajectory_format(const std::string& path);

// All files that a trajectory of this name consists of, their writability checked. Throws
// InputError.
[[nodiscard]] std::vector<std::string> trajectory_files(const std::string& path);
void check_trajectory_writable(const std::string& path);

class TrajectoryWriter {
  public:
    TrajectoryWriter(const std::string& path, const TrajectoryHeader& header);
    void add(const TrajectorySample& sample);
    void finish();
    void discard();  // what was written is removed

  private:
    std::variant<CsvTrajectoryWriter, Hdf5TrajectoryWriter> writer_;
};

// Reads a finished trajectory or the .part of a killed run, of which it takes the samples that are
// complete. Throws InputError: file, place, what is wrong.
[[nodiscard]] Trajectory read_trajectory(const std::string& path);

// Throws InputError when times do not grow, numbers are not finite or quaternions are not of unit
// length.
void check_trajectory(const std::string& path, const Trajectory& trajectory);

// Index of the sample nearest to `time`. The trajectory must have samples.
[[nodiscard]] std::size_t sample_at(const Trajectory& trajectory, double time);

}  // namespace stiction
