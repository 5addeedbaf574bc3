// step_table.h - the table of a run: one CSV row per step with stage times, energies and what the
// solver did.
#pragma once

#include <string>

#include "record/csv.h"
#include "record/output_file.h"
#include "record/step_record.h"

namespace stiction {

// Names of the columns and a record's values in them, without the end of the row. The columns of
// the quality and of the account of energy stand where records have them.
void add_step_columns(bool quality, bool account, CsvRow& row);
void add_step_values(const StepRecord& record, CsvRow& row);

// Streams rows to NAME.part, which always ends with a whole row.
class StepTable {
  public:
    explicit StepTable(const std::string& path) : file_(path) {}
    void start(bool quality, bool account);
    void add(const StepRecord& record);
    void finish();

  private:
    void write();

    OutputFile file_;
    CsvRow rows_;  // not yet written
    FlushClock clock_;
};

}  // namespace stiction
