// run_sweep.h - runs the jobs of a sweep that are not done yet on workers, and writes each result
// into a journal as it comes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sweep/plan.h"
#include "sweep/row_journal.h"

namespace stiction {

struct SweepRun {
    std::vector<std::string> worker;  // the words that start one
    int workers = 1;
    std::int64_t first = 1, last = 0;  // jobs, both included
    // After every result, and in between: whether to go on.
    std::function<bool(const JobResult* result)> go_on;
};

// Is there a result of this job, with all columns that the sweep keeps? A crash is none.
[[nodiscard]] bool is_finished(const Plan& plan, std::int64_t number, const JournalRows& content);

// The jobs of the run without a result, in order.
[[nodiscard]] std::vector<std::int64_t> missing_jobs(const Plan& plan, const SweepRun& run,
                                                     const JournalRows& content);

// Gives the number of jobs that ended. Throws InputError where a file of the scene changed meanwhile,
// OutputError where the journal cannot be written; what is in the journal stays good.
std::int64_t run_sweep(const Plan& plan, const std::vector<std::int64_t>& jobs, const SweepRun& run,
                       RowJournal& journal);

// The worker's side of it.
void serve_jobs();

}  // namespace stiction
