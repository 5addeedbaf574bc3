// compare_command.cpp - stiction compare: one scene with several contact models and solvers.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/command_line.h"
#include "app/commands.h"
#include "app/interrupt.h"
#include "app/progress.h"
#include "compare/compare.h"
#include "compare/compare_files.h"
#include "core/error.h"
#include "record/output_file.h"

namespace stiction {

namespace {

constexpr const char* kCompareExamples =
    "  stiction compare stack --time 1\n"
    "  stiction compare grasp --set boxes=8 --models no_slip,coulomb_cone,max_dissipation\n"
    "  stiction compare ramp --models coulomb_lcp,coulomb_cone --csv ramp.csv --plot ramp.svg\n"
    "  stiction compare grasp --models no_slip,coulomb_lcp:lemke,coulomb_lcp:pgs --json -\n"
    "  stiction compare wall --models coulomb_cone --solvers prox_newton,newton,pgs --tol 1e-6\n"
    "The columns are described in docs/output-formats.md. Exit status 1: a run ended early.";

struct CompareOptions {
    SceneOptions scene;
    VariantOptions variants;
    LengthOptions length;
    std::string csv, json, plot;  // empty: not wanted
    bool quiet = false;
};

void check_outputs(const CompareOptions& options) {
    for (const std::string& path : {options.csv, options.plot}) {
        if (path == "-") throw InputError("only --json can go to standard output (-)");
    }
    std::set<std::filesystem::path> seen;
    for (const std::string& path : {options.csv, options.json, options.plot}) {
        if (path.empty() || path == "-") continue;
        check_writable(path);
        const bool new_name =
            seen.insert(std::filesystem::absolute(path).lexically_normal()).second;
        if (!new_name && path != "/dev/null") {
            throw InputError("two outputs have the same name '" + path + "'");
        }
    }
}

// Streams the steps to NAME.part, which always ends with a whole row.
class StepRows {
  public:
    StepRows(const std::string& path, const std::vector<Variant>& variants) : file_(path) {
        for (const Variant& variant : variants) labels_.push_back(variant.label);
        add_comparison_header(rows_);
        write();
    }
    void add(const ComparedStep& step) {
        add_comparison_row(labels_[step.run], step, rows_);
        if (clock_.due(rows_.text().size())) write();
    }
    void finish() {
        write();
        file_.finish();
    }

  private:
    void write() {
        file_.write(rows_.text());
        file_.flush();
        rows_.clear();
    }

