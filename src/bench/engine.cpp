// engine.cpp - figure 4 of [DS10]: what it takes to solve the contacts of an engine whose joints are
// contacts only, by Anitescu's and Potra's LCP with Lemke's method and by maximum dissipation, over
// simulated time and as far as each gets.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "bench/benchmarks.h"
#include "bench/scene_run.h"
#include "bench/trials.h"

namespace stiction {

namespace {

constexpr double kEngineTime = 0.1;  // [s]
constexpr double kQuickEngineTime = 0.01;
constexpr double kEnginePatience = 20;  // wall-clock time of a step [s]
constexpr double kQuickEnginePatience = 2;
constexpr double kPaperLemkeEnd = 0.0025;  // [s]

struct EngineCase {
    std::string_view cylinders, label, contact;
    bool lemke;
    double share;  // of the time that is run
};
// With four cylinders a step of Lemke's method takes a second and more.
constexpr std::array<EngineCase, 5> kEngineCases = {{
    {"1", "max. dissipation", "{model: max_dissipation}", false, 1},
    {"1", "max. dissipation, interior point", "{model: max_dissipation, solver: interior_point}",
     false, 1},
    {"1", "Anitescu-Potra, Lemke", "{model: coulomb_lcp, solver: lemke}", true, 1},
    {"4", "max. dissipation", "{model: max_dissipation}", false, 1},
    {"4", "Anitescu-Potra, Lemke", "{model: coulomb_lcp, solver: lemke}", true, 0.1},
}};

struct EngineRun {
    SceneRun run;
    double first_failure = kBenchUnknown;  // [s]
    Trials solve;                          // [s]
    std::int64_t by_itself = 0;
    bool ended = false;  // by a failure
};

EngineRun run_engine(const Scene& given, const EngineCase& which, std::int64_t steps,
                     double patience, const BenchGoOn& go_on) {
    Scene scene = given;
    scene.step.time_budget = patience;
    EngineRun engine;
    std::int64_t taken = 0;
    engine.run = run_scene(
        scene, contact_from(std::string(which.contact)), steps,
        [&](const Simulation&, const RunStep& step) {
            ++taken;
            if (!step.by_itself() && engine.first_failure != engine.first_failure) {
                engine.first_failure = step.t;
                engine.ended = which.lemke;
            }
            return !engine.ended && go_on(static_cast<double>(taken) / static_cast<double>(steps));
        });
    std::vector<double> seconds;
    for (const RunStep& step : engine.run.steps) {
        seconds.push_back(step.solve_seconds);
        engine.by_itself += step.by_itself();
    }
    engine.solve = summarise(seconds);
    return engine;
}

std::string engine_label(const EngineCase& which) {
    return std::string(which.cylinders) +
           (which.cylinders == "1" ? " cylinder: " : " cylinders: ") + std::string(which.label);
}

Figure engine_figure(const std::vector<EngineRun>& runs) {
    Plot plot;
    plot.title = "Time of a solve";
    plot.x.label = "simulated time [s]";
    plot.y = {.label = "solve of a step [ms]", .scale = Scale::kLog};
    for (std::size_t k = 0; k < runs.size(); ++k) {
        Series series;
        series.name = engine_label(kEngineCases[k]);
        const std::vector<RunStep>& steps = runs[k].run.steps;
        for (const std::size_t i : spread(steps.size(), 400)) {
            series.x.push_back(steps[i].t);
            series.y.push_back(1e3 * steps[i].solve_seconds);
        }
        plot.series.push_back(series);
    }
    plot.marks.push_back({kPaperLemkeEnd, "LEMKE fails in [DS10]", true});
    Figure figure;
    figure.panel_width = 760;
    figure.panel_height = 420;
    figure.panels = {plot};
    return figure;
}

}  // namespace

BenchReport bench_engine(const BenchSettings& settings, const BenchGoOn& go_on) {
    const double time = settings.time.value_or(settings.quick ? kQuickEngineTime : kEngineTime);
    const double patience = settings.quick ? kQuickEnginePatience : kEnginePatience;
    BenchReport report;
    report.benchmark = "engine";
    BenchTable table;
    table.name = "figure_4";
    table.title = "Figure 4: solves of the engine's contacts";
    table.columns = {{"run"},
                     {"reached", "s", 3},
                     {"first_failure", "s", 3},
                     {"paper_fails", "s", 2},
                     {"contacts_mean", "", 4},
                     {"contacts_max"},
                     {"solve_mean", "ms", 3},
                     {"solve_max", "ms", 3},
                     {"over_max_dissipation", "", 3},
                     {"by_itself", "%", 4}};
    std::vector<EngineRun> runs;
    double quick = kBenchUnknown;
    for (std::size_t k = 0; k < kEngineCases.size() && report.status == "done"; ++k) {
        const EngineCase& which = kEngineCases[k];
        SceneOverrides overrides;
        overrides.parameters = {{"cylinders", std::string(which.cylinders)}};
        const Scene scene = load_scene(settings.scenes + "/engine.yaml", overrides);
        runs.push_back(run_engine(scene, which, steps_for(scene, which.share * time), patience,
                                  [&](double share) {
                                      return go_on((static_cast<double>(k) + share) /
                                                   static_cast<double>(kEngineCases.size()));
                                  }));
        const EngineRun& run = runs.back();
        if (!run.run.failure.empty()) report.status = run.run.failure;
        if (run.run.stopped && !run.ended) report.status = "interrupted";
        if (!which.lemke && which.label == kEngineCases[0].label) quick = run.solve.mean;
        const auto steps = static_cast<double>(std::max<std::size_t>(run.run.steps.size(), 1));
        table.rows.push_back({engine_label(which),
                              run.run.steps.empty() ? 0 : run.run.steps.back().t, run.first_failure,
                              which.lemke ? kPaperLemkeEnd : kBenchUnknown, run.run.contacts_mean(),
                              static_cast<std::int64_t>(run.run.contacts_most()),
                              1e3 * run.solve.mean, 1e3 * run.solve.most, run.solve.mean / quick,
                              100 * static_cast<double>(run.by_itself) / steps});
    }
    report.tables = {table};
    report.notes = {
        "scenes/engine.yaml, no friction, driven by a torque. A run of Lemke's method ends at its "
        "first failure, as in the paper: a step that it leaves unsolved, or one that takes longer "
        "than " +
            bench_text(patience, 2) + " s; with four cylinders it is given a tenth of the time.",
        "[DS10] drew one cylinder, event-driven; here the step is fixed and contacts that close "
        "within it are part of it, which is what stands in. PATH, which ended after one step "
        "there, "
        "is not free and not repeated. The curves of the paper have no numbers but the time at "
        "which LEMKE ends.",
        "Without friction phase I is the whole answer of maximum dissipation, as in the paper; "
        "interior_point is asked for where phase II would be needed."};
    report.figure = engine_figure(runs);
    return report;
}

}  // namespace stiction
