// solve_command.cpp - stiction solve: solves stored Coulomb cone problems from a cold start with
// the solvers asked for, and tells how long it took and how good the answers are.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "app/command_line.h"
#include "app/commands.h"
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

void check_options(const SolveOptions& options) {
    if (!(options.tolerance > 0 && std::isfinite(options.tolerance))) {
        throw InputError("--tol: must be a finite number > 0");
    }
    if (options.repeats < 1 || options.repeats > kMaxRepeats) {
        throw InputError("--repeats " + std::to_string(options.repeats) + ": expected 1 to " +
                         std::to_string(kMaxRepeats));
    }
    std::vector<std::string> outputs = {options.csv, options.plot};
    if (options.json != "-") outputs.push_back(options.json);
    if (!options.profile.empty()) {
        outputs.push_back(options.profile + ".csv");
        outputs.push_back(options.profile + ".svg");
    }
    std::set<std::string> names(options.files.begin(), options.files.end());
    for (const std::string& output : outputs) {
        if (output.empty()) continue;
        check_writable(output);
        if (!names.insert(output).second) {
            throw InputError("'" + output + "': an output has the same name as another file");
        }
    }
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

void write_outputs(const SolveOptions& options, const std::vector<SolveRow>& rows,
                   const std::vector<std::string>& solvers) {
    if (options.json == "-") {
        std::fputs(table_json(rows).c_str(), stdout);
    } else if (!options.json.empty()) {
        write_file(options.json, table_json(rows));
    }
    if (!options.csv.empty()) write_file(options.csv, table_csv(rows));
    if (!options.plot.empty()) {
        write_svg(options.plot, table_figure(rows, solvers, options.tolerance));
    }
    if (!options.profile.empty()) {
        const PerformanceProfile profile = table_profile(rows, solvers);
        write_file(options.profile + ".csv", profile_csv(profile));
        write_svg(options.profile + ".svg", profile_plot(profile));
    }
}

int solve_files(const SolveOptions& options) {
    const std::vector<ConeSolver> solvers = parse_solvers(options.solvers);
    check_options(options);
    std::vector<ConeProblem> problems;
    std::size_t width = 4;
    for (const std::string& file : options.files) {
        problems.push_back(read_cone_problem(file));
        width = std::max(width, problem_name(file).size());
    }
    const bool table = options.json != "-";
    if (table) fmt::print("{}", table_header(width));
    std::vector<SolveRow> rows;
    for (std::size_t p = 0; p < problems.size(); ++p) {
        for (const ConeSolver solver : solvers) {
            rows.push_back(solve(options.files[p], problems[p], solver, options));
            if (table) fmt::print("{}", table_line(rows.back(), width));
            std::fflush(stdout);
        }
    }
    std::vector<std::string> names;
    for (const ConeSolver solver : solvers) names.emplace_back(name(solver));
    if (table && problems.size() > 1) {
        fmt::print("\n{}", profile_summary(table_profile(rows, names)));
    }
    write_outputs(options, rows, names);
    const auto missed =
        std::count_if(rows.begin(), rows.end(), [](const SolveRow& row) { return !row.reached; });
    if (missed == 0) return kExitDone;
    std::fprintf(stderr, "error: %lld of %zu solves did not reach the tolerance %g\n",
                 static_cast<long long>(missed), rows.size(), options.tolerance);
    return kExitFailed;
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
