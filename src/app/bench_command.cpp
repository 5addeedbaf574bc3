// bench_command.cpp - stiction bench: the papers' tables and our own benchmarks, by name.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "app/command_line.h"
#include "app/commands.h"
#include "app/interrupt.h"
#include "app/messages.h"
#include "app/progress.h"
#include "bench/benchmarks.h"
#include "bench/papers_page.h"
#include "core/error.h"
#include "core/input_file.h"
#include "core/stopwatch.h"
#include "record/output_file.h"
#include "scene/find_scene.h"

namespace stiction {

namespace {

constexpr const char* kBenchExamples =
    "  stiction bench                                   what there is to measure\n"
    "  stiction bench locomotion\n"
    "  stiction bench locomotion --time 1 --rounds 1    a quick look\n"
    "  stiction bench locomotion --json - --csv locomotion.csv\n"
    "  stiction bench ramp --plot ramp.svg\n"
    "  stiction bench papers --quick                    all of them, into docs/papers.md\n"
    "  stiction bench granular --markdown docs/papers.md   its section of the page alone\n"
    "  stiction bench speed --markdown docs/performance.md   beside other engines\n"
    "  stiction bench speed --case grasp --case pyramid --limit 5\n"
    "Other programs that run at the same time disturb the times. Exit status 1: a run ended early.";

// Beyond these a number is mistyped.
constexpr int kMaxRounds = 1000;
constexpr double kMaxTime = 1e4;                         // [s]
constexpr std::size_t kMaxPage = std::size_t{16} << 20;  // [bytes] of a page that is written anew

struct BenchOptions {
    std::string name;  // empty: list them
    std::optional<double> time;
    std::optional<int> rounds;
    bool quick = false;
    std::vector<std::string> cases;
    std::optional<double> limit;
    std::string before;
    std::string json, csv, plot, markdown;  // empty: not wanted
    bool quiet = false;

    [[nodiscard]] bool all() const { return name == kAllPapers; }
};

void list_benchmarks() {
    std::size_t width = 0;
    for (const Benchmark& benchmark : benchmarks()) width = std::max(width, benchmark.name.size());
    for (const Benchmark& benchmark : benchmarks()) {
        fmt::print("{:<{}}  {}\n", benchmark.name, width, benchmark.what);
    }
    fmt::print("{:<{}}  all that repeat papers, as a page: docs/papers.md\n", kAllPapers, width);
}

// The page of the checkout where there is one.
std::string default_page() {
    std::error_code error;
    return std::filesystem::is_directory("docs", error) ? "docs/papers.md" : "papers.md";
}

// Pictures lie in a folder beside the page.
std::string picture_folder(const std::string& page) {
    return (std::filesystem::path(page).parent_path() / "images").string();
}
std::string picture_name(const Benchmark& benchmark) {
    return (benchmark.of_papers ? "papers-" : "") + std::string(benchmark.name) + ".svg";
}

void check_options(const BenchOptions& options) {
    if (options.time && !(*options.time > 0 && *options.time <= kMaxTime)) {
        throw InputError(fmt::format("--time: expected more than 0 and at most {:g} s", kMaxTime));
    }
    if (options.rounds && (*options.rounds < 1 || *options.rounds > kMaxRounds)) {
        throw InputError(fmt::format("--rounds {}: expected 1 to {}", *options.rounds, kMaxRounds));
    }
    if (options.limit && !(*options.limit > 0 && *options.limit <= kMaxTime)) {
        throw InputError(fmt::format("--limit: expected more than 0 and at most {:g} s", kMaxTime));
    }
    const bool of_speed = !options.cases.empty() || options.limit || !options.before.empty();
    if (of_speed && options.name != "speed")
        throw InputError("--case, --limit and --before are for speed alone");
    if (options.all() && !options.plot.empty())
        throw InputError("--plot is for one benchmark; papers puts its plots beside the page");
    for (const std::string& path : {options.csv, options.plot, options.markdown}) {
        if (path == "-") throw InputError("only --json can go to standard output (-)");
    }
    for (const std::string& path : {options.csv, options.json, options.plot, options.markdown}) {
        if (!path.empty() && path != "-") check_writable(path);
    }
    check_distinct({options.csv, options.json, options.plot, options.markdown});
}

// What is measured, and what becomes of it. Reports that are complete are kept when the program is
// ended inside a step.
class OngoingBenches {
  public:
    OngoingBenches(const BenchOptions& options, std::vector<const Benchmark*> chosen)
        : options_(options),
          chosen_(std::move(chosen)),
          progress_(kParts, !options.quiet),
          keeper_([this] { keep(); }) {
        settings_.scenes = scenes_folder();
        if (settings_.scenes.empty())
            throw InputError("the folder of shipped scenes was not found; set STICTION_SCENES");
        settings_.time = options.time;
        settings_.rounds = options.rounds.value_or(0);
        settings_.quick = options.quick;
        settings_.cases = options.cases;
        settings_.limit = options.limit;
        settings_.before = options.before;
    }

