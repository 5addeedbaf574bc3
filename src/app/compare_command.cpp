// compare_command.cpp - stiction compare: one scene with several contact models and solvers.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "app/command_line.h"
#include "app/commands.h"
#include "app/dataset_solves.h"
#include "app/interrupt.h"
#include "app/messages.h"
#include "app/progress.h"
#include "compare/compare.h"
#include "compare/compare_files.h"
#include "core/error.h"
#include "core/printable.h"
#include "problem_files/dataset.h"
#include "problem_files/problem_file.h"
#include "record/output_file.h"
#include "scene/find_scene.h"

namespace stiction {

namespace {

constexpr const char* kCompareExamples =
    "  stiction compare stack --time 1\n"
    "  stiction compare grasp --set boxes=8 --models no_slip,coulomb_cone,max_dissipation\n"
    "  stiction compare ramp --models coulomb_lcp,coulomb_cone --csv ramp.csv --plot ramp.svg\n"
    "  stiction compare grasp --models no_slip,coulomb_lcp:lemke,coulomb_lcp:pgs --json -\n"
    "  stiction compare wall --models coulomb_cone --solvers prox_newton,newton,pgs --tol 1e-6\n"
    "  stiction compare wall.h5 --solvers pgs,pgs_sm,newton,split --report wall.html   a dataset\n"
    "  stiction compare stack --narrowphases exact,bullet --time 1\n"
    "The columns are described in docs/output-formats.md. Exit status 1: a run ended early.";

struct CompareOptions {
    SceneOptions scene;
    VariantOptions variants;
    LengthOptions length;
    std::string csv, json, plot;  // empty: not wanted
    bool quiet = false;
    DatasetOptions dataset;  // where the scene is one
};

bool is_frames(const std::string& path) {
    std::error_code error;
    if (std::filesystem::is_regular_file(path, error))
        return starts_as_hdf5(path) || is_dataset(path);
    if (path.ends_with(".h5") || path.ends_with(".h5.part") || path.ends_with(".hdf5"))
        throw InputError(path + (std::filesystem::exists(path, error) ? ": is not a plain file"
                                                                      : ": no such file"));
    return false;
}

void check_outputs(const CompareOptions& options, const Scene& scene) {
    for (const std::string& path : {options.csv, options.plot}) {
        if (path == "-") throw InputError("only --json can go to standard output (-)");
    }
    for (const std::string& path : {options.csv, options.json, options.plot}) {
        if (!path.empty() && path != "-") check_writable(path);
    }
    check_distinct({options.csv, options.json, options.plot}, scene.files);
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

// Where narrowphases are compared.
constexpr std::array<Column, 5> kNarrowphaseColumns = {{
    {"collide", "us", 8,
     [](const ComparedRun& r) {
         const auto stage = static_cast<std::size_t>(Stage::kCollide);
         return fmt::format("{:.4g}", 1e6 * per_step(r.statistics.stage_seconds[stage], r));
     }},
    {"gap off", "m", 8, [](const ComparedRun& r) { return brief(r.contacts.gap); }},
    {"n off", "rad", 8, [](const ComparedRun& r) { return brief(r.contacts.normal); }},
    {"unseen", "pairs", 8,
     [](const ComparedRun& r) { return fmt::format("{}", r.contacts.unmatched); }},
    {"bullet", "pairs", 9,
     [](const ComparedRun& r) { return fmt::format("{}", r.statistics.bullet_pairs); }},
}};

void print_table(const Scene& scene, std::int64_t steps, bool narrowphases,
                 const std::vector<ComparedRun>& runs) {
    std::size_t width = 3;
    for (const ComparedRun& run : runs) width = std::max(width, run.label.size());
    fmt::print("scene {}: {} steps of {} s\n", printable(scene.name), steps, scene.step.h);
    const auto line = [width, narrowphases](const std::string& label, std::string_view solver,
                                            const auto& text) {
        fmt::print("{:<{}} {:<14}", label, width, solver);
        for (const Column& column : kColumns) fmt::print(" {:>{}}", text(column), column.width);
        for (const Column& column : kNarrowphaseColumns) {
            if (narrowphases) fmt::print(" {:>{}}", text(column), column.width);
        }
        fmt::print("\n");
    };
    line("run", "solver", [](const Column& column) { return column.name; });
    line("", "", [](const Column& column) { return column.unit; });
    for (const ComparedRun& run : runs) {
        line(run.label, main_solver(run.statistics),
             [&run](const Column& column) { return column.text(run); });
        if (run.info.status != "done")
            fmt::print("  {}: {}\n", run.info.status, printable(run.info.message));
    }
}

// The comparison and what it writes. keep() ends it from another thread, inside a step; what both
// touch is changed under the keeper's lock.
class OngoingComparison {
  public:
    OngoingComparison(const CompareOptions& options, const Scene& scene,
                      const std::vector<Variant>& variants, std::int64_t steps);
    int run();

  private:
    void keep();
    int write(const std::vector<ComparedRun>& runs);
    void add(const ComparedStep& step);
    template <class Write>
    void attempt(const Write& write);

    const CompareOptions& options_;
    const Scene& scene_;
    std::int64_t steps_;
    Progress progress_;
    std::optional<StepRows> rows_;
    std::optional<ComparisonPlots> plots_;
    CompareObserver observer_;
    std::optional<Comparison> comparison_;
    std::string problems_;  // of the outputs
    Keeper keeper_;
};

OngoingComparison::OngoingComparison(const CompareOptions& options, const Scene& scene,
                                     const std::vector<Variant>& variants, std::int64_t steps)
    : options_(options),
      scene_(scene),
      steps_(steps),
      progress_(steps * static_cast<std::int64_t>(variants.size()), !options.quiet),
      keeper_([this] { keep(); }) {
    observer_.go_on = [this](std::int64_t done, double time) {
        progress_.show(done, time);
        return !interrupted();
    };
    observer_.lock = Keeper::lock;
    observer_.row = [this](const ComparedStep& step) { add(step); };
    const auto lock = Keeper::lock();
    comparison_.emplace(scene, variants, CompareSettings{steps, options.scene.threads, {}},
                        observer_);
    if (!options.plot.empty()) plots_.emplace(variants, steps);
    if (!options.csv.empty()) rows_.emplace(options.csv, variants);
}

// An output that fails does not keep the others from being completed.
template <class Write>
void OngoingComparison::attempt(const Write& write) {
    try {
        write();
    } catch (const OutputError& error) {
        problems_ = join_problems(problems_, error.what());
    }
}

void OngoingComparison::add(const ComparedStep& step) {
    if (plots_) plots_->add(step);
    if (!rows_) return;
    try {
        rows_->add(step);
    } catch (const OutputError&) {
        rows_.reset();  // NAME.part is as far as it got
        throw;
    }
}

int OngoingComparison::run() {
    std::vector<ComparedRun> runs;
    try {
        runs = comparison_->run();
        end_by_itself();
    } catch (const std::exception& error) {  // a full disk, no memory: what there is is kept
        end_by_itself();
        problems_ = message_of(error);
        runs = comparison_->so_far();
    }
    return write(runs);
}

void OngoingComparison::keep() {
    if (!comparison_) throw std::runtime_error("interrupted");
    write(comparison_->so_far());
}

int OngoingComparison::write(const std::vector<ComparedRun>& runs) {
    progress_.hide();
    if (rows_) attempt([&] { rows_->finish(); });
    if (plots_) attempt([&] { write_svg(options_.plot, plots_->figure(scene_.name)); });
    if (!options_.json.empty()) {
        attempt([&] {
            const std::string json = comparison_json(scene_, steps_, runs);
            if (options_.json == "-") {
                write_standard_output(json);
            } else {
                write_file(options_.json, json);
            }
        });
    }
    if (!options_.quiet && options_.json != "-") {
        print_table(scene_, steps_, !options_.variants.narrowphases.empty(), runs);
    }
    const auto early = std::count_if(
        runs.begin(), runs.end(), [](const ComparedRun& run) { return run.info.status != "done"; });
    if (early == 0 && problems_.empty()) return kExitDone;
    const std::string ended =
        early == 0 ? "" : fmt::format("{} of {} runs ended early", early, runs.size());
    print_error(join_problems(ended, problems_));
    return kExitFailed;
}

int compare_solvers(const CompareOptions& options) {
    DatasetOptions dataset = options.dataset;
    dataset.files = {find_problem(options.scene.scene)};
    dataset.models = options.variants.models;
    dataset.solvers = options.variants.solvers;
    dataset.tolerance = options.variants.tolerance;
    dataset.time_budget = options.scene.time_budget.value_or(0);
    dataset.threads = options.scene.threads;
    dataset.csv = options.csv;
    dataset.json = options.json;
    dataset.quiet = options.quiet;
    dataset.totals_only = true;
    if (dataset.models.empty() && dataset.solvers.empty())
        throw InputError(
            "--solvers: name what is to be compared on a dataset, as pgs,newton,split");
    if (!options.plot.empty())
        throw InputError("--plot: is for scenes; of a dataset, --report FILE has the plots");
    if (options.length.time || options.length.steps)
        throw InputError("--time and --steps are for scenes; of a dataset, --frames A:B");
    return solve_datasets(dataset);
}

int compare_models(const CompareOptions& options) {
    if (is_frames(options.scene.scene)) return compare_solvers(options);
    const Scene scene = load(options.scene);
    const DatasetOptions& d = options.dataset;
    if (!d.report.empty() || !d.profile.empty() || !d.frames.empty() || d.equal_work)
        throw InputError("--report, --profile, --frames and --equal-work are for datasets");
    const std::int64_t steps = count_steps(options.length, scene);
    const std::vector<Variant> variants = make_variants(options.variants, scene.contact);
    check_outputs(options, scene);
    return OngoingComparison(options, scene, variants, steps).run();
}

}  // namespace

Command add_compare_command(CLI::App& app) {
    CLI::App* command = add_command(
        app, "compare", "Compare contact models on a scene, or solvers on a dataset of frames",
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
    command
        ->add_option("--narrowphases", options->variants.narrowphases,
                     "Narrowphases, separated by commas: exact, bullet. Every model with each "
                     "(default models: the scene's)")
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
    add_dataset_options(*command, options->dataset);
    command->add_flag("--equal-work", options->dataset.equal_work,
                      "Of datasets: every solver gets the time that the first takes");
    command
        ->add_option("--report", options->dataset.report,
                     "Of datasets: write a page with pictures of every solver, HTML")
        ->type_name("FILE");
    command
        ->add_option("--profile", options->dataset.profile,
                     "Of datasets: write the performance profile to NAME.csv and NAME.svg")
        ->type_name("NAME");
    command->add_flag("--quiet", options->quiet, "No progress bar and no table");
    return {command, [options] {
                options->scene.scene = find_problem_unless_scene(options->scene.scene);
                return compare_models(*options);
            }};
}

}  // namespace stiction
