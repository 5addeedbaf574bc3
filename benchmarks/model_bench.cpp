// model_bench.cpp - times a step with each contact model (docs/performance.md): model_bench --help.
//
// All models of a case start from the same state: for spheres a pile that has settled. In every
// round each model starts there anew, takes some steps to warm up and is then timed over the same
// steps as in every other round; rounds alternate between the models, and the round with the least
// CPU time counts, so that other load disturbs all alike. Beside each time stand the steps that
// were not solved and the residuals, for a time means nothing without them.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <exception>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compare/variants.h"
#include "metrics/step_quality.h"
#include "scene/scene.h"
#include "solver_bench/cpu_time.h"
#include "step/simulation.h"

namespace stiction {

namespace {

// Piles settle with this: where they come to rest need not be exact.
constexpr CoulombCone kSettling = {
    .solver = CoulombConeSolver::kPgs, .tolerance = 1e-3, .max_iterations = 100};

struct Case {
    std::string name;
    std::string scene;
    std::vector<std::pair<std::string, std::string>> parameters;
    double settle = 0;  // simulated with kSettling before anything is timed [s]
    int warm_up = 100;  // steps of each model before its rounds
    int steps = 200;    // of a round
    // Of every model; 0: each model's own. A pile is asked for what is enough to see no error.
    double tolerance = 0;
};

std::vector<Case> all_cases() {
    std::vector<Case> cases;
    for (const char* boxes : {"2", "8", "32"}) {
        cases.push_back({.name = "grasp" + std::string(boxes),
                         .scene = "grasp",
                         .parameters = {{"boxes", boxes}}});
    }
    cases.push_back({.name = "stack10", .scene = "stack", .parameters = {}});
    for (const char* count : {"200", "1001"}) {
        cases.push_back({.name = "spheres" + std::string(count),
                         .scene = "granular",
                         .parameters = {{"count", count}},
                         .settle = 1,
                         .warm_up = 3,
                         .steps = 20,
                         .tolerance = 1e-4});
    }
    return cases;
}

struct Options {
    std::string filter;    // part of CASE/MODEL
    double seconds = 2;    // CPU time for each model of a case
    double tolerance = 0;  // 0: as the case says
    bool markdown = false;
};

struct Round {
    double cpu = std::numeric_limits<double>::infinity();  // of all timed steps [s]
    double solve = 0;                                      // share of the solve stage, 0 to 1
    std::uint64_t hash = 0;
};

struct Row {
    std::string model;
    ContactModel contact;
    int steps = 0;  // of a round
    int rounds = 0;
    double spent = 0;  // CPU time of all rounds [s]
    State start;       // of a round, after warming up
    Guess guess;
    Round best;
    // Of the first round; the others take the same steps.
    double contacts = 0;              // per step
    int unsolved = 0, fallbacks = 0;  // steps
    double residual = 0;              // largest, of the model's own law
    double natural = 0, scaled = 0;   // largest, of Coulomb's law
    std::string solver;               // of the last step

