// joint_friction.cpp - figures 8 and 9 of [DS10]: the arm of scenes/arm.yaml under both laws of joint
// friction, the program of the step (QP 4) and the force against the present velocity (6), which
// needs steps a thousand times smaller.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <vector>

#include "bench/benchmarks.h"
#include "bench/scene_run.h"

namespace stiction {

namespace {

constexpr double kOurStep = 1e-3;  // of QP 4 [s]
constexpr double kLawStep = 1e-6;  // of the force [s]
constexpr double kQuickLawStep = 1e-5;
constexpr double kArmTime = 2;  // [s]
constexpr double kQuickArmTime = 0.6;
constexpr double kSample = 1e-3;   // between samples of a motion [s]
constexpr std::size_t kBicep = 2;  // the hinge that is drawn: half-way up the arm
constexpr double kWild = 100;      // [rad/s], no motion of this arm

struct ArmCase {
    const char* figure;
    double coulomb, viscous;  // [N m], [N m s/rad]
};
constexpr std::array<ArmCase, 2> kArmCases = {{{"figure 8", 5, 0}, {"figure 9", 0.25, 0.1}}};

struct ArmRun {
    std::string label;
    bool as_force = false;
    double h = 0;
    std::vector<double> t;                // [s]
    std::vector<std::vector<double>> q;   // per hinge [rad]
    std::vector<std::vector<double>> qd;  // per hinge [rad/s]
    std::int64_t steps = 0;
    double seconds = 0;
    std::string failure;

