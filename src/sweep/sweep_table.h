// sweep_table.h - the results of a sweep in the order of its jobs, the same bytes whoever ran them
// and in whatever order; times, which never are, in a table of their own.
#pragma once

#include <string>

#include "sweep/plan.h"
#include "sweep/row_journal.h"

namespace stiction {

// A row per job: job, axes, status, message, kept columns. Jobs without a result have the status
// "missing".
[[nodiscard]] std::string table_csv(const Plan& plan, const JournalRows& content);

// A row per job with a result: job, id, times.
[[nodiscard]] std::string times_csv(const Plan& plan, const JournalRows& content);

// What table_csv has, a dataset for each column; throws as write_hdf5_table does.
void write_table_hdf5(const std::string& path, const Plan& plan, const JournalRows& content);

struct TableCount {
    std::int64_t done = 0, failed = 0, crashed = 0, missing = 0;
};
[[nodiscard]] TableCount count_rows(const Plan& plan, const JournalRows& content);

}  // namespace stiction
