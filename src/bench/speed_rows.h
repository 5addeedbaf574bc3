// speed_rows.h - what an engine did with a scene, as its program told it, and what can be said of it:
// whether it is right, and how it compares with another.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/report.h"
#include "bench/speed_cases.h"

namespace stiction {

struct SpeedRow {
    SpeedConfig config;
    std::map<std::string, double> values;  // benchmarks/peers/README.md: Reading the output
    std::vector<double> curve;             // CPU time after every 50th part of the run [s]
    std::string mark;                      // what is the matter with it; empty: nothing
    bool right = false;                    // it has a speed and an answer that can be compared

    [[nodiscard]] double value(const std::string& name) const;  // kBenchUnknown where it has none
    [[nodiscard]] double speed() const { return value("best_steps_per_cpu_s"); }
    [[nodiscard]] std::string name() const { return config.engine + " " + config.config; }
};

struct SpeedResult {
    SpeedCase test;
    std::vector<SpeedRow> rows;

    // nullptr: it was not measured.
    [[nodiscard]] const SpeedRow* row(const std::string& engine, const std::string& config,
                                      int threads = 1) const;
    // What Stiction is compared with: the case's own, or the fastest that is right.
    [[nodiscard]] const SpeedRow* reference() const;
};

// Of the line of JSON that a program of benchmarks/peers wrote.
[[nodiscard]] SpeedRow read_speed_row(const SpeedConfig& config, const std::string& scene,
                                      const std::string& line);

// Steps per CPU second over those of `other`, of the part of the run that both did.
[[nodiscard]] double speed_ratio(const SpeedRow& row, const SpeedRow& other);

// How wrong an answer is, in the words of its scene.
struct SpeedError {
    double value = kBenchUnknown;
    std::string of = "-";  // with its unit
};
[[nodiscard]] SpeedError speed_error(const std::string& scene, const SpeedRow& row);

// Deepest over the run, in percent of half the shortest side.
[[nodiscard]] double deepest_penetration(const SpeedRow& row);

// All tables of the report and its figure; those without rows are left out. `before`: an earlier
// build of Stiction was measured, too.
void add_speed_tables(const std::vector<SpeedResult>& results, bool before, BenchReport& report);

}  // namespace stiction
