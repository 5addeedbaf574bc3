// law_bench.cpp - what the contact laws cost on one scene: law_bench --help.
//
// A structure that stands under one law and collapses under another costs the second one more
// whatever its solver: bodies at rest have last step's answer. So every law is timed twice, in its
// own motion, and on the same steps: those of the law that leads, from whose state every other takes
// its step with the warm start of its own last answer, and is set back. CPU time of whole steps,
// over that of the first law.
#include <time.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "scene/scene.h"
#include "step/simulation.h"

namespace stiction {

namespace {

struct Options {
    std::string scene;
    std::vector<std::string> parameters;
    std::vector<std::string> laws = {"coulomb_cone", "max_dissipation"};
    std::string leader = "max_dissipation";
    int steps = 300;
    double h = 0;  // 0: the scene's [s]
    double tolerance = 0;
};

double cpu_now() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

struct Cost {
    double seconds = 0, longest = 0, iterations = 0, residual = 0;
    int steps = 0, unsolved = 0;

    void add(const Simulation& sim, double spent) {
        const ContactSolution& solution = sim.frame.solution;
        seconds += spent;
        longest = std::max(longest, spent);
        iterations += solution.iterations;
        residual = std::max(residual, solution.residual);
        unsolved += solution.status != SolveStatus::kSolved;
        ++steps;
    }
    [[nodiscard]] double mean() const { return seconds / std::max(1, steps); }
};

void timed_step(Simulation& sim, Cost& cost) {
    const double start = cpu_now();
    if (step(sim) != StepOutcome::kDone) throw std::runtime_error(describe_failure(sim));
    cost.add(sim, cpu_now() - start);
}

Simulation simulate(const Options& options, const Scene& scene, const std::string& law) {
    ContactModel model = make_contact_model(law);
    if (options.tolerance > 0) std::visit([&](auto& m) { m.tolerance = options.tolerance; }, model);
    return make_simulation(scene.model, scene.state, scene.controls, model, scene.step, 1);
}

void print(const std::string& motion, const std::string& law, const Cost& cost, double first) {
    std::printf("| %s | %s | %.1f | %.2f | %.1f | %.1f | %d of %d | %.0e |\n", motion.c_str(),
                law.c_str(), 1e6 * cost.mean(), cost.mean() / first, cost.longest / cost.mean(),
                cost.iterations / std::max(1, cost.steps), cost.unsolved, cost.steps,
                cost.residual);
}

// Each law alone; then all on the steps of the leader.
void run(const Options& options, const Scene& scene) {
    std::printf(
        "| motion | law | us/step | over the first | longest | iterations | unsolved | "
        "residual |\n|---|---|---|---|---|---|---|---|\n");
    double first = 0;
    for (const std::string& law : options.laws) {
        Simulation sim = simulate(options, scene, law);
        Cost cost;
        for (int i = 0; i < options.steps; ++i) timed_step(sim, cost);
        if (first == 0) first = cost.mean();
        print("its own", law, cost, first);
    }
    Simulation leader = simulate(options, scene, options.leader);
    std::vector<Simulation> all;
    for (const std::string& law : options.laws) all.push_back(simulate(options, scene, law));
    std::vector<Cost> costs(all.size());
    Cost leading;
    for (int i = 0; i < options.steps; ++i) {
        for (std::size_t k = 0; k < all.size(); ++k) {
            all[k].state = leader.state;
            timed_step(all[k], costs[k]);
        }
        timed_step(leader, leading);
    }
    for (std::size_t k = 0; k < all.size(); ++k)
        print("that of " + options.leader, options.laws[k], costs[k], costs[0].mean());
}

}  // namespace

int law_bench(int argc, char** argv) {
    CLI::App app{
        "What the contact laws cost on one scene, in their own motion and on the same steps"};
    Options options;
    app.add_option("SCENE", options.scene, "Name of a shipped scene")->required();
    app.add_option("--set", options.parameters, "KEY=VALUE of the scene");
    app.add_option("--laws", options.laws, "Contact models; the first one is what others are over")
        ->delimiter(',');
    app.add_option("--leader", options.leader, "Contact model whose motion all take part in");
    app.add_option("--steps", options.steps, "Of each run")->check(CLI::PositiveNumber);
    app.add_option("--step", options.h, "Step size in seconds")->check(CLI::PositiveNumber);
    app.add_option("--tolerance", options.tolerance, "Of all laws")->check(CLI::PositiveNumber);
    CLI11_PARSE(app, argc, argv);
    SceneOverrides overrides;
    for (const std::string& text : options.parameters) {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos)
            throw std::runtime_error("--set " + text + ": expected KEY=VALUE");
        overrides.parameters.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
    Scene scene =
        load_scene(std::string(STICTION_SOURCE_SCENES) + "/" + options.scene + ".yaml", overrides);
    if (options.h > 0) scene.step.h = options.h;
    run(options, scene);
    return 0;
}

}  // namespace stiction

int main(int argc, char** argv) {
    try {
        return stiction::law_bench(argc, argv);
    } catch (const std::exception& fault) {
        std::fprintf(stderr, "law_bench: %s\n", fault.what());
        return 2;
    }
}
