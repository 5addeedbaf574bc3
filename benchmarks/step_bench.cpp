// step_bench.cpp - times a step on shipped scenes (docs/performance.md): step_bench --help.
//
// Each case is warmed up to a typical state, then timed; of several repeats the one with the least
// CPU time is reported. Every row carries iterations, residual and the hash of the end state, so
// that a speed-up that changes the answer shows.
#include <time.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>
#include <exception>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "scene/scene.h"
#include "step/simulation.h"

namespace stiction {

namespace {

using Parameters = std::vector<std::pair<std::string, std::string>>;

struct Case {
    std::string scene;
    Parameters parameters;
    std::string model;
    std::string solver = "auto";
    int boxes = 0;  // dynamic boxes other than grippers
    int threads = 1;
    int steps = 1000;
    int warm_up = 200;      // steps before timing
    std::string note = {};  // what the numbers of the name do not say

    [[nodiscard]] std::string name() const {
        std::string text = scene + std::to_string(boxes) + "/" + model;
        if (solver != "auto") text += "/" + solver;
        if (!note.empty()) text += "/" + note;
        if (threads > 1) text += "/" + std::to_string(threads) + "threads";
        return text;
    }
};

Case grasp(int boxes, const std::string& model, const std::string& solver = "auto") {
    return {.scene = "grasp",
            .parameters = {{"boxes", std::to_string(boxes)}},
            .model = model,
            .solver = solver,
            .boxes = boxes};
}

std::vector<Case> all_cases() {
    std::vector<Case> cases;
    for (const int boxes : {2, 8, 16, 32, 128}) cases.push_back(grasp(boxes, "no_slip"));
    // 100 N per box hold at most 81 boxes: beyond that the pressure on a face cannot balance the
    // bending moment of the row, whatever the contact law, and each step is a collapse. With 400 N
    // the row of 128 rests.
    cases.back().warm_up = 5;
    cases.back().steps = 10;
    cases.push_back(grasp(128, "no_slip"));
    cases.back().parameters.emplace_back("force_per_box", "400");
    cases.back().note = "400N";
    for (const int boxes : {2, 8, 16}) cases.push_back(grasp(boxes, "coulomb_lcp"));
    for (const int boxes : {2, 8}) {
        cases.push_back(grasp(boxes, "coulomb_lcp", "lemke"));
        cases.back().steps = 100;  // of a dense LCP with 6 unknowns per contact
    }
    for (const std::string model : {"no_slip", "coulomb_lcp"}) {
        cases.push_back({.scene = "stack", .parameters = {}, .model = model, .boxes = 10});
        for (const int threads : {1, 2}) {
            cases.push_back({.scene = "islands",
                             .parameters = {},
                             .model = model,
                             .boxes = 300,
                             .threads = threads,
                             .steps = 500});
        }
    }
    return cases;
}

double cpu_now() {  // of all threads of the process [s]
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// What reading the CPU clock costs: it is a system call, not small beside a short step.
double clock_cost() {
    double least = 1;
    for (int i = 0; i < 1000; ++i) {
        const double start = cpu_now();
        least = std::min(least, cpu_now() - start);
    }
    return least;
}

struct Times {
    double mean = 0, p50 = 0, p99 = 0;  // [us]
};

Times summarise(std::vector<double> seconds) {
    std::sort(seconds.begin(), seconds.end());
    const auto quantile = [&](double p) {
        return 1e6 * seconds[static_cast<std::size_t>(p * static_cast<double>(seconds.size() - 1))];
    };
    double sum = 0;
    for (const double s : seconds) sum += s;
    return {1e6 * sum / static_cast<double>(seconds.size()), quantile(0.5), quantile(0.99)};
}

struct Row {
    Times cpu, wall;
    std::array<double, kStageNames.size()> stage{};   // mean wall time [us]
    double iterations = 0, pivots = 0, contacts = 0;  // means
    double residual = 0;                              // largest
    int failures = 0;                                 // islands over all steps
    std::uint64_t hash = 0;
    std::string solver;  // of the last step
};

void checked_step(Simulation& sim) {
    if (step(sim) != StepOutcome::kDone) throw std::runtime_error(describe_failure(sim));
}

Row measure(const Case& c, const Scene& scene, int steps) {
    ContactModel model = make_contact_model(c.model);
    set_solver(model, c.solver);
    Simulation sim =
        make_simulation(scene.model, scene.state, scene.controls, model, scene.step, c.threads);
    for (int i = 0; i < c.warm_up; ++i) checked_step(sim);

    const double reading = clock_cost();
    std::vector<double> cpu, wall;
    cpu.reserve(static_cast<std::size_t>(steps));
    wall.reserve(static_cast<std::size_t>(steps));
    Row row;
    for (int i = 0; i < steps; ++i) {
        const double start = cpu_now();
        checked_step(sim);
        cpu.push_back(cpu_now() - start - reading);
        wall.push_back(sim.frame.step_seconds);
        for (std::size_t s = 0; s < row.stage.size(); ++s) {
            row.stage[s] += 1e6 * sim.frame.seconds[s] / steps;
        }
        const ContactSolution& solution = sim.frame.solution;
        row.iterations += static_cast<double>(solution.iterations) / steps;
        row.pivots += static_cast<double>(solution.pivots) / steps;
        row.contacts += static_cast<double>(sim.frame.contacts.contacts.size()) / steps;
        row.residual = std::max(row.residual, solution.residual);
        row.failures += solution.failures;
    }
    row.cpu = summarise(std::move(cpu));
    row.wall = summarise(std::move(wall));
    row.hash = state_hash(sim.state);
    row.solver = sim.frame.solution.solver;
    return row;
}

Row best_of(const Case& c, int steps, int repeats) {
    SceneOverrides overrides;
    overrides.parameters = c.parameters;
    const Scene scene = load_scene(STICTION_SOURCE_SCENES "/" + c.scene + ".yaml", overrides);
    Row best = measure(c, scene, steps);
    for (int r = 1; r < repeats; ++r) {
        Row row = measure(c, scene, steps);
        if (row.hash != best.hash) throw std::runtime_error(c.name() + ": repeats differ in bits");
        if (row.cpu.mean < best.cpu.mean) best = std::move(row);
    }
    return best;
}

void print_header() {
    std::printf("%-30s %10s %6s %7s | %8s %8s %8s | %8s %8s %8s |", "case", "solver", "steps",
                "us/box", "cpu us", "p50", "p99", "wall us", "p50", "p99");
    for (const std::string_view stage : kStageNames) {
        std::printf(" %9.*s", static_cast<int>(stage.size()), stage.data());
    }
    std::printf(" | %6s %7s %8s %8s  %s\n", "iter", "pivots", "residual", "contacts", "state hash");
}

void print_row(const Case& c, int steps, const Row& row) {
    std::printf("%-30s %10s %6d %7.2f | %8.2f %8.2f %8.2f | %8.2f %8.2f %8.2f |", c.name().c_str(),
                row.solver.c_str(), steps, row.cpu.mean / c.boxes, row.cpu.mean, row.cpu.p50,
                row.cpu.p99, row.wall.mean, row.wall.p50, row.wall.p99);
    for (const double stage : row.stage) std::printf(" %9.2f", stage);
    std::printf(" | %6.2f %7.2f %8.1e %8.1f  %016" PRIx64 "%s\n", row.iterations, row.pivots,
                row.residual, row.contacts, row.hash, row.failures > 0 ? "  UNSOLVED" : "");
    std::fflush(stdout);
}

nlohmann::ordered_json to_json(const Case& c, int steps, const Row& row) {
    nlohmann::ordered_json parameters = nlohmann::ordered_json::object();
    for (const auto& [key, value] : c.parameters) parameters[key] = value;
    nlohmann::ordered_json stages = nlohmann::ordered_json::object();
    for (std::size_t s = 0; s < row.stage.size(); ++s) {
        stages[std::string(kStageNames[s])] = row.stage[s];
    }
    const auto times = [](const Times& t) {
        return nlohmann::ordered_json{{"mean", t.mean}, {"p50", t.p50}, {"p99", t.p99}};
    };
    std::array<char, 17> hash{};
    std::snprintf(hash.data(), hash.size(), "%016" PRIx64, row.hash);
    return {{"case", c.name()},
            {"scene", c.scene},
            {"parameters", parameters},
            {"model", c.model},
            {"solver", row.solver},
            {"boxes", c.boxes},
            {"threads", c.threads},
            {"warm_up", c.warm_up},
            {"steps", steps},
            {"cpu_us", times(row.cpu)},
            {"wall_us", times(row.wall)},
            {"cpu_us_per_box", row.cpu.mean / c.boxes},
            {"stages_us", stages},
            {"iterations", row.iterations},
            {"pivots", row.pivots},
            {"residual", row.residual},
            {"unsolved_islands", row.failures},
            {"contacts", row.contacts},
            {"state_hash", hash.data()}};
}

struct Options {
    std::string filter;  // part of a case's name
    std::string json;    // file
    int steps = 0;       // 0: as the case says
    int repeats = 3;
};

void run(const Options& options) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    print_header();
    for (const Case& c : all_cases()) {
        if (c.name().find(options.filter) == std::string::npos) continue;
        const int steps = options.steps > 0 ? options.steps : c.steps;
        const Row row = best_of(c, steps, options.repeats);
        print_row(c, steps, row);
        rows.push_back(to_json(c, steps, row));
    }
    if (rows.empty()) throw std::runtime_error("no case's name contains '" + options.filter + "'");
    if (options.json.empty()) return;
    std::ofstream file(options.json);
    file << rows.dump(1) << '\n';
    if (!file) throw std::runtime_error("cannot write " + options.json);
}

}  // namespace

}  // namespace stiction

int main(int argc, char** argv) {
    stiction::Options options;
    CLI::App app{"Times a step on shipped scenes: mean, median and 99th percentile per step."};
    app.add_option("--filter", options.filter, "only cases whose name contains this text");
    app.add_option("--json", options.json, "also write the rows to this file");
    app.add_option("--steps", options.steps, "timed steps, instead of each case's own number")
        ->check(CLI::PositiveNumber);
    app.add_option("--repeats", options.repeats, "of which the best is reported")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    CLI11_PARSE(app, argc, argv);
    try {
        stiction::run(options);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "step_bench: %s\n", error.what());
        return 1;
    }
    return 0;
}
