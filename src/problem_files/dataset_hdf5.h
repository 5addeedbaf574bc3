// dataset_hdf5.h - frames as an HDF5 file: simulation_00001/manifest and
// simulation_00001/mbs_frame000001 and so on (docs/datasets.md).
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

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// The records of a journal as an HDF5 file under `path`, by way of a temporary name beside it. With
// `append` they join what the file holds already, if it is there.
void finish_journal(const std::string& journal, const std::string& path, bool append);

}  // namespace stiction
