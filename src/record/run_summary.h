// run_summary.h - the summary of a run as a JSON object, a stable interface described in
// docs/output-formats.md.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "model/model.h"
#include "model/state.h"
#include "record/run_statistics.h"

namespace stiction {

struct Simulation;

inline constexpr int kSummarySchema = 1;

// What a run was asked to do and how it ended.
struct RunInfo {
    std::string scene;
    std::string model;
    std::string solver_requested;
    std::string narrowphase;
    std::map<std::string, double> parameters;
    std::uint64_t seed = 1;
    double h = 0;            // [s]
    double time_budget = 0;  // wall-clock time of a step [s]; 0: none
    int threads = 1;
    std::string status = "done";                    // done, failed or interrupted
    std::string message;                            // why it did not end as asked; empty when done
    double start_time = 0;                          // [s]
    std::optional<QualityThresholds> quality = {};  // with which it was measured, where it was
};

// Of a run that `sim` is about to start.
[[nodiscard]] RunInfo describe_run(const std::string& scene,
                                   const std::map<std::string, double>& parameters,
                                   std::uint64_t seed, const Simulation& sim);

[[nodiscard]] double realtime_factor(const RunInfo& info, const RunStatistics& statistics);

// Ends with a newline.
[[nodiscard]] std::string summary_json(const RunInfo& info, const RunStatistics& statistics,
                                       const Model& model, const State& end);

// 16 hexadecimal digits.
[[nodiscard]] std::string hash_text(std::uint64_t hash);

}  // namespace stiction
