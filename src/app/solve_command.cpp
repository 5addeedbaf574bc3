// solve_command.cpp - stiction solve: solves stored Coulomb cone problems from a cold start with
// the solvers asked for, and tells how long it took and how good the answers are.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/command_line.h"
#include "app/commands.h"
#include "app/dataset_solves.h"
#include "app/interrupt.h"
#include "app/messages.h"
#include "app/solve_table.h"
#include "core/error.h"
#include "core/nearest.h"
#include "core/thread_clock.h"
#include "metrics/contact_quality.h"
#include "problem_files/dataset.h"
#include "problem_files/problem_file.h"
#include "record/output_file.h"
#include "scene/find_scene.h"
#include "solve/cone/cone_solver.h"

namespace stiction {

namespace {

constexpr const char* kSolveExamples =
    "  stiction solve RockPile_tob1.dat\n"
    "  stiction solve problems/*.dat --solvers prox_newton,newton,pgs --profile compared\n"
    "  stiction solve Capsules.hdf5 --tol 1e-10 --json -\n"
    "  stiction solve                                       what ships: stick_slip, arch ...\n"
    "  stiction solve wall.h5                               frames again, as they were recorded\n"
    "  stiction solve wall.h5 --frames 1:20 --solvers pgs,prox_newton --csv wall.csv";

constexpr int kMaxRepeats = 1'000'000;  // kRepeatSeconds ends them long before
constexpr double kRepeatSeconds = 0.2;  // CPU time after which a solve is not repeated

struct SolveOptions {
    std::vector<std::string> files;
    std::string solvers = std::string(name(ConeSolver::kProxNewton));
    double tolerance = SolveSettings{}.tolerance;
    int repeats = 20;
    std::string json, csv, plot, profile;  // empty: not wanted
};

// As typed; what is not given is another thing for stored problems than for datasets.
struct SolveWords {
    SolveOptions common;
    DatasetOptions dataset;
    std::string solvers;
    std::optional<double> tolerance;
    std::optional<int> repeats;
};

std::vector<ConeSolver> parse_solvers(const std::string& list) {
    std::vector<ConeSolver> solvers;
    for (std::size_t from = 0; from <= list.size();) {
        const std::size_t comma = std::min(list.find(',', from), list.size());
        const std::string word = list.substr(from, comma - from);
        const std::optional<ConeSolver> solver = find_cone_solver(word);
        if (!solver) {
            throw InputError("--solvers: unknown solver '" + word + "'" +
                             suggestion(word, {kConeSolverNames.begin(), kConeSolverNames.end()}));
        }
        if (std::find(solvers.begin(), solvers.end(), *solver) != solvers.end()) {
            throw InputError("--solvers: '" + std::string(name(*solver)) + "' is named twice");
        }
        solvers.push_back(*solver);
        from = comma + 1;
    }
    return solvers;
}

std::vector<std::string> output_files(const SolveOptions& options) {
    std::vector<std::string> files;
    for (const std::string& path : {options.csv, options.plot, options.json}) {
        if (!path.empty() && path != "-") files.push_back(path);
    }
    if (options.profile.empty()) return files;
    files.push_back(options.profile + ".csv");
    files.push_back(options.profile + ".svg");
    return files;
}

void check_options(const SolveOptions& options) {
    if (!(options.tolerance > 0 && std::isfinite(options.tolerance))) {
        throw InputError("--tol: must be a finite number > 0");
    }
    if (options.repeats < 1 || options.repeats > kMaxRepeats) {
        throw InputError("--repeats " + std::to_string(options.repeats) + ": expected 1 to " +
                         std::to_string(kMaxRepeats));
    }
    if (options.csv == "-" || options.plot == "-")
        throw InputError("only --json can go to standard output (-)");
    const std::vector<std::string> outputs = output_files(options);
    for (const std::string& output : outputs) check_writable(output);
    check_distinct(outputs, options.files);
}

// Every repeat begins with an empty workspace, so that its allocations count.
double least_seconds(ConeSolver solver, const ConeProblem& problem, const SolveOptions& options,
                     ConeResult& result) {
    SolveSettings settings;
    settings.tolerance = options.tolerance;
    double least = std::numeric_limits<double>::infinity();
    double spent = 0;
    for (int i = 0; i < options.repeats && spent < kRepeatSeconds; ++i) {
        ConeWorkspace workspace;
        result = {};
        const double start = cpu_now();
        solve_cone(solver, problem, settings, VecX(), workspace, result);
        const double seconds = cpu_now() - start;
        least = std::min(least, seconds);
        spent += seconds;
    }
    return least;
}

// The answer is judged by its impulses alone, not by what the solver says of it.
SolveRow solve(const std::string& file, const ConeProblem& problem, ConeSolver solver,
               const SolveOptions& options) {
    ConeResult result;
    SolveRow row;
    row.cpu_ms = 1e3 * least_seconds(solver, problem, options, result);
    multiply_add(problem.W, result.r, problem.q, result.u);
    VecX weight;
    ContactQuality quality;
    measure_quality(problem, result, {}, weight, quality);
    row.file = file;
    row.contacts = problem.contacts();
    row.solver = name(solver);
    row.iterations = result.iterations;
    row.natural = quality.natural.norm;
    row.scaled = quality.scaled.norm;
    row.un_min = quality.min_normal_velocity;
    row.cone = quality.relative_cone;
    row.misalign = quality.misalignment;
    row.reached = row.natural <= options.tolerance && row.scaled <= options.tolerance;
    const bool inaccurate = result.status == SolveStatus::kSolved && !row.reached;
    row.status = inaccurate ? "inaccurate" : std::string(name(result.status));
    return row;
}

// The solves and what is written of them. keep() ends them from another thread, inside a solve;
// what both touch is changed under the keeper's lock.
class OngoingSolves {
  public:
    OngoingSolves(const SolveOptions& options, const std::vector<ConeSolver>& solvers);
    int run(const std::vector<ConeProblem>& problems);

