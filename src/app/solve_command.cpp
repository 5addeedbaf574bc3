// solve_command.cpp - stiction solve: solves stored Coulomb cone problems from a cold start with
// the solvers asked for, and tells how long it took and how good the answers are.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/command_line.h"
#include "app/commands.h"
#include "app/interrupt.h"
#include "app/messages.h"
#include "app/solve_table.h"
#include "core/error.h"
#include "core/nearest.h"
#include "core/thread_clock.h"
#include "metrics/contact_quality.h"
#include "problem_files/problem_file.h"
#include "record/output_file.h"
#include "solve/cone/cone_solver.h"

namespace stiction {

namespace {

constexpr const char* kSolveExamples =
    "  stiction solve RockPile_tob1.dat\n"
    "  stiction solve problems/*.dat --solvers prox_newton,newton,pgs --profile compared\n"
    "  stiction solve Capsules.hdf5 --tol 1e-10 --json -";

constexpr int kMaxRepeats = 1'000'000;  // kRepeatSeconds ends them long before
constexpr double kRepeatSeconds = 0.2;  // CPU time after which a solve is not repeated

struct SolveOptions {
    std::vector<std::string> files;
    std::string solvers = std::string(name(ConeSolver::kProxNewton));
    double tolerance = SolveSettings{}.tolerance;
    int repeats = 20;
    std::string json, csv, plot, profile;  // empty: not wanted
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
        ended = error.what();
    }
    end_by_itself();
    return finish(ended);
}

int solve_files(const SolveOptions& options) {
    const std::vector<ConeSolver> solvers = parse_solvers(options.solvers);
    check_options(options);
    std::vector<ConeProblem> problems;
    for (const std::string& file : options.files) problems.push_back(read_cone_problem(file));
    return OngoingSolves(options, solvers).run(problems);
}

}  // namespace

Command add_solve_command(CLI::App& app) {
    CLI::App* command = add_command(
        app, "solve", "Solve stored contact problems, judge and time the answers", kSolveExamples);
    auto options = std::make_shared<SolveOptions>();
    command->add_option("FILE", options->files, "Problems: .dat text or FCLIB HDF5")->required();
    command
        ->add_option(
            "--solvers", options->solvers,
            "Solvers, separated by commas: " + fmt::format("{}", fmt::join(kConeSolverNames, ", ")))
        ->capture_default_str();
    command->add_option("--tol", options->tolerance, "Tolerance on both residuals")
        ->capture_default_str();
    command
        ->add_option("--repeats", options->repeats,
                     "Most repeats of a solve, within 0.2 s; the least time counts")
        ->capture_default_str();
    command->add_option("--json", options->json, "Write the results; - is standard output")
        ->type_name("FILE");
    command->add_option("--csv", options->csv, "Write one row per problem and solver")
        ->type_name("FILE");
    command->add_option("--plot", options->plot, "Write times and residuals as bars, SVG")
        ->type_name("FILE");
    command
        ->add_option("--profile", options->profile,
                     "Write the performance profile to NAME.csv and NAME.svg")
        ->type_name("NAME");
    return {command, [options] { return solve_files(*options); }};
}

}  // namespace stiction
