// robot_figures.cpp - the figure of docs/robots.md on joint friction: robot_figures DIR.
//
// The arm of scenes/arm.yaml under both laws of joint friction [DS10, figures 8 and 9]: the program
// of the step (QP 4) and the force against the present velocity (6). Everything drawn is measured
// by stepping the scene; the answers are deterministic, so that the file changes only when they do.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "plot/plot.h"
#include "scene/scene.h"
#include "step/simulation.h"

namespace stiction {

namespace {

constexpr double kOurStep = 1e-3;    // [s]
constexpr double kSmallStep = 1e-6;  // of the force, [s]
constexpr double kSample = 5e-3;     // between samples of a motion [s]
constexpr double kEveryStep = 1e-3;  // of a shake
constexpr double kHeld = 0.4;        // time that is shown of it [s]

struct Friction {
    double coulomb = 0;  // [N m]
    double viscous = 0;  // [N m s/rad]
};
constexpr Friction kMoving{0.25, 0.1};
constexpr Friction kHolding{5, 0};

struct Run {
    std::vector<double> t;                // [s]
    std::vector<std::vector<double>> q;   // per hinge [rad]
    std::vector<std::vector<double>> qd;  // per hinge [rad/s]
};

std::string exactly(double value) {
    std::array<char, 32> text{};
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

// Ends early where the state is not finite any more.
Run run_arm(const Friction& friction, bool as_force, double h, double time,
            double sample = kSample) {
    SceneOverrides overrides;
    overrides.parameters = {{"friction", exactly(friction.coulomb)},
                            {"damping", exactly(friction.viscous)},
                            {"as_force", as_force ? "1" : "0"},
                            {"h", exactly(h)}};
    const Scene scene = load_scene(STICTION_SOURCE_SCENES "/arm.yaml", overrides);
    Simulation sim =
        make_simulation(scene.model, scene.state, scene.controls, scene.contact, scene.step, 1);
    Run run;
    run.q.resize(scene.model.joints.size());
    run.qd.resize(scene.model.joints.size());
    const long steps = std::lround(time / h);
    const long every = std::max(1L, std::lround(sample / h));
    for (long i = 0; i <= steps; ++i) {
        if (i % every == 0) {
            run.t.push_back(sim.state.time);
            for (std::size_t j = 0; j < scene.model.joints.size(); ++j) {
                const JointCoordinate q = joint_coordinate(sim.state, scene.model.joints[j]);
                run.q[j].push_back(q.position);
                run.qd[j].push_back(q.velocity);
            }
        }
        if (step(sim) != StepOutcome::kDone) break;
    }
    return run;
}

Series series(const std::string& name, const std::vector<double>& x, const std::vector<double>& y,
              int colour, bool dashed = false) {
    Series s;
    s.name = name;
    s.x = x;
    s.y = y;
    s.colour = colour;
    s.dashed = dashed;
    return s;
}

Plot over_time(const std::string& title, const std::string& y) {
    Plot plot;
    plot.title = title;
    plot.x.label = "time [s]";
    plot.y.label = y;
    return plot;
}

// A colour for each of the three: drawn in the order in which the next one would hide the last.
void add_three(const Run& coarse, const Run& law, const Run& ours,
               std::vector<double> (*of)(const Run&), Plot& plot) {
    plot.series.push_back(series("force, h = 1e-3", coarse.t, of(coarse), 2));
    plot.series.push_back(series("force, h = 1e-6", law.t, of(law), 1));
    plot.series.push_back(series("QP 4, h = 1e-3", ours.t, of(ours), 0, true));
}

// Largest distance of any hinge from the same hinge of `law`, at equal times.
double distance(const Run& a, const Run& law) {
    double most = 0;
    for (std::size_t j = 0; j < a.q.size(); ++j) {
        for (std::size_t i = 0; i < std::min(a.t.size(), law.t.size()); ++i)
            most = std::max(most, std::abs(a.q[j][i] - law.q[j][i]));
    }
    return most;
}

void make_figure(const std::string& path, double time) {
    const Run ours = run_arm(kMoving, false, kOurStep, time);
    const Run coarse = run_arm(kMoving, true, kOurStep, time, kEveryStep);
    const Run law = run_arm(kMoving, true, kSmallStep, time);
    const Run holds = run_arm(kHolding, false, kOurStep, kHeld, kEveryStep);
    const Run shakes = run_arm(kHolding, true, kOurStep, kHeld, kEveryStep);
    const Run shivers = run_arm(kHolding, true, kSmallStep, kHeld, kEveryStep);

    Figure figure;
    figure.columns = 2;
    figure.panel_width = 520;
    figure.panel_height = 360;
    Plot velocity = over_time("third hinge, friction 0.25 N m, 0.1 N m s/rad", "velocity [rad/s]");
    add_three(
        coarse, law, ours, [](const Run& r) { return r.qd[2]; }, velocity);
    velocity.y.from = -3;
    velocity.y.to = 3;
    Plot angle = over_time("third hinge, the same friction", "angle [rad]");
    add_three(
        coarse, law, ours, [](const Run& r) { return r.q[2]; }, angle);
    angle.y.from = -0.6;
    angle.y.to = 0.6;
    Plot hold = over_time("first hinge, friction 5 N m: it should hold", "velocity [rad/s]");
    add_three(
        shakes, shivers, holds, [](const Run& r) { return r.qd[0]; }, hold);
    hold.y.from = -4;
    hold.y.to = 4;

    Plot order;
    order.title = "QP 4 against the force at h = 1e-6";
    order.x = {.label = "step of QP 4 [s]", .scale = Scale::kLog};
    order.y = {.label = "largest distance of a hinge [rad]", .scale = Scale::kLog};
    Series measured;
    measured.name = "measured";
    measured.markers = true;
    Series slope;
    slope.name = "first order";
    slope.dashed = true;
    for (const double h : {1e-3, 5e-4, 2.5e-4, 1.25e-4, 6.25e-5}) {
        const double d = distance(run_arm(kMoving, false, h, time), law);
        measured.x.push_back(h);
        measured.y.push_back(d);
        slope.x.push_back(h);
        slope.y.push_back(measured.y.front() * h / measured.x.front());
        std::printf("h = %-8g distance %.3g rad\n", h, d);
    }
    order.series = {measured, slope};
    figure.panels = {velocity, angle, hold, order};
    write_svg(path, figure);
    const auto fastest = [](const Run& run) {
        double most = 0;
        for (const std::vector<double>& qd : run.qd) {
            for (const double x : qd) most = std::max(most, std::abs(x));
        }
        return most;
    };
    std::printf(
        "fastest hinge [rad/s]: QP 4 %.3g, force at 1e-6 %.3g, force at 1e-3 %.3g (to %g s)\n",
        fastest(ours), fastest(law), fastest(coarse), coarse.t.back());
    std::printf("held: QP 4 %.3g, force at 1e-6 %.3g, force at 1e-3 %.3g (to %g s)\n",
                fastest(holds), fastest(shivers), fastest(shakes), shakes.t.back());
}

}  // namespace

}  // namespace stiction

int main(int argc, char** argv) {
    std::string folder;
    double time = 2;
    CLI::App app("Makes the figure of docs/robots.md.");
    app.add_option("folder", folder, "where the SVG file goes")->required();
    app.add_option("--time", time, "simulated time [s]");
    CLI11_PARSE(app, argc, argv);
    try {
        std::filesystem::create_directories(folder);
        stiction::make_figure(folder + "/joint_friction.svg", time);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "robot_figures: %s\n", error.what());
        return 1;
    }
    return 0;
}
