// locomotion.cpp - the walking robot of [D15, section VII-B], Tables II and III: what a step costs
// without slip and with viscous friction, against Coulomb friction and Lemke's method.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "bench/benchmarks.h"
#include "compare/compare.h"
#include "scene/scene.h"

namespace stiction {

namespace {

constexpr int kRounds = 3;

// Least time of every step over the rounds: a run has the same bits in each.
struct Times {
    std::vector<double> step, solve;  // [s]

    void add(std::size_t i, double whole, double solving) {
        if (i >= step.size()) {
            step.resize(i + 1, std::numeric_limits<double>::infinity());
            solve.resize(i + 1, std::numeric_limits<double>::infinity());
        }
        step[i] = std::min(step[i], whole);
        solve[i] = std::min(solve[i], solving);
    }
};

double sum(const std::vector<double>& times) {
    double total = 0;
    for (const double t : times) total += t;
    return total;
}

void add_times(const std::vector<double>& times, std::vector<BenchValue>& row) {
    constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
    if (times.empty()) {
        row.insert(row.end(), 4, kUnknown);
        return;
    }
    const auto [least, most] = std::minmax_element(times.begin(), times.end());
    const double total = sum(times);
    row.emplace_back(1e6 * *least);
    row.emplace_back(1e6 * total / static_cast<double>(times.size()));
    row.emplace_back(1e6 * *most);
    row.emplace_back(total);
}

Scene load_walk(const BenchSettings& settings) {
    SceneOverrides overrides;
    overrides.parameters = {{"mu", "100"}, {"viscosity", "0.1"}, {"h", "0.001"}};
    return load_scene(settings.scenes + "/quadruped.yaml", overrides);
}

}  // namespace

BenchReport bench_locomotion(const BenchSettings& settings, const BenchGoOn& go_on) {
    const Scene scene = load_walk(settings);
    const auto steps =
        static_cast<std::int64_t>(std::llround(settings.time.value_or(10) / scene.step.h));
    const int rounds = settings.rounds > 0 ? settings.rounds : kRounds;
    VariantOptions names;
    names.models = "no_slip:sparse_ppm,coulomb_lcp:lemke,coulomb_cone,viscous:sparse_ppm";
    const std::vector<Variant> variants = make_variants(names, scene.contact);

    std::vector<Times> times(variants.size());
    std::vector<ComparedRun> runs;
    for (int round = 0; round < rounds; ++round) {
        const double all = static_cast<double>(steps) * static_cast<double>(variants.size());
        CompareObserver observer;
        observer.go_on = [&](std::int64_t done, double) {
            return go_on((round + static_cast<double>(done) / all) / rounds);
        };
        observer.row = [&](const ComparedStep& taken) {
            times[taken.run].add(static_cast<std::size_t>(taken.record.step - 1),
                                 taken.record.step_seconds,
                                 taken.record.seconds[static_cast<std::size_t>(Stage::kSolve)]);
        };
        runs = compare(scene, variants, {.steps = steps}, observer);
    }

    BenchReport report;
    report.benchmark = "locomotion";
    BenchTable table;
    table.name = "runs";
    table.title = "Each model on its own way";
    table.columns = {{"run"},
                     {"step_min", "us"},
                     {"step_mean", "us"},
                     {"step_max", "us"},
                     {"step_total", "s"},
                     {"solve_min", "us"},
                     {"solve_mean", "us"},
                     {"solve_max", "us"},
                     {"solve_total", "s"},
                     {"contacts_mean", "", 3},
                     {"contacts_max"},
                     {"unsolved", "steps"}};
    for (std::size_t i = 0; i < runs.size(); ++i) {
        std::vector<BenchValue> row = {runs[i].label};
        add_times(times[i].step, row);
        add_times(times[i].solve, row);
        row.emplace_back(runs[i].statistics.contacts /
                         static_cast<double>(std::max<std::int64_t>(runs[i].statistics.steps, 1)));
        row.emplace_back(static_cast<std::int64_t>(runs[i].statistics.contacts_max));
        row.emplace_back(runs[i].unsolved_steps);
        table.rows.push_back(std::move(row));
        if (runs[i].info.status != "done") {
            report.status = runs[i].label + ": " + runs[i].info.message;
        }
    }
    report.tables.push_back(std::move(table));
    return report;
}

}  // namespace stiction
