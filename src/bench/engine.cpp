// engine.cpp - figure 4 of [DS10]: what it takes to solve the contacts of an engine whose joints are
// contacts only, by Anitescu's and Potra's LCP with Lemke's method and by maximum dissipation, over
// simulated time and as far as each gets.
//
// Two comparisons. Each method on its own way, as the program ships it: Lemke's starts from the last
// step and has one unknown per contact, because friction is zero. And the same problems: those of
// the run under maximum dissipation, solved again with the paper's six unknowns per contact and
// nothing known from the step before.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "bench/benchmarks.h"
#include "bench/dense_contact.h"
#include "bench/scene_run.h"
#include "bench/trials.h"
#include "core/thread_clock.h"

namespace stiction {

namespace {

constexpr double kEngineTime = 0.5;  // [s]
constexpr double kQuickEngineTime = 0.1;
constexpr double kEnginePatience = 20;  // wall-clock time of a step [s]
constexpr double kQuickEnginePatience = 2;
constexpr double kPaperLemkeEnd = 0.0025;  // [s]

struct EngineCase {
    std::string_view cylinders, label, contact;
    bool lemke;
};
constexpr std::array<EngineCase, 5> kEngineCases = {{
    {"1", "max. dissipation", "{model: max_dissipation}", false},
    {"1", "max. dissipation, interior point", "{model: max_dissipation, solver: interior_point}",
     false},
    {"1", "Anitescu-Potra, Lemke", "{model: coulomb_lcp, solver: lemke}", true},
    {"4", "max. dissipation", "{model: max_dissipation}", false},
    {"4", "Anitescu-Potra, Lemke", "{model: coulomb_lcp, solver: lemke}", true},
}};

// With four cylinders a cold solve of a thousand unknowns takes a second.
struct SameCase {
    std::string_view cylinders;
    std::int64_t problems, quick_problems;  // at most so many, spread over the time
};
constexpr std::array<SameCase, 2> kSameCases = {{{"1", 500, 100}, {"4", 200, 30}}};

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

std::string engine_label(std::string_view cylinders, std::string_view label) {
    return std::string(cylinders) + (cylinders == "1" ? " cylinder: " : " cylinders: ") +
           std::string(label);
}

// ---- the same problems

// Lemke's method on the paper's LCP: six unknowns per contact, whatever the friction, and cold.
struct PaperLemke {
    std::string_view label;
    bool retry;  // on another path, and regularised
    DenseContactWorkspace workspace;
    DenseAnswer answer;
    std::vector<double> t, seconds;        // of each problem [s]
    std::int64_t failed = 0;               // problems
    double first_failure = kBenchUnknown;  // [s]
    double apart = 0;  // largest difference of a velocity from that of maximum dissipation

