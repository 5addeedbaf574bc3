// bench_command.cpp - stiction bench: the papers' tables and our own benchmarks, by name.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>

#include "app/command_line.h"
#include "app/commands.h"
#include "app/interrupt.h"
#include "app/messages.h"
#include "app/progress.h"
#include "bench/benchmarks.h"
#include "core/error.h"
#include "record/output_file.h"
#include "scene/find_scene.h"

namespace stiction {

namespace {

constexpr const char* kBenchExamples =
    "  stiction bench                                   what there is to measure\n"
    "  stiction bench locomotion\n"
    "  stiction bench locomotion --time 1 --rounds 1    a quick look\n"
    "  stiction bench locomotion --json - --csv locomotion.csv\n"
    "Other programs that run at the same time disturb the times. Exit status 1: a run ended early.";

// Beyond these a number is mistyped.
constexpr int kMaxRounds = 1000;
constexpr double kMaxTime = 1e4;  // [s]

struct BenchOptions {
    std::string name;  // empty: list them
    std::optional<double> time;
    std::optional<int> rounds;
    std::string json, csv;  // empty: not wanted
    bool quiet = false;
};

void list_benchmarks() {
    std::size_t width = 0;
    for (const Benchmark& benchmark : benchmarks()) width = std::max(width, benchmark.name.size());
    for (const Benchmark& benchmark : benchmarks()) {
        fmt::print("{:<{}}  {}\n", benchmark.name, width, benchmark.what);
    }
}

void check_options(const BenchOptions& options) {
    if (options.time && !(*options.time > 0 && *options.time <= kMaxTime)) {
        throw InputError(fmt::format("--time: expected more than 0 and at most {:g} s", kMaxTime));
    }
    if (options.rounds && (*options.rounds < 1 || *options.rounds > kMaxRounds)) {
        throw InputError(fmt::format("--rounds {}: expected 1 to {}", *options.rounds, kMaxRounds));
    }
    if (options.csv == "-") throw InputError("only --json can go to standard output (-)");
    for (const std::string& path : {options.csv, options.json}) {
        if (!path.empty() && path != "-") check_writable(path);
    }
    check_distinct({options.csv, options.json});
}

BenchReport measure(const BenchOptions& options, const Benchmark& benchmark) {
    constexpr std::int64_t kParts = 10000;  // the bar takes whole numbers
    BenchSettings settings;
    settings.scenes = scenes_folder();
    if (settings.scenes.empty())
        throw InputError("the folder of shipped scenes was not found; set STICTION_SCENES");
    settings.time = options.time;
    settings.rounds = options.rounds.value_or(0);
    Progress progress(kParts, !options.quiet);
    return benchmark.run(settings, [&](double share) {
        progress.show(static_cast<std::int64_t>(share * kParts));
        return !interrupted();
    });
}

int bench(const BenchOptions& options) {
    if (options.name.empty()) {
        list_benchmarks();
        return kExitDone;
    }
    const Benchmark& benchmark = find_benchmark(options.name);
    check_options(options);
    const BenchReport report = measure(options, benchmark);
    end_by_itself();
    std::string problems;
    const auto attempt = [&problems](const auto& write) {
        try {
            write();
        } catch (const OutputError& error) {
            problems = join_problems(problems, error.what());
        }
    };
    if (!options.csv.empty()) attempt([&] { write_file(options.csv, report_csv(report)); });
    if (!options.json.empty() && options.json != "-")
        attempt([&] { write_file(options.json, report_json(report)); });
    const std::string shown = options.json == "-" ? report_json(report)
                              : options.quiet     ? ""
                                                  : report_text(report);
    attempt([&] { write_standard_output(shown); });
    if (report.status == "done" && problems.empty()) return kExitDone;
    print_error(join_problems(report.status == "done" ? "" : report.status, problems));
    return kExitFailed;
}

}  // namespace

Command add_bench_command(CLI::App& app) {
    CLI::App* command = add_command(
        app, "bench", "Repeat the papers' tables and our own benchmarks", kBenchExamples);
    auto options = std::make_shared<BenchOptions>();
    command->add_option("NAME", options->name, "A benchmark; without it they are listed");
    command->add_option("--time", options->time,
                        "Simulated time of a run in seconds (default: the benchmark's)");
    command->add_option("--rounds", options->rounds,
                        "Repetitions, of which the quickest counts (default: the benchmark's)");
    command
        ->add_option("--json", options->json,
                     "Write the report; - is standard output, instead of the text")
        ->type_name("FILE");
    command->add_option("--csv", options->csv, "Write every value of the tables, one per row")
        ->type_name("FILE");
    command->add_flag("--quiet", options->quiet, "No progress bar and no text");
    return {command, [options] { return bench(*options); }};
}

}  // namespace stiction