    int run() {
        for (std::size_t i = 0; i < chosen_.size() && !interrupted(); ++i) measure(i);
        progress_.hide();
        end_by_itself();
        return write(status());
    }

  private:
    static constexpr std::int64_t kParts = 10000;  // the bar takes whole numbers

    void measure(std::size_t i) {
        const Benchmark& benchmark = *chosen_[i];
        Stopwatch watch;
        BenchReport report = benchmark.run(settings_, [&](double share) {
            const double done =
                (static_cast<double>(i) + share) / static_cast<double>(chosen_.size());
            progress_.show(static_cast<std::int64_t>(done * kParts));
            return !interrupted();
        });
        const double seconds = watch.lap();
        const auto lock = Keeper::lock();
        reports_.push_back(std::move(report));
        progress_.hide();
        if (options_.all() && !options_.quiet && options_.json != "-") {
            attempt([&] {
                write_standard_output(fmt::format("== {} ({:.0f} s)\n\n{}\n", benchmark.heading,
                                                  seconds, report_text(reports_.back())));
            });
        }
        if (!options_.markdown.empty() && reports_.back().status == "done")
            attempt([&] { write_section(benchmark, reports_.back(), seconds); });
    }

    void write_section(const Benchmark& benchmark, const BenchReport& report,
                       double seconds) const {
        const std::string& page = options_.markdown;
        std::string picture;
        if (report.figure) {
            std::error_code error;
            std::filesystem::create_directories(picture_folder(page), error);
            write_svg(
                (std::filesystem::path(picture_folder(page)) / picture_name(benchmark)).string(),
                *report.figure);
            picture = "images/" + picture_name(benchmark);
        }
        std::string command = "stiction bench " + report.benchmark;
        if (options_.quick) command += " --quick";
        if (options_.time) command += fmt::format(" --time {:g}", *options_.time);
        if (options_.rounds) command += fmt::format(" --rounds {}", *options_.rounds);
        for (const std::string& name : options_.cases) command += " --case " + name;
        if (options_.limit) command += fmt::format(" --limit {:g}", *options_.limit);
        if (!options_.before.empty()) command += " --before peer_stiction";
        const std::string how = fmt::format(
            "`{}`, {:.0f} s on a machine that other programs used as well.", command, seconds);
        std::error_code error;
        std::string text;
        if (!benchmark.of_papers) text = "# Performance\n";
        if (std::filesystem::exists(page, error)) text = read_input_file(page, "a page", kMaxPage);
        write_file(page, with_section(text, report.benchmark, std::string(benchmark.heading),
                                      report_markdown(report, picture, how)));
    }

    template <class Write>
    void attempt(const Write& write) {
        try {
            write();
        } catch (const OutputError& error) {
            problems_ = join_problems(problems_, error.what());
        }
    }

    [[nodiscard]] std::string status() const {
        const std::string status =
            options_.all() || reports_.empty() ? reports_status(reports_) : reports_.front().status;
        return reports_.size() < chosen_.size() && status == "done" ? "interrupted" : status;
    }