    [[nodiscard]] double fastest() const {
        double most = 0;
        for (const std::vector<double>& rates : qd) {
            for (const double rate : rates) most = std::max(most, std::abs(rate));
        }
        return most;
    }
    // Of any hinge from the same one of `other`, at equal times.
    [[nodiscard]] double distance(const ArmRun& other) const {
        double most = 0;
        for (std::size_t j = 0; j < q.size(); ++j) {
            for (std::size_t i = 0; i < std::min(t.size(), other.t.size()); ++i)
                most = std::max(most, std::abs(q[j][i] - other.q[j][i]));
        }
        return most;
    }
};

std::string exact_text(double value) {
    std::array<char, 32> text{};
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

void run_arm(const BenchSettings& settings, const ArmCase& which, double time,
             const BenchGoOn& go_on, ArmRun& run) {
    SceneOverrides overrides;
    overrides.parameters = {{"friction", exact_text(which.coulomb)},
                            {"damping", exact_text(which.viscous)},
                            {"as_force", run.as_force ? "1" : "0"},
                            {"h", exact_text(run.h)}};
    const Scene scene = load_scene(settings.scenes + "/arm.yaml", overrides);
    Simulation sim =
        make_simulation(scene.model, scene.state, scene.controls, scene.contact, scene.step, 1);
    run.q.resize(scene.model.joints.size());
    run.qd.resize(scene.model.joints.size());
    const std::int64_t steps = steps_for(scene, time);
    const std::int64_t every = std::max<std::int64_t>(1, std::llround(kSample / run.h));
    for (; run.steps < steps; ++run.steps) {
        if (run.steps % every == 0) {
            run.t.push_back(sim.state.time);
            for (std::size_t j = 0; j < scene.model.joints.size(); ++j) {
                const JointCoordinate q = joint_coordinate(sim.state, scene.model.joints[j]);
                run.q[j].push_back(q.position);
                run.qd[j].push_back(q.velocity);
            }
            if (!go_on(static_cast<double>(run.steps) / static_cast<double>(steps))) {
                run.failure = "interrupted";
                return;
            }
        }
        if (step(sim) != StepOutcome::kDone) {
            run.failure = "not finite at " + exact_text(sim.state.time) + " s";
            return;
        }
        run.seconds += sim.frame.step_seconds;
    }
}

Series arm_series(const ArmRun& run, const std::vector<double>& values, int colour, bool dashed) {
    Series series;
    series.name = run.label;
    series.colour = colour;
    series.dashed = dashed;
    for (const std::size_t i : spread(run.t.size(), 800)) {
        series.x.push_back(run.t[i]);
        series.y.push_back(values[i]);
    }
    return series;
}

// Velocity above, position below, as in the paper; the law at the large step is drawn as far as it
// stays in the picture.
void add_panels(const ArmCase& which, const std::vector<ArmRun>& runs, Figure& figure) {
    Plot velocity, position;
    velocity.title = std::string(which.figure) + ": velocity of the third hinge";
    velocity.x.label = position.x.label = "time [s]";
    velocity.y = {.label = "[rad/s]",
                  .from = which.viscous > 0 ? -3.0 : -1.0,
                  .to = which.viscous > 0 ? 3.0 : 1.0};
    position.title = std::string(which.figure) + ": its angle";
    position.y = {.label = "[rad]",
                  .from = which.viscous > 0 ? -0.6 : -0.01,
                  .to = which.viscous > 0 ? 0.6 : 0.01};
    for (std::size_t i = runs.size(); i-- > 0;) {
        velocity.series.push_back(
            arm_series(runs[i], runs[i].qd[kBicep], static_cast<int>(i), i == 0));
        position.series.push_back(
            arm_series(runs[i], runs[i].q[kBicep], static_cast<int>(i), i == 0));
    }
    figure.panels.push_back(velocity);
    figure.panels.push_back(position);
}

}  // namespace

BenchReport bench_joint_friction(const BenchSettings& settings, const BenchGoOn& go_on) {
    const double law_step = settings.quick ? kQuickLawStep : kLawStep;
    const double time = settings.time.value_or(settings.quick ? kQuickArmTime : kArmTime);
    BenchReport report;
    report.benchmark = "joint-friction";
    BenchTable table;
    table.name = "figures_8_9";
    table.title = "Figures 8 and 9: two laws of joint friction";
    table.columns = {{"run"},
                     {"step", "s", 1},
                     {"reached", "s", 3},
                     {"distance", "rad", 3},
                     {"fastest_hinge", "rad/s", 3},
                     {"time_per_second", "s", 3},
                     {"ends"}};
    Figure figure;
    figure.columns = 2;
    figure.panel_width = 520;
    figure.panel_height = 320;
    std::string why;
    for (std::size_t c = 0; c < kArmCases.size() && report.status == "done"; ++c) {
        std::vector<ArmRun> runs(3);
        runs[0] = {"QP 4, h = " + bench_text(kOurStep, 1), false, kOurStep, {}, {}, {}, 0, 0, ""};
        runs[1] = {"force, h = " + bench_text(law_step, 1), true, law_step, {}, {}, {}, 0, 0, ""};
        runs[2] = {"force, h = " + bench_text(kOurStep, 1), true, kOurStep, {}, {}, {}, 0, 0, ""};
        for (std::size_t i = 0; i < runs.size() && report.status == "done"; ++i) {
            const double before = static_cast<double>(c) / 2 + (i == 0 ? 0 : i == 1 ? 0.01 : 0.48);
            run_arm(
                settings, kArmCases[c], time,
                [&](double share) { return go_on(before + (i == 1 ? 0.47 : 0.01) * share); },
                runs[i]);
            if (runs[i].failure == "interrupted") report.status = "interrupted";
        }
        for (const ArmRun& run : runs) {
            if (run.t.empty()) continue;
            const bool wild = !run.failure.empty() || run.fastest() > kWild;
            table.rows.push_back({std::string(kArmCases[c].figure) + ": " + run.label, run.h,
                                  run.t.back() + kSample, run.distance(runs[1]), run.fastest(),
                                  run.seconds / (static_cast<double>(run.steps) * run.h),
                                  !run.failure.empty() ? run.failure
                                  : wild               ? std::string("unstable")
                                                       : std::string("stable")});
        }
        if (report.status == "done") add_panels(kArmCases[c], runs, figure);
    }
    report.tables = {table};
    report.notes = {
        "An arm of eight hinges, stretched out under gravity; mu_c = 5, mu_v = 0 (figure 8: it "
        "must "
        "stay) and 0.25, 0.1 (figure 9: it falls slowly). distance: largest of any hinge from the "
        "force at the small step; time_per_second: computing time of a simulated second.",
        "[DS10] has no numbers beside the curves but that the step of QP 4 is three orders of "
        "magnitude larger; its arm and its steps are not given, so ours stand in.",
        settings.quick ? "Quick: the force at 1e-5 s, which shivers by more than at 1e-6 s."
                       : "The force is integrated by symplectic Euler, as QP 4 is."};
    if (!figure.panels.empty()) report.figure = figure;
    return report;
}

}  // namespace stiction
