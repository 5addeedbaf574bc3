// job.h - one run of a sweep: what it is asked to do, and what came of it. Both travel as a line of
// JSON, to workers and into journals.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sweep/summary_columns.h"
#include "sweep/sweep_file.h"

namespace stiction {

struct Job {
    std::int64_t number = 0;  // in the sweep, from 1
    std::string scene;        // path
    std::vector<std::pair<std::string, std::string>> parameters;
    std::string model, solver, narrowphase, seed;  // empty: as the scene says
    std::optional<double> h;                       // [s]
    std::optional<double> tolerance;
    std::optional<std::int64_t> steps;
    std::optional<double> time;  // [s]
    bool quality = false;
    std::vector<std::string> keep;   // paths in the summary
    std::vector<std::string> files;  // all that it may read: what its id covers
};

// Without `files`, which the plan of the sweep knows.
[[nodiscard]] Job make_job(const Sweep& sweep, std::int64_t number);

// What of a job changes its results, in one form: part of its id.
[[nodiscard]] std::string job_settings(const Job& job);

// Columns of the sweep's table that say which job it is: axes, then draws.
[[nodiscard]] std::vector<std::string> job_columns(const Sweep& sweep);
[[nodiscard]] std::vector<std::string> job_values(const Sweep& sweep, std::int64_t number);

// Of a run, beside its results: they differ from run to run.
inline constexpr std::array<std::string_view, 6> kTimeColumns = {
    "seconds", "load_seconds", "step_us_mean", "step_us_p50", "step_us_p99", "realtime_factor"};

enum class JobStatus { kDone, kFailed, kCrashed };  // kCrashed: its worker ended
inline constexpr std::array<std::string_view, 3> kJobStatusNames = {"done", "failed", "crashed"};

struct JobResult {
    std::string id;
    std::int64_t number = 0;
    JobStatus status = JobStatus::kDone;
    std::string message;                 // why it is not done
    std::map<std::string, Cell> values;  // by their paths in the summary
    std::array<double, kTimeColumns.size()> times{};
};

// A line without its end. The readers throw InputError for text that is no such line.
[[nodiscard]] std::string job_line(const Job& job);
[[nodiscard]] Job read_job_line(std::string_view line);
[[nodiscard]] std::string result_line(const JobResult& result);
[[nodiscard]] JobResult read_result_line(std::string_view line);

}  // namespace stiction
