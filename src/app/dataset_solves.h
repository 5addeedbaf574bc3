// dataset_solves.h - stiction solve and stiction compare on datasets: their options, and the solves
// with what is written of them.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "metrics/contact_quality.h"

namespace stiction {

struct DatasetOptions {
    std::vector<std::string> files;
    std::string models, solvers;  // empty: the models that made the frames
    std::string frames;           // "A:B"; empty: all
    std::optional<double> tolerance;
    double time_budget = 0;  // [s]
    int max_iterations = 0;
    int threads = 1;
    int repeats = 1;
    bool warm = false;
    bool fallbacks = false;
    bool equal_work = false;
    bool list = false;
    QualityThresholds thresholds;
    std::string json, csv, profile, report;  // empty: not wanted
    bool totals_only = false;                // no line per frame: compare
    bool quiet = false;
};

// The options that both commands have; those that scenes or stored problems have too are added by the
// commands themselves.
void add_dataset_options(CLI::App& command, DatasetOptions& options);

// Throws InputError. Gives the exit status.
int solve_datasets(const DatasetOptions& options);

}  // namespace stiction