    [[nodiscard]] double us_per_step() const { return 1e6 * best.cpu / steps; }
};

void checked_step(Simulation& sim) {
    if (step(sim) != StepOutcome::kDone) throw std::runtime_error(describe_failure(sim));
}

void count(const Simulation& sim, StepQualityWorkspace& workspace, ContactQuality& quality,
           Row& row) {
    const ContactSolution& solution = sim.frame.solution;
    row.contacts += static_cast<double>(sim.frame.contacts.contacts.size());
    row.unsolved += solution.failures > 0 ? 1 : 0;
    row.fallbacks += solution.fallbacks > 0 ? 1 : 0;
    row.residual = std::max(row.residual, solution.residual);
    row.solver = solution.solver;
    measure_quality(sim.frame.problem, solution, {}, workspace, quality);
    row.natural = std::max(row.natural, quality.natural.norm);
    row.scaled = std::max(row.scaled, quality.scaled.norm);
}

// From the state that all models start from to the one where this model's rounds start.
void warm_up(const Case& c, const State& start, Simulation& sim, Row& row) {
    sim.state = start;
    switch_contact_model(sim, row.contact);
    for (int i = 0; i < c.warm_up; ++i) checked_step(sim);
    row.start = sim.state;
    row.guess = sim.guess;
}

// Only the steps themselves are timed. The first round counts and measures as well, and stops early
// when it alone uses up the time; the others take as many steps.
void take_round(const Case& c, const Options& options, Simulation& sim, Row& row) {
    const bool first = row.rounds++ == 0;
    const double reading = clock_cost();
    StepQualityWorkspace workspace;
    ContactQuality quality;
    switch_contact_model(sim, row.contact);
    sim.state = row.start;
    sim.guess = row.guess;
    Round round;
    round.cpu = 0;
    double wall = 0, solve = 0;
    const int most = first ? c.steps : row.steps;
    int taken = 0;
    while (taken < most && !(first && round.cpu > options.seconds)) {
        const double before = cpu_now();
        checked_step(sim);
        round.cpu += std::max(0.0, cpu_now() - before - reading);
        wall += sim.frame.step_seconds;
        solve += sim.frame.seconds[static_cast<std::size_t>(Stage::kSolve)];
        ++taken;
        if (first) count(sim, workspace, quality, row);
    }
    if (first) {
        row.steps = taken;
        row.contacts /= taken;
    }
    round.solve = solve / wall;
    round.hash = state_hash(sim.state);
    if (!first && round.hash != row.best.hash) {
        throw std::runtime_error(c.name + "/" + row.model + ": rounds differ in bits");
    }
    if (first || round.cpu < row.best.cpu) row.best = round;
    row.spent += round.cpu;
}

Scene load_case(const Case& c) {
    SceneOverrides overrides;
    overrides.parameters = c.parameters;
    return load_scene(STICTION_SOURCE_SCENES "/" + c.scene + ".yaml", overrides);
}

std::vector<Row> rows_of(const Case& c, const Options& options) {
    const double tolerance = options.tolerance > 0 ? options.tolerance : c.tolerance;
    std::vector<Row> rows;
    for (const std::string_view model : kContactModelNames) {
        if ((c.name + "/" + std::string(model)).find(options.filter) == std::string::npos) continue;
        Row row;
        row.model = model;
        row.contact = make_contact_model(model);
        if (tolerance > 0) set_tolerance(row.contact, tolerance);
        rows.push_back(std::move(row));
    }
    return rows;
}

// What is being done, where somebody watches: the rows of a case come all at once.
void show(const Case& c, const std::string& what) {
    if (isatty(STDERR_FILENO) == 1)
        std::fprintf(stderr, "\r\033[K%s: %s", c.name.c_str(), what.c_str());
}

void hide() {
    if (isatty(STDERR_FILENO) == 1) std::fputs("\r\033[K", stderr);
}

Simulation settled(const Case& c) {
    Scene scene = load_case(c);
    Simulation sim =
        make_simulation(std::move(scene.model), std::move(scene.state), std::move(scene.controls),
                        kSettling, scene.step, /*threads=*/1);
    const auto steps = static_cast<std::int64_t>(std::lround(c.settle / sim.settings.h));
    for (std::int64_t i = 0; i < steps; ++i) {
        if (i % 10 == 0) show(c, "settles, t = " + std::to_string(sim.state.time) + " s");
        checked_step(sim);
    }
    return sim;
}

std::vector<Row> measure(const Case& c, const Options& options) {
    std::vector<Row> rows = rows_of(c, options);
    if (rows.empty()) return rows;
    Simulation sim = settled(c);
    const State start = sim.state;
    for (bool more = true; more;) {
        more = false;
        for (Row& row : rows) {
            // Another round that is as long as those before must fit in.
            if (row.rounds > 0 && row.spent * (row.rounds + 1) > options.seconds * row.rounds) {
                continue;
            }
            show(c, row.model + ", round " + std::to_string(row.rounds + 1));
            if (row.rounds == 0) warm_up(c, start, sim, row);
            take_round(c, options, sim, row);
            more = true;
        }
    }
    hide();
    return rows;
}

// The quickest model that solved every step; 0 when there is none.
double quickest_time(const std::vector<Row>& rows) {
    double least = 0;
    for (const Row& row : rows) {
        if (row.unsolved > 0) continue;
        if (least == 0 || row.us_per_step() < least) least = row.us_per_step();
    }
    return least;
}

void print_header(bool markdown) {
    if (markdown) {
        std::printf(
            "| case | model | solver | contacts | CPU us per step | ratio | solve %% | steps | "
            "unsolved | fallbacks | residual | natural | scaled |\n"
            "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | "
            "---: |\n");
        std::fflush(stdout);
        return;
    }
    std::printf("%-12s %-16s %-14s %8s %10s %7s %6s %6s %6s %8s %9s %8s %8s %8s  %s\n", "case",
                "model", "solver", "contacts", "cpu us", "ratio", "solve", "steps", "rounds",
                "unsolved", "fallbacks", "residual", "natural", "scaled", "state hash");
    std::fflush(stdout);
}

void print_rows(const Case& c, const std::vector<Row>& rows, bool markdown) {
    const double least = quickest_time(rows);
    for (const Row& row : rows) {
        std::array<char, 16> ratio = {"-"};
        if (least > 0) {
            std::snprintf(ratio.data(), ratio.size(), "%.2f", row.us_per_step() / least);
        }
        if (markdown) {
            std::printf(
                "| `%s` | %s | %s | %.0f | %.1f | %s | %.0f | %d | %d | %d | %.0e | %.0e | %.0e "
                "|\n",
                c.name.c_str(), row.model.c_str(), row.solver.c_str(), row.contacts,
                row.us_per_step(), ratio.data(), 100 * row.best.solve, row.steps, row.unsolved,
                row.fallbacks, row.residual, row.natural, row.scaled);
        } else {
            std::printf(
                "%-12s %-16s %-14s %8.1f %10.2f %7s %5.0f%% %6d %6d %8d %9d %8.1e %8.1e %8.1e  "
                "%016" PRIx64 "\n",
                c.name.c_str(), row.model.c_str(), row.solver.c_str(), row.contacts,
                row.us_per_step(), ratio.data(), 100 * row.best.solve, row.steps, row.rounds,
                row.unsolved, row.fallbacks, row.residual, row.natural, row.scaled, row.best.hash);
        }
        std::fflush(stdout);
    }
}

void run(const Options& options) {
    bool any = false;
    print_header(options.markdown);
    for (const Case& c : all_cases()) {
        const std::vector<Row> rows = measure(c, options);
        any = any || !rows.empty();
        print_rows(c, rows, options.markdown);
    }
    if (!any) throw std::runtime_error("no CASE/MODEL contains '" + options.filter + "'");
}

}  // namespace

}  // namespace stiction

int main(int argc, char** argv) {
    stiction::Options options;
    CLI::App app{
        "Times a step with every contact model from the same state: CPU time of the best round, "
        "ratio to the quickest model of the case that solved every step, and accuracy."};
    app.add_option("--filter", options.filter, "only where CASE/MODEL contains this text");
    app.add_option("--seconds", options.seconds,
                   "CPU time for each model of a case, spent in rounds; at least one round")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    app.add_option("--tol", options.tolerance,
                   "tolerance of every model (default: 1e-4 for spheres, otherwise its own)")
        ->check(CLI::PositiveNumber);
    app.add_flag("--markdown", options.markdown, "print a Markdown table");
    CLI11_PARSE(app, argc, argv);
    try {
        stiction::run(options);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "model_bench: %s\n", error.what());
        return 1;
    }
    return 0;
}