    // On another thread, while a benchmark computes.
    void keep() { (void)write("interrupted"); }

    int write(const std::string& status) {
        const bool one = !options_.all();
        const auto json = [&] {
            if (one && !reports_.empty()) return report_json(reports_.front());
            return reports_json(options_.name, reports_);
        };
        if (!options_.csv.empty()) {
            attempt([&] {
                write_file(options_.csv, one && !reports_.empty() ? report_csv(reports_.front())
                                                                  : reports_csv(reports_));
            });
        }
        if (!options_.json.empty() && options_.json != "-")
            attempt([&] { write_file(options_.json, json()); });
        if (!options_.plot.empty() && !reports_.empty() && reports_.front().figure)
            attempt([&] { write_svg(options_.plot, *reports_.front().figure); });
        if (options_.json == "-") {
            attempt([&] { write_standard_output(json()); });
        } else if (one && !options_.quiet && !reports_.empty()) {
            attempt([&] { write_standard_output(report_text(reports_.front())); });
        }
        if (status == "done" && problems_.empty()) return kExitDone;
        print_error(join_problems(status == "done" ? "" : status, problems_));
        return kExitFailed;
    }

    const BenchOptions& options_;
    std::vector<const Benchmark*> chosen_;
    BenchSettings settings_;
    std::vector<BenchReport> reports_;
    std::string problems_;  // of the outputs
    Progress progress_;
    Keeper keeper_;
};

int bench(BenchOptions& options) {
    if (options.name.empty()) {
        list_benchmarks();
        return kExitDone;
    }
    std::vector<const Benchmark*> chosen;
    if (options.all()) {
        for (const Benchmark& benchmark : benchmarks()) {
            if (benchmark.of_papers) chosen.push_back(&benchmark);
        }
        if (options.markdown.empty()) options.markdown = default_page();
    } else {
        chosen.push_back(&find_benchmark(options.name));
    }
    check_options(options);
    return OngoingBenches(options, std::move(chosen)).run();
}

}  // namespace

Command add_bench_command(CLI::App& app) {
    CLI::App* command =
        add_command(app, "bench", "Repeat the papers' tables; time other engines", kBenchExamples);
    auto options = std::make_shared<BenchOptions>();
    command->add_option("NAME", options->name,
                        "A benchmark, or papers for all; without it they are listed");
    command->add_option("--time", options->time,
                        "Simulated time of a run in seconds (default: the benchmark's)");
    command->add_option("--rounds", options->rounds,
                        "Repetitions, of which the quickest counts, or trials (default: the "
                        "benchmark's)");
    command->add_flag("--quick", options->quick,
                      "Shorter runs: all benchmarks together take some minutes");
    command
        ->add_option("--case", options->cases,
                     "speed: only these scenes (grasp, ramp, robot, granular, models, boxes, "
                     "pyramid, wall, growth, threads); may be repeated")
        ->type_name("NAME")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    command
        ->add_option("--limit", options->limit,
                     "speed: CPU time after which an engine's run is cut, in seconds")
        ->type_name("SECONDS");
    command
        ->add_option("--before", options->before,
                     "speed: peer_stiction of an earlier build, to compare with")
        ->type_name("PROGRAM");
    command
        ->add_option("--json", options->json,
                     "Write the report; - is standard output, instead of the text")
        ->type_name("FILE");
    command->add_option("--csv", options->csv, "Write every value of the tables, one per row")
        ->type_name("FILE");
    command->add_option("--plot", options->plot, "Draw the benchmark's figure as SVG")
        ->type_name("FILE");
    command
        ->add_option("--markdown", options->markdown,
                     "Put tables and figure into their section of a page; papers: docs/papers.md")
        ->type_name("FILE");
    command->add_flag("--quiet", options->quiet, "No progress bar and no text");
    return {command, [options] { return bench(*options); }};
}

}  // namespace stiction
