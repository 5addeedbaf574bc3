// benchmarks.h - the benchmarks by name. A new one is a function in a file of its own and a line of
// the table in benchmarks.cpp.
//
// A ratio means something only when both sides are as good as they can be made: what a benchmark
// compares with is our best implementation of it, not the slowest. All that is compared is timed in
// the same run of the program.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/report.h"

namespace stiction {

struct BenchSettings {
    std::string scenes;          // folder of the shipped scenes
    std::optional<double> time;  // simulated time of a run [s]; empty: the benchmark's own
    int rounds = 0;              // repetitions; 0: the benchmark's own
    bool quick = false;  // runs that are short enough for all benchmarks to take five minutes
    // Of speed alone:
    std::vector<std::string> cases = {};  // groups of its cases; empty: all
    std::optional<double> limit = {};     // CPU time of a row [s]; empty: the row's own
    std::string before = {};              // peer_stiction of an earlier build; empty: none
};

// Told now and then how much is done, 0 to 1; an answer false ends the benchmark.
using BenchGoOn = std::function<bool(double share)>;

struct Benchmark {
    std::string_view name;
    std::string_view what;     // one line
    std::string_view heading;  // of its section of a page of docs
    BenchReport (*run)(const BenchSettings& settings, const BenchGoOn& go_on);
    bool of_papers = true;  // part of `papers`
};

// In the order of docs/papers.md, then those of other pages.
[[nodiscard]] std::span<const Benchmark> benchmarks();

inline constexpr std::string_view kAllPapers = "papers";  // on the command line: all of these

// Throws InputError with the nearest valid name.
[[nodiscard]] const Benchmark& find_benchmark(std::string_view name);

[[nodiscard]] BenchReport bench_grasp(const BenchSettings& settings, const BenchGoOn& go_on);
[[nodiscard]] BenchReport bench_ramp(const BenchSettings& settings, const BenchGoOn& go_on);
[[nodiscard]] BenchReport bench_engine(const BenchSettings& settings, const BenchGoOn& go_on);
[[nodiscard]] BenchReport bench_granular(const BenchSettings& settings, const BenchGoOn& go_on);
[[nodiscard]] BenchReport bench_joint_friction(const BenchSettings& settings,
                                               const BenchGoOn& go_on);
[[nodiscard]] BenchReport bench_logpile(const BenchSettings& settings, const BenchGoOn& go_on);
[[nodiscard]] BenchReport bench_loader(const BenchSettings& settings, const BenchGoOn& go_on);
[[nodiscard]] BenchReport bench_locomotion(const BenchSettings& settings, const BenchGoOn& go_on);
[[nodiscard]] BenchReport bench_grasp_solvers(const BenchSettings& settings,
                                              const BenchGoOn& go_on);
[[nodiscard]] BenchReport bench_speed(const BenchSettings& settings, const BenchGoOn& go_on);

}  // namespace stiction
