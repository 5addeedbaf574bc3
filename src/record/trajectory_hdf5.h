// trajectory_hdf5.h - a trajectory as one HDF5 file of chunked datasets that grow along time.
// Samples are gathered in memory and written and flushed together, as HDF5 has it for a single writer
// with readers beside it (SWMR): what a run leaves can be read, at whatever moment it was killed.
#pragma once

#include <memory>
#include <string>

#include "record/trajectory_sample.h"

namespace stiction {

class Hdf5TrajectoryWriter {
  public:
    // Throws InputError where the name will not do, OutputError where writing fails.
    Hdf5TrajectoryWriter(const std::string& path, const TrajectoryHeader& header);
    ~Hdf5TrajectoryWriter();
    Hdf5TrajectoryWriter(Hdf5TrajectoryWriter&&) noexcept;
    Hdf5TrajectoryWriter& operator=(Hdf5TrajectoryWriter&&) = delete;

    void add(const TrajectorySample& sample);  // throws OutputError, as finish does
    void finish();
    void discard();  // closes and removes it

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// Throws InputError that names the file and the dataset. Of an unfinished file the complete samples
// are taken.
[[nodiscard]] Trajectory read_trajectory_hdf5(const std::string& path);

}  // namespace stiction