    OutputFile file_;
    std::vector<std::string> labels_;
    CsvRow rows_;
    FlushClock clock_;
};

double per_step(double sum, const ComparedRun& run) {
    return sum / static_cast<double>(std::max<std::int64_t>(run.statistics.steps, 1));
}

std::string brief(double x) { return fmt::format("{:.1e}", x); }

struct Column {
    const char* name;
    const char* unit;
    int width;
    std::string (*text)(const ComparedRun& run);
};

constexpr std::array<Column, 17> kColumns = {{
    {"mean", "us", 8,
     [](const ComparedRun& r) {
         return fmt::format("{:.4g}", 1e6 * per_step(r.statistics.seconds, r));
     }},
    {"median", "us", 8,
     [](const ComparedRun& r) {
         return fmt::format("{:.4g}", 1e6 * r.statistics.histogram.quantile(0.5));
     }},
    {"solve", "%", 5,
     [](const ComparedRun& r) { return fmt::format("{:.0f}", 100 * solve_share(r.statistics)); }},
    {"unsolved", "steps", 8,
     [](const ComparedRun& r) { return fmt::format("{}", r.unsolved_steps); }},
    {"fallback", "steps", 8,
     [](const ComparedRun& r) { return fmt::format("{}", r.fallback_steps); }},
    {"contacts", "", 8,
     [](const ComparedRun& r) {
         return fmt::format("{:.1f}", per_step(r.statistics.contacts, r));
     }},
    {"sliding", "", 7,
     [](const ComparedRun& r) {
         return fmt::format("{:.1f}", per_step(r.statistics.quality_sum.sliding, r));
     }},
    {"depth", "m", 8, [](const ComparedRun& r) { return brief(r.statistics.penetration_max); }},
    {"creep", "m/s", 8, [](const ComparedRun& r) { return brief(r.statistics.quality_max.creep); }},
    {"kinetic", "J", 8, [](const ComparedRun& r) { return brief(r.statistics.kinetic_end); }},
    {"drift", "J", 8,
     [](const ComparedRun& r) { return brief(r.statistics.total_end - r.statistics.total_start); }},
    {"residual", "", 8, [](const ComparedRun& r) { return brief(r.statistics.residual_max); }},
    {"natural", "", 8,
     [](const ComparedRun& r) { return brief(r.statistics.quality_max.coulomb_natural); }},
    {"scaled", "", 8,
     [](const ComparedRun& r) { return brief(r.statistics.quality_max.coulomb_scaled); }},
    {"apart", "m", 8, [](const ComparedRun& r) { return brief(r.apart.largest); }},
    {"rms", "m", 8, [](const ComparedRun& r) { return brief(r.apart.rms); }},
    {"steps", "", 8, [](const ComparedRun& r) { return fmt::format("{}", r.statistics.steps); }},
}};

void print_table(const Scene& scene, std::int64_t steps, const std::vector<ComparedRun>& runs) {
    std::size_t width = 3;
    for (const ComparedRun& run : runs) width = std::max(width, run.label.size());
    fmt::print("scene {}: {} steps of {} s\n", scene.name, steps, scene.step.h);
    const auto line = [width](const std::string& label, std::string_view solver, const auto& text) {
        fmt::print("{:<{}} {:<14}", label, width, solver);
        for (const Column& column : kColumns) fmt::print(" {:>{}}", text(column), column.width);
        fmt::print("\n");
    };
    line("run", "solver", [](const Column& column) { return column.name; });
    line("", "", [](const Column& column) { return column.unit; });
    for (const ComparedRun& run : runs) {
        line(run.label, main_solver(run.statistics),
             [&run](const Column& column) { return column.text(run); });
        if (run.info.status != "done") fmt::print("  {}: {}\n", run.info.status, run.info.message);
    }
}

std::vector<ComparedRun> run_all(const CompareOptions& options, const Scene& scene,
                                 const std::vector<Variant>& variants, std::int64_t steps) {
    std::optional<StepRows> rows;
    std::optional<ComparisonPlots> plots;
    if (!options.csv.empty()) rows.emplace(options.csv, variants);
    if (!options.plot.empty()) plots.emplace(variants, steps);
    Progress progress(steps * static_cast<std::int64_t>(variants.size()), !options.quiet);
    CompareObserver observer;
    observer.go_on = [&](std::int64_t done, double time) {
        progress.show(done, time);
        return !interrupted();
    };
    if (rows || plots) {
        observer.row = [&](const ComparedStep& step) {
            if (rows) rows->add(step);
            if (plots) plots->add(step);
        };
    }
    std::vector<ComparedRun> runs =
        compare(scene, variants, {.steps = steps, .threads = options.scene.threads}, observer);
    if (rows) rows->finish();
    if (plots) write_svg(options.plot, plots->figure(scene.name));
    return runs;
}

int compare_models(const CompareOptions& options) {
    const Scene scene = load(options.scene);
    const std::int64_t steps = count_steps(options.length, scene);
    const std::vector<Variant> variants = make_variants(options.variants, scene.contact);
    check_outputs(options);
    catch_interrupts();
    const std::vector<ComparedRun> runs = run_all(options, scene, variants, steps);
    if (!options.json.empty()) {
        const std::string json = comparison_json(scene, steps, runs);
        if (options.json != "-") {
            write_file(options.json, json);
        } else if (std::fputs(json.c_str(), stdout) < 0 || std::fflush(stdout) != 0) {
            throw OutputError("cannot write the summary to standard output");
        }
    }
    if (!options.quiet && options.json != "-") print_table(scene, steps, runs);
    const auto early = std::count_if(
        runs.begin(), runs.end(), [](const ComparedRun& run) { return run.info.status != "done"; });
    if (early == 0) return kExitDone;
    std::fprintf(stderr, "error: %lld of %zu runs ended early\n", static_cast<long long>(early),
                 runs.size());
    return kExitFailed;
}

}  // namespace

Command add_compare_command(CLI::App& app) {
    CLI::App* command =
        add_command(app, "compare", "Run a scene with several contact models and compare them",
                    kCompareExamples);
    auto options = std::make_shared<CompareOptions>();
    add_start_options(*command, options->scene);
    command
        ->add_option("--models", options->variants.models,
                     "Models, separated by commas, each as MODEL or MODEL:SOLVER (default: all, "
                     "the scene's first): " +
                         fmt::format("{}", fmt::join(kContactModelNames, ", ")))
        ->type_name("LIST");
    command
        ->add_option("--solvers", options->variants.solvers,
                     "Solvers, separated by commas: each with every model that it serves and that "
                     "names none itself")
        ->type_name("LIST");
    command->add_option("--tol", options->variants.tolerance,
                        "Tolerance of every model (default: the scene's or the model's own)");
    add_length_options(*command, options->length);
    add_budget_option(*command, options->scene);
    command->add_option("--csv", options->csv, "Write one row per step and run")->type_name("FILE");
    command
        ->add_option("--json", options->json,
                     "Write the summary; - is standard output, instead of the table")
        ->type_name("FILE");
    command
        ->add_option("--plot", options->plot,
                     "Write times, energies, depths, residuals and distances over time, SVG")
        ->type_name("FILE");
    command->add_flag("--quiet", options->quiet, "No progress bar and no table");
    return {command, [options] { return compare_models(*options); }};
}

}  // namespace stiction
