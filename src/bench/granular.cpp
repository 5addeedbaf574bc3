// granular.cpp - figure 5 of [DS10]: kinetic energy of 1001 spheres that fall into a box, under
// maximum dissipation and under Anitescu's and Potra's LCP by two solvers, each up to the step in
// which it fails for the first time.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "bench/benchmarks.h"
#include "bench/scene_run.h"
#include "core/stopwatch.h"

namespace stiction {

namespace {

constexpr double kPileTime = 5;      // simulated [s], as in the paper
constexpr double kPileStep = 0.005;  // [s]; the paper does not give its own
constexpr double kQuickPileTime = 0.3;
constexpr double kPatienceLcp = 30;  // wall-clock time of one step of an LCP solver [s]
constexpr double kQuickPatience = 2;
constexpr double kPaperLcpEnd = 1;  // [s]: neither reaches it

struct PileModel {
    std::string_view label, contact;
    bool lcp;
};
// Lemke's method as in the paper; in place of PATH, which is not free, block Gauss-Seidel on the
// same polygons, and the program's own way through sweeps and Newton steps.
constexpr std::array<PileModel, 4> kPileModels = {{
    {"max. dissipation", "{model: max_dissipation, tolerance: 1e-4}", false},
    {"Anitescu-Potra, Lemke", "{model: coulomb_lcp, solver: lemke}", true},
    {"Anitescu-Potra, Gauss-Seidel", "{model: coulomb_lcp, solver: pgs}", true},
    {"Anitescu-Potra, Newton", "{model: coulomb_lcp, tolerance: 1e-6}", false},
}};

struct PileRun {
    std::vector<double> t, kinetic;        // [s], [J]
    double first_failure = kBenchUnknown;  // [s]
    std::string reason;
    std::int64_t steps = 0, by_itself = 0, phase_one = 0;
    double gain = 0;  // largest rise of kinetic + potential in a step [J]
    int contacts = 0;
    double seconds = 0, slowest = 0;  // CPU time of the steps [s]
    std::string failure;
};

// Phase I alone answered some island that has friction.
bool ended_in_phase_one(const ContactSolution& solution) {
    return std::any_of(solution.islands.begin(), solution.islands.end(),
                       [](const IslandResult& i) { return i.fallback && i.solver == "phase_one"; });
}

std::string why_not(const Simulation& sim, bool late) {
    if (late) return "no answer in the time";
    for (const IslandResult& island : sim.frame.solution.islands) {
        if (island.fallback) return "gave up on an island";
        if (island.status != SolveStatus::kSolved) return std::string(name(island.status));
    }
    return "failed";
}

PileRun run_pile(const Scene& given, const PileModel& model, std::int64_t steps, double patience,
                 const BenchGoOn& go_on) {
    Scene scene = given;
    scene.step.time_budget = patience;
    PileRun pile;
    double energy_before = energy(scene.model, scene.state).total();
    bool ended = false;
    const SceneRun run = run_scene(
        scene, contact_from(std::string(model.contact)), steps,
        [&](const Simulation& sim, const RunStep& step) {
            const Energy now = energy(sim.model, sim.state);
            ++pile.steps;
            pile.t.push_back(step.t);
            pile.kinetic.push_back(now.kinetic);
            pile.gain = std::max(pile.gain, now.total() - energy_before);
            energy_before = now.total();
            pile.contacts = std::max(pile.contacts, step.contacts);
            pile.slowest = std::max(pile.slowest, step.cpu_seconds);
            pile.by_itself += step.by_itself();
            pile.phase_one += ended_in_phase_one(sim.frame.solution);
            if (!step.by_itself() && std::isnan(pile.first_failure)) {
                pile.first_failure = step.t;
                pile.reason = why_not(sim, patience > 0 && step.step_seconds > patience);
                ended = model.lcp;
            }
            return !ended && go_on(static_cast<double>(pile.steps) / static_cast<double>(steps));
        });
    pile.seconds = run.cpu_total();
    pile.failure = run.stopped && !ended ? "interrupted" : run.failure;
    return pile;
}

void add_pile(const PileModel& model, const PileRun& pile, BenchTable& table) {
    const auto steps = static_cast<double>(std::max<std::int64_t>(pile.steps, 1));
    table.rows.push_back({std::string(model.label), pile.t.empty() ? 0 : pile.t.back(),
                          pile.first_failure, model.lcp ? kPaperLcpEnd : kBenchUnknown,
                          pile.reason.empty() ? std::string("-") : pile.reason,
                          100 * static_cast<double>(pile.by_itself) / steps, pile.phase_one,
                          pile.gain, static_cast<std::int64_t>(pile.contacts),
                          1e3 * pile.seconds / steps, pile.slowest,
                          pile.kinetic.empty() ? kBenchUnknown : pile.kinetic.back()});
}

Figure pile_figure(const std::vector<PileRun>& piles) {
    Plot plot;
    plot.title = "Kinetic energy of the spheres";
    plot.x.label = "time [s]";
    plot.y.label = "kinetic energy [J]";
    for (std::size_t m = 0; m < piles.size(); ++m) {
        Series series;
        series.name = kPileModels[m].label;
        series.dashed = m == 3;
        const bool ends = kPileModels[m].lcp && !std::isnan(piles[m].first_failure);
        for (const std::size_t i : spread(piles[m].t.size(), 600)) {
            series.x.push_back(piles[m].t[i]);
            series.y.push_back(piles[m].kinetic[i]);
        }
        plot.series.push_back(series);
        if (!ends) continue;
        // Named once: they fail so soon after one another that names would overlap.
        plot.marks.push_back(
            {piles[m].first_failure, plot.marks.empty() ? "LCP solvers fail" : "", true});
    }
    Figure figure;
    figure.panel_width = 760;
    figure.panel_height = 420;
    figure.panels = {plot};
    return figure;
}

}  // namespace

BenchReport bench_granular(const BenchSettings& settings, const BenchGoOn& go_on) {
    Scene scene = load_scene(settings.scenes + "/granular.yaml");
    scene.step.h = kPileStep;
    const double time = settings.time.value_or(settings.quick ? kQuickPileTime : kPileTime);
    const std::int64_t steps = steps_for(scene, time);
    BenchReport report;
    report.benchmark = "granular";
    BenchTable table;
    table.name = "figure_5";
    table.title = "Figure 5: how far each gets";
    table.columns = {{"run"},
                     {"reached", "s", 3},
                     {"first_failure", "s", 3},
                     {"paper_ends_before", "s", 2},
                     {"reason"},
                     {"by_itself", "%", 4},
                     {"phase_one_alone", "steps"},
                     {"largest_gain", "J", 2},
                     {"contacts_max"},
                     {"step_mean", "ms", 3},
                     {"step_max", "s", 3},
                     {"kinetic_end", "J", 3}};
    std::vector<PileRun> piles;
    for (std::size_t m = 0; m < kPileModels.size() && report.status == "done"; ++m) {
        const double lcp_patience = settings.quick ? kQuickPatience : kPatienceLcp;
        const double patience = kPileModels[m].lcp ? lcp_patience : 0;  // 0: none
        piles.push_back(run_pile(scene, kPileModels[m], steps, patience, [&](double share) {
            return go_on((static_cast<double>(m) + share) /
                         static_cast<double>(kPileModels.size()));
        }));
        add_pile(kPileModels[m], piles.back(), table);
        if (!piles.back().failure.empty()) report.status = piles.back().failure;
    }
    report.tables = {table};
    report.notes = {
        "Spheres of radius 0.04 m, one layer of 10 x 10 after the other, h = 5 ms, friction 0.5. "
        "by_itself: share of the steps that the solver asked for solved, without another's help; "
        "phase_one_alone: steps in which maximum dissipation had to leave an island without "
        "friction; largest_gain: of kinetic and potential energy in a step; step_mean, step_max: "
        "CPU time. Maximum dissipation and its phase II by sweeps, to a relative residual of 1e-4.",
        "A run by an LCP solver ends at its first failure, as in the paper: an island that it "
        "leaves unsolved, or a step that takes longer than " +
            bench_text(settings.quick ? kQuickPatience : kPatienceLcp, 3) +
            " s. PATH, which [DS10] used beside LEMKE, is not free: block Gauss-Seidel stands in, "
            "and the program's own way for Anitescu's and Potra's law (sweeps, Newton steps), "
            "which "
            "goes on past unsolved steps.",
        "[DS10] gives no numbers but that neither LCP solver reaches 1 s; its drop is from another "
        "height, so that its energies are not ours."};
    report.figure = pile_figure(piles);
    return report;
}

}  // namespace stiction