  private:
    void add(const SolveRow& row, std::size_t width);
    void write_csv_row(const std::function<void(CsvRow&)>& fill);
    void write_outputs();
    int finish(const std::string& ended);
    template <class Write>
    void attempt(const Write& write);

    const SolveOptions& options_;
    std::vector<ConeSolver> solvers_;
    std::vector<std::string> names_;  // of the solvers
    std::size_t wanted_;              // solves
    std::vector<SolveRow> rows_;
    std::optional<OutputFile> csv_;  // NAME.part has every solve that is done
    std::string problems_;           // of the outputs
    Keeper keeper_;
};

OngoingSolves::OngoingSolves(const SolveOptions& options, const std::vector<ConeSolver>& solvers)
    : options_(options),
      solvers_(solvers),
      wanted_(options.files.size() * solvers.size()),
      keeper_([this] { finish("interrupted"); }) {
    const auto lock = Keeper::lock();
    for (const ConeSolver solver : solvers) names_.emplace_back(name(solver));
    if (!options.csv.empty()) csv_.emplace(options.csv);
    write_csv_row(add_csv_header);
}

// An output that fails does not keep the others from being completed.
template <class Write>
void OngoingSolves::attempt(const Write& write) {
    try {
        write();
    } catch (const OutputError& error) {
        problems_ = join_problems(problems_, error.what());
    }
}

void OngoingSolves::write_csv_row(const std::function<void(CsvRow&)>& fill) {
    if (!csv_) return;
    CsvRow row;
    fill(row);
    try {
        csv_->write(row.text());
        csv_->flush();
    } catch (const OutputError& error) {
        csv_.reset();
        problems_ = join_problems(problems_, error.what());
    }
}

void OngoingSolves::add(const SolveRow& row, std::size_t width) {
    const auto lock = Keeper::lock();
    rows_.push_back(row);
    if (options_.json != "-") attempt([&] { write_standard_output(table_line(row, width)); });
    write_csv_row([&row](CsvRow& csv) { add_csv_row(row, csv); });
}

void OngoingSolves::write_outputs() {
    if (options_.json == "-") {
        attempt([&] { write_standard_output(table_json(rows_)); });
    } else if (!options_.json.empty()) {
        attempt([&] { write_file(options_.json, table_json(rows_)); });
    }
    if (csv_) attempt([&] { csv_->finish(); });
    if (!options_.plot.empty()) {
        attempt([&] { write_svg(options_.plot, table_figure(rows_, names_, options_.tolerance)); });
    }
    if (options_.profile.empty()) return;
    const PerformanceProfile profile = table_profile(rows_, names_);
    attempt([&] { write_file(options_.profile + ".csv", profile_csv(profile)); });
    attempt([&] { write_svg(options_.profile + ".svg", profile_plot(profile)); });
}

// `ended`: why not all was done; empty: all was.
int OngoingSolves::finish(const std::string& ended) {
    write_outputs();
    const auto missed =
        std::count_if(rows_.begin(), rows_.end(), [](const SolveRow& row) { return !row.reached; });
    std::string message = problems_;
    if (!ended.empty()) {
        message = join_problems(
            fmt::format("{} after {} of {} solves", ended, rows_.size(), wanted_), problems_);
    } else if (missed > 0) {
        message = join_problems(fmt::format("{} of {} solves did not reach the tolerance {:g}",
                                            missed, rows_.size(), options_.tolerance),
                                problems_);
    }
    if (message.empty()) return kExitDone;
    print_error(message);
    return kExitFailed;
}

int OngoingSolves::run(const std::vector<ConeProblem>& problems) {
    std::size_t width = 4;
    for (const std::string& file : options_.files)
        width = std::max(width, problem_name(file).size());
    const bool table = options_.json != "-";
    std::string ended;
    try {
        if (table) fmt::print("{}", table_header(width));
        for (std::size_t p = 0; p < problems.size() && ended.empty(); ++p) {
            for (std::size_t s = 0; s < solvers_.size() && ended.empty(); ++s) {
                add(solve(options_.files[p], problems[p], solvers_[s], options_), width);
                if (interrupted() && rows_.size() < wanted_) ended = "interrupted";
            }
        }
        if (table && problems.size() > 1 && ended.empty())
            fmt::print("\n{}", profile_summary(table_profile(rows_, names_)));
    } catch (const std::exception& error) {
        ended = message_of(error);
    }
    end_by_itself();
    return finish(ended);
}

int solve_problems(const SolveOptions& options) {
    const std::vector<ConeSolver> solvers = parse_solvers(options.solvers);
    check_options(options);
    std::vector<ConeProblem> problems;
    for (const std::string& file : options.files) problems.push_back(read_cone_problem(file));
    return OngoingSolves(options, solvers).run(problems);
}

int solve_frames(const SolveWords& words) {
    DatasetOptions options = words.dataset;
    options.files = words.common.files;
    options.solvers = words.solvers;
    options.tolerance = words.tolerance;
    options.repeats = words.repeats.value_or(1);
    options.json = words.common.json;
    options.csv = words.common.csv;
    options.profile = words.common.profile;
    if (!words.common.plot.empty())
        throw InputError("--plot: is for stored problems; of datasets, stiction compare --report");
    return solve_datasets(options);
}

// What ships, for somebody who has no file yet.
int name_problems() {
    const std::string folder = problems_folder();
    std::vector<std::string> files;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
        if (entry.path().extension() == ".h5") files.push_back(entry.path().string());
    }
    if (files.empty()) throw InputError("FILE: expected contact problems to solve; none ship here");
    std::sort(files.begin(), files.end());
    std::string text = "stiction solve FILE... solves contact problems; these ship, by name:\n";
    for (const std::string& file : files) {
        const Dataset dataset(file);
        std::uint64_t contacts = 0;
        for (std::size_t k = 0; k < dataset.size(); ++k)
            contacts = std::max(contacts, dataset.contacts(k));
        text += fmt::format("  {:<14} {:>2} frames, up to {:>3} contacts\n",
                            std::filesystem::path(file).stem().string(), dataset.size(), contacts);
    }
    write_standard_output(text);
    return kExitDone;
}

int solve_files(SolveWords words) {
    if (words.common.files.empty()) return name_problems();
    for (std::string& file : words.common.files) file = find_problem(file);
    const std::vector<std::string>& files = words.common.files;
    const auto datasets = static_cast<std::size_t>(std::count_if(
        files.begin(), files.end(), [](const std::string& f) { return is_dataset(f); }));
    if (datasets == files.size()) return solve_frames(words);
    if (datasets > 0)
        throw InputError("some files are datasets and some are single problems; expected one kind");
    SolveOptions options = words.common;
    if (!words.solvers.empty()) options.solvers = words.solvers;
    options.tolerance = words.tolerance.value_or(options.tolerance);
    options.repeats = words.repeats.value_or(options.repeats);
    return solve_problems(options);
}

}  // namespace