    void solve(const Simulation& sim, const DenseContact& contact) {
        workspace.cold = true;
        workspace.retry = retry;
        const double start = cpu_now();
        solve_coulomb_lemke(contact, workspace, answer);
        seconds.push_back(cpu_now() - start);
        t.push_back(sim.state.time);
        if (answer.status == SolveStatus::kSolved) {
            apart = std::max(apart, (answer.v - sim.frame.solution.v).lpNorm<Eigen::Infinity>());
            return;
        }
        ++failed;
        if (std::isnan(first_failure)) first_failure = sim.state.time;
    }
};

struct SameEngineProblems {
    std::string_view cylinders;
    std::vector<PaperLemke> methods;
    std::vector<double> dissipation;  // solves of maximum dissipation, of the same steps [s]
    std::int64_t contacts = 0, contacts_most = 0;
    std::string failure;
};

SameEngineProblems solve_same_problems(const Scene& scene, std::string_view cylinders,
                                       std::int64_t steps, std::int64_t every,
                                       const BenchGoOn& go_on) {
    SameEngineProblems same;
    same.cylinders = cylinders;
    same.methods.push_back({"Lemke, as published", false, {}, {}, {}, {}});
    same.methods.push_back({"Lemke, with retries", true, {}, {}, {}, {}});
    std::int64_t taken = 0;
    const SceneRun run = run_scene(
        scene, contact_from("{model: max_dissipation}"), steps,
        [&](const Simulation& sim, const RunStep& step) {
            ++taken;
            if (taken % every == 0) {
                const DenseContact contact = make_dense_contact(sim.frame.problem);
                for (PaperLemke& method : same.methods) method.solve(sim, contact);
                same.dissipation.push_back(step.solve_seconds);
                same.contacts += step.contacts;
                same.contacts_most = std::max(same.contacts_most, std::int64_t{step.contacts});
            }
            return go_on(static_cast<double>(taken) / static_cast<double>(steps));
        });
    same.failure = run.stopped ? "interrupted" : run.failure;
    return same;
}

BenchTable same_problems_table(const std::vector<SameEngineProblems>& all) {
    constexpr std::int64_t kUnknowns = 6;  // per contact
    BenchTable table;
    table.name = "same_problems";
    table.title =
        "The problems of the run under maximum dissipation, six unknowns per contact, cold";
    table.columns = {{"run"},
                     {"problems"},
                     {"unknowns_mean", "", 4},
                     {"unknowns_max"},
                     {"solve_mean", "ms", 3},
                     {"solve_max", "ms", 3},
                     {"max_dissipation", "ms", 3},
                     {"ratio", "", 3},
                     {"failed", "problems"},
                     {"first_failure", "s", 3},
                     {"paper_fails", "s", 2},
                     {"apart", "m/s", 2}};
    for (const SameEngineProblems& same : all) {
        const auto problems = static_cast<std::int64_t>(same.dissipation.size());
        const double ours = summarise(same.dissipation).mean;
        for (const PaperLemke& method : same.methods) {
            const Trials solve = summarise(method.seconds);
            table.rows.push_back(
                {engine_label(same.cylinders, method.label), problems,
                 static_cast<double>(kUnknowns * same.contacts) / static_cast<double>(problems),
                 kUnknowns * same.contacts_most, 1e3 * solve.mean, 1e3 * solve.most, 1e3 * ours,
                 solve.mean / ours, method.failed, method.first_failure, kPaperLemkeEnd,
                 method.apart});
        }
    }
    return table;
}

// ---- what is shown

Figure engine_figure(const std::vector<EngineRun>& runs,
                     const std::vector<SameEngineProblems>& same) {
    Plot plot;
    plot.title = "Time of a solve";
    plot.x.label = "simulated time [s]";
    plot.y = {.label = "solve of a step [ms]", .scale = Scale::kLog};
    for (std::size_t k = 0; k < runs.size(); ++k) {
        Series series;
        series.name = engine_label(kEngineCases[k].cylinders, kEngineCases[k].label);
        const std::vector<RunStep>& steps = runs[k].run.steps;
        for (const std::size_t i : spread(steps.size(), 400)) {
            series.x.push_back(steps[i].t);
            series.y.push_back(1e3 * steps[i].solve_seconds);
        }
        plot.series.push_back(series);
    }
    for (const SameEngineProblems& problems : same) {
        const PaperLemke& method = problems.methods.front();
        Series series;
        series.name = engine_label(problems.cylinders, method.label) + ", six unknowns a contact";
        series.dashed = true;
        for (const std::size_t i : spread(method.t.size(), 400)) {
            series.x.push_back(method.t[i]);
            series.y.push_back(1e3 * method.seconds[i]);
        }
        plot.series.push_back(series);
    }
    plot.marks.push_back({kPaperLemkeEnd, "LEMKE fails in [DS10]", true});
    Figure figure;
    figure.panel_width = 900;
    figure.panel_height = 480;
    figure.panels = {plot};
    return figure;
}

// Mean over the steps that both took.
double over(const EngineRun& run, const EngineRun& other) {
    const std::size_t steps = std::min(run.run.steps.size(), other.run.steps.size());
    double sum = 0, sum_of_other = 0;
    for (std::size_t i = 0; i < steps; ++i) {
        sum += run.run.steps[i].solve_seconds;
        sum_of_other += other.run.steps[i].solve_seconds;
    }
    return sum / sum_of_other;
}

BenchTable own_ways_table(const std::vector<EngineRun>& runs) {
    BenchTable table;
    table.name = "figure_4";
    table.title = "Figure 4: solves of the engine's contacts, each method on its own way";
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
    std::size_t base = 0;
    for (std::size_t k = 0; k < runs.size(); ++k) {
        const EngineCase& which = kEngineCases[k];
        const EngineRun& run = runs[k];
        if (which.label == kEngineCases[0].label) base = k;  // the first of these cylinders
        const auto steps = static_cast<double>(std::max<std::size_t>(run.run.steps.size(), 1));
        table.rows.push_back({engine_label(which.cylinders, which.label),
                              run.run.steps.empty() ? 0 : run.run.steps.back().t, run.first_failure,
                              which.lemke ? kPaperLemkeEnd : kBenchUnknown, run.run.contacts_mean(),
                              static_cast<std::int64_t>(run.run.contacts_most()),
                              1e3 * run.solve.mean, 1e3 * run.solve.most, over(run, runs[base]),
                              100 * static_cast<double>(run.by_itself) / steps});
    }
    return table;
}

std::vector<std::string> engine_notes(double patience, const std::vector<EngineRun>& runs,
                                      const std::vector<SameEngineProblems>& same) {
    std::vector<std::string> notes = {
        "scenes/engine.yaml, no friction, driven by a torque. Own ways: a run of Lemke's method "
        "ends at its first failure, as in the paper: a step that it leaves unsolved, or one that "
        "takes longer than " +
            bench_text(patience, 2) +
            " s. The program gives it one unknown per contact where there is no friction, and "
            "starts it from the last step. Same problems: the paper's pyramid, six unknowns per "
            "contact though friction is zero (\"LCPs of order between 600 and 1200\"), cold; as "
            "published: one path, no regularised copies; apart: from the velocities of maximum "
            "dissipation, where solved.",
        "[DS10] drew one cylinder, event-driven; here the step is fixed and contacts that close "
        "within it are part of it, which is what stands in. PATH, which ended after one step "
        "there, is not free and not repeated. The curves of the paper have no numbers but the time "
        "at which LEMKE ends.",
        "Without friction phase I is the whole answer of maximum dissipation, as in the paper; "
        "interior_point is asked for where phase II would be needed."};
    double first = kBenchUnknown;
    for (const SameEngineProblems& problems : same)
        first = std::fmin(first, problems.methods.front().first_failure);
    for (const EngineRun& run : runs) first = std::fmin(first, run.first_failure);
    if (std::isnan(first)) {
        notes.emplace_back(
            "That Lemke's method fails does not come out: [DS10] used a textbook code, which ties "
            "in the ratio test send astray; ours breaks ties lexicographically and solves the last "
            "basis on the data as given.");
    } else if (first > kPaperLemkeEnd) {
        notes.emplace_back(
            "Lemke's method fails later than in [DS10]: the engine starts here with all its "
            "clearances open, so that hardly a contact presses in the first hundredths of a "
            "second, and ours breaks ties lexicographically and solves the last basis on the data "
            "as given.");
    }
    return notes;
}

}  // namespace

BenchReport bench_engine(const BenchSettings& settings, const BenchGoOn& go_on) {
    const double time = settings.time.value_or(settings.quick ? kQuickEngineTime : kEngineTime);
    const double patience = settings.quick ? kQuickEnginePatience : kEnginePatience;
    const auto parts = static_cast<double>(kEngineCases.size() + kSameCases.size());
    double done = 0;
    const auto part = [&](double share) { return go_on((done + share) / parts); };
    const auto scene_of = [&](std::string_view cylinders) {
        SceneOverrides overrides;
        overrides.parameters = {{"cylinders", std::string(cylinders)}};
        return load_scene(settings.scenes + "/engine.yaml", overrides);
    };
    BenchReport report;
    report.benchmark = "engine";
    std::vector<EngineRun> runs;
    for (const EngineCase& which : kEngineCases) {
        if (report.status != "done") break;
        const Scene scene = scene_of(which.cylinders);
        runs.push_back(run_engine(scene, which, steps_for(scene, time), patience, part));
        const EngineRun& run = runs.back();
        if (!run.run.failure.empty()) report.status = run.run.failure;
        if (run.run.stopped && !run.ended) report.status = "interrupted";
        ++done;
    }
    std::vector<SameEngineProblems> same;
    for (const SameCase& which : kSameCases) {
        if (report.status != "done") break;
        const Scene scene = scene_of(which.cylinders);
        const std::int64_t steps = steps_for(scene, time);
        const std::int64_t problems = settings.quick ? which.quick_problems : which.problems;
        same.push_back(solve_same_problems(scene, which.cylinders, steps,
                                           std::max<std::int64_t>(1, steps / problems), part));
        if (!same.back().failure.empty()) report.status = same.back().failure;
        ++done;
    }
    report.tables = {own_ways_table(runs)};
    if (!same.empty()) report.tables.push_back(same_problems_table(same));
    report.notes = engine_notes(patience, runs, same);
    report.figure = engine_figure(runs, same);
    return report;
}

}  // namespace stiction
