// ramp.cpp - figure 2 of [DS10]: a box slides down a ramp under Anitescu's and Potra's LCP by Lemke's
// method and under maximum dissipation: "identical to numerical precision".
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

#include "bench/benchmarks.h"
#include "bench/scene_run.h"

namespace stiction {

namespace {

constexpr double kRampTime = 1;    // [s]
constexpr double kRampAngle = 20;  // [degrees], of the scene
constexpr double kGravity = 9.81;  // [m/s^2]
constexpr std::array<std::string_view, 3> kRampFriction = {"0", "0.2", "0.5"};
constexpr std::size_t kRampShown = 1;  // the one that is drawn

struct RampModel {
    std::string_view label, contact;
};
constexpr std::array<RampModel, 3> kRampModels = {{
    {"Anitescu-Potra, Lemke", "{model: coulomb_lcp, solver: lemke}"},
    {"max. dissipation, QP 1", "{model: max_dissipation, form: contact_space, tolerance: 1e-9}"},
    {"max. dissipation, QP 2", "{model: max_dissipation, form: generalized, tolerance: 1e-9}"},
}};

struct RampRun {
    std::vector<double> t, way, speed;  // [s], [m], [m/s] along the ramp
    std::int64_t unsolved = 0;
    std::string failure;
};

double closed_form(double mu) {
    const double angle = kRampAngle * std::numbers::pi / 180;
    return kGravity * std::max(0.0, std::sin(angle) - mu * std::cos(angle));
}

RampRun run_ramp(const Scene& scene, const RampModel& model, std::int64_t steps,
                 const BenchGoOn& go_on) {
    const double angle = kRampAngle * std::numbers::pi / 180;
    const Vec3 down(std::cos(angle), 0, -std::sin(angle));
    const std::size_t cube = 1;
    const Vec3 start = scene.state.pose[cube].p;
    RampRun run;
    const SceneRun all =
        run_scene(scene, contact_from(std::string(model.contact)), steps,
                  [&](const Simulation& sim, const RunStep& step) {
                      run.t.push_back(step.t);
                      run.way.push_back(down.dot(sim.state.pose[cube].p - start));
                      run.speed.push_back(down.dot(sim.state.twist[cube].v));
                      return go_on(static_cast<double>(run.t.size()) / static_cast<double>(steps));
                  });
    run.unsolved = all.unsolved();
    run.failure = all.stopped ? "interrupted" : all.failure;
    return run;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
    double most = 0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        most = std::max(most, std::abs(a[i] - b[i]));
    return most;
}

// Symplectic Euler gains h a a step, so the speed of the closed form belongs to every step, and the
// way is h^2 a n (n + 1) / 2.
void exact(double a, double h, std::size_t steps, RampRun& run) {
    for (std::size_t i = 1; i <= steps; ++i) {
        const auto n = static_cast<double>(i);
        run.speed.push_back(n * h * a);
        run.way.push_back(0.5 * h * h * a * n * (n + 1));
    }
}

}  // namespace

BenchReport bench_ramp(const BenchSettings& settings, const BenchGoOn& go_on) {
    BenchReport report;
    report.benchmark = "ramp";
    BenchTable table;
    table.name = "figure_2";
    table.title = "Figure 2: how far the models are apart";
    table.columns = {{"friction: model"},       {"speed_apart", "m/s", 2}, {"way_apart", "m", 2},
                     {"speed_error", "m/s", 2}, {"way_error", "m", 2},     {"end_speed", "m/s", 8},
                     {"end_way", "m", 8},       {"unsolved", "steps"}};
    Plot speeds, differences;
    double worst = 0;
    for (std::size_t f = 0; f < kRampFriction.size(); ++f) {
        SceneOverrides overrides;
        overrides.parameters = {{"mu", std::string(kRampFriction[f])}};
        const Scene scene = load_scene(settings.scenes + "/ramp.yaml", overrides);
        const std::int64_t steps = steps_for(scene, settings.time.value_or(kRampTime));
        const double a = closed_form(std::stod(std::string(kRampFriction[f])));
        RampRun law, first;
        exact(a, scene.step.h, static_cast<std::size_t>(steps), law);
        for (std::size_t m = 0; m < kRampModels.size(); ++m) {
            const double before = static_cast<double>(f * kRampModels.size() + m);
            const RampRun run = run_ramp(scene, kRampModels[m], steps, [&](double share) {
                return go_on((before + share) /
                             static_cast<double>(kRampFriction.size() * kRampModels.size()));
            });
            if (m == 0) first = run;
            if (!run.failure.empty()) report.status = run.failure;
            const double apart = largest_difference(run.speed, first.speed);
            worst = std::max(worst, apart);
            table.rows.push_back(
                {std::string(kRampFriction[f]) + ": " + std::string(kRampModels[m].label), apart,
                 largest_difference(run.way, first.way), largest_difference(run.speed, law.speed),
                 largest_difference(run.way, law.way), run.speed.back(), run.way.back(),
                 run.unsolved});
            if (f != kRampShown) continue;
            Series speed, difference;
            speed.name = difference.name = kRampModels[m].label;
            speed.dashed = m > 0;
            for (const std::size_t i : spread(run.t.size(), 400)) {
                speed.x.push_back(run.t[i]);
                speed.y.push_back(run.speed[i]);
                difference.x.push_back(run.t[i]);
                difference.y.push_back(std::max(std::abs(run.speed[i] - first.speed[i]), 1e-18));
            }
            speeds.series.push_back(speed);
            if (m > 0) differences.series.push_back(difference);
        }
    }
    report.tables = {table};
    report.notes = {
        "A cube of 1 kg on a ramp of 20 degrees, h = 1 ms. apart: largest difference from the "
        "first "
        "model over all steps; error: from the closed form g (sin - mu cos), which symplectic "
        "Euler "
        "meets exactly. [DS10]: identical to numerical precision, without a number.",
        "The convex program is solved to a relative residual, Lemke's method exactly; what they "
        "are "
        "apart is that residual, " +
            bench_text(worst, 2) + " m/s at most. With mu = 0.5 both stay."};
    speeds.title = "Speed down the ramp, mu = 0.2";
    speeds.x.label = "time [s]";
    speeds.y.label = "speed [m/s]";
    differences.title = "Difference of speed from Anitescu-Potra";
    differences.x.label = "time [s]";
    differences.y = {.label = "difference [m/s]", .scale = Scale::kLog};
    Figure figure;
    figure.columns = 2;
    figure.panel_width = 500;
    figure.panel_height = 340;
    figure.panels = {speeds, differences};
    report.figure = figure;
    return report;
}

}  // namespace stiction
