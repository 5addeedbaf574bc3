// step_table.h - the table of a run: one CSV row per step with stage times, energies and what the
// solver did.
#pragma once

#include <string>

#include "record/csv.h"
#include "record/output_file.h"
#include "record/step_record.h"

namespace stiction {

[[nodiscard]] std::string step_table_header();  // ends with a newline
void add_step_row(const StepRecord& record, CsvRow& row);

// Streams rows to NAME.part, which always ends with a whole row.
class StepTable {
  public:
    explicit StepTable(const std::string& path) : file_(path) {}
    void start();
    void add(const StepRecord& record);
    void finish();

  private:
    void write();

    OutputFile file_;
    CsvRow rows_;  // not yet written
    FlushClock clock_;
};

}  // namespace stiction