Command add_solve_command(CLI::App& app) {
    CLI::App* command = add_command(
        app, "solve", "Solve stored contact problems, judge and time the answers", kSolveExamples);
    auto words = std::make_shared<SolveWords>();
    SolveOptions& options = words->common;
    DatasetOptions& dataset = words->dataset;
    command->add_option("FILE", options.files,
                        "Problems: .dat text, FCLIB HDF5, or datasets of frames (.h5, .h5.part); "
                        "without any, those that ship are named");
    command
        ->add_option("--models", dataset.models,
                     "Of datasets: contact models, each as MODEL or MODEL:SOLVER (default, without "
                     "--solvers: that of the frame, from its stored start)")
        ->type_name("LIST");
    command
        ->add_option("--solvers", words->solvers,
                     "Solvers, separated by commas. Of single problems (default prox_newton): " +
                         fmt::format("{}", fmt::join(kConeSolverNames, ", ")) +
                         "; of datasets: those of --models, or any with the first model it serves")
        ->type_name("LIST");
    command->add_option("--tol", words->tolerance,
                        "Tolerance on both residuals (default 1e-8), of datasets of each law's own "
                        "(default: the model's)");
    command->add_option("--repeats", words->repeats,
                        "Most repeats of a solve, within 0.2 s, of which the least time counts "
                        "(default 20, of datasets 1)");
    command->add_option("--time-budget", dataset.time_budget,
                        "Of datasets: longest time of a solve [s]");
    command->add_option("--threads", dataset.threads, "Of datasets: frames solved at a time")
        ->capture_default_str();
    command->add_flag("--list", dataset.list, "Of datasets: only list the frames");
    add_dataset_options(*command, dataset);
    command->add_option("--json", options.json, "Write the results; - is standard output")
        ->type_name("FILE");
    command->add_option("--csv", options.csv, "Write one row per problem and solver")
        ->type_name("FILE");
    command->add_option("--plot", options.plot, "Write times and residuals as bars, SVG")
        ->type_name("FILE");
    command
        ->add_option("--profile", options.profile,
                     "Write the performance profile to NAME.csv and NAME.svg")
        ->type_name("NAME");
    return {command, [words] { return solve_files(*words); }};
}

}  // namespace stiction
