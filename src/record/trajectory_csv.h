// trajectory_csv.h - a trajectory as two tables: NAME.csv, one row per sample with the state of all
// bodies and joints, and NAME.contacts.csv, one row per contact of a sample.
#pragma once

#include <string>

#include "record/csv.h"
#include "record/output_file.h"
#include "record/trajectory_sample.h"

namespace stiction {

// run.csv -> run.contacts.csv, run.csv.part -> run.contacts.csv.part
[[nodiscard]] std::string contacts_csv_path(const std::string& path);

class CsvTrajectoryWriter {
  public:
    CsvTrajectoryWriter(const std::string& path, const TrajectoryHeader& header);
    void add(const TrajectorySample& sample);
    void finish();
    void discard();  // closes and removes both tables

  private:
    void write();

    OutputFile states_;
    OutputFile contacts_;
    TrajectoryHeader header_;
    CsvRow state_rows_;  // not yet written
    CsvRow contact_rows_;
    FlushClock clock_;
};

// Throws InputError. The last row of an unfinished file (.part) may be incomplete and is then left
// out.
[[nodiscard]] Trajectory read_trajectory_csv(const std::string& path);

}  // namespace stiction
