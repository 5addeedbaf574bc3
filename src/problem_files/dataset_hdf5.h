// dataset_hdf5.h - frames as an HDF5 file: simulation_00001/manifest and
// simulation_00001/mbs_frame000001 and so on (docs/datasets.md). May be called on any thread.
#pragma once

#include <memory>
#include <string>

#include "problem_files/dataset_array.h"

namespace stiction {

class DatasetHdf5Writer {
  public:
    // `path` is written as it is. With `append` it is there, and simulations are added to it.
    // Throws OutputError, as all functions do.
    DatasetHdf5Writer(const std::string& path, bool append);
    ~DatasetHdf5Writer();
    DatasetHdf5Writer(const DatasetHdf5Writer&) = delete;
    DatasetHdf5Writer& operator=(const DatasetHdf5Writer&) = delete;

    void start_simulation(const DatasetGroup& manifest);
    void add_frame(const DatasetGroup& frame);
    // Into a group by its whole name, or at the root ("").
    void add_group(const std::string& name, const DatasetGroup& group);
    void close();
    void discard();  // of a file that is not wanted any more; throws nothing

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace stiction
