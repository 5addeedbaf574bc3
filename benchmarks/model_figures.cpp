// model_figures.cpp - the figures of docs/models.md, one per contact model: model_figures DIR.
//
// Everything drawn is measured by stepping a scene, but for curves named "closed form". The answers
// are deterministic, so that the files change only when the simulator's answers do.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "plot/plot.h"
#include "scene/scene.h"
#include "step/simulation.h"

namespace stiction {

namespace {

using Parameters = std::vector<std::pair<std::string, double>>;

constexpr double kGravity = 9.81;
constexpr double kDegree = M_PI / 180;
constexpr double kPanelWidth = 480, kPanelHeight = 380;  // [px]

// ---- scenes and steps

std::string exactly(double value) {
    std::array<char, 32> text{};
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

Scene scene_file(const std::string& path, const Parameters& parameters) {
    SceneOverrides overrides;
    for (const auto& [key, value] : parameters) {
        overrides.parameters.emplace_back(key, exactly(value));
    }
    return load_scene(path, overrides);
}

Scene shipped(const std::string& name, const Parameters& parameters) {
    return scene_file(STICTION_SOURCE_SCENES "/" + name + ".yaml", parameters);
}

// The cube of scenes/ramp.yaml (0.1 m, 1 kg, four contacts) on a level floor.
Scene cube_on_floor(double mu) { return shipped("ramp", {{"angle", 0}, {"mu", mu}}); }

Simulation simulate(const Scene& scene, const ContactModel& model) {
    return make_simulation(scene.model, scene.state, scene.controls, model, scene.step, 1);
}

ContactModel model_named(const std::string& model, const std::string& solver = "auto") {
    ContactModel result = make_contact_model(model);
    set_solver(result, solver);
    return result;
}

void take_step(Simulation& sim) {
    if (step(sim) != StepOutcome::kDone) throw std::runtime_error(describe_failure(sim));
}

void take_solved_step(Simulation& sim) {
    take_step(sim);
    if (sim.frame.solution.status != SolveStatus::kSolved) {
        throw std::runtime_error(std::string(name(sim.contact_model)) + ": step not solved");
    }
}

// ---- figures

Figure two_panels(Plot left, Plot right) {
    Figure figure;
    figure.columns = 2;
    figure.panel_width = kPanelWidth;
    figure.panel_height = kPanelHeight;
    figure.panels = {std::move(left), std::move(right)};
    return figure;
}

Series curve(const std::string& name, int colour) {
    Series series;
    series.name = name;
    series.colour = colour;
    return series;
}

Series dashed(const std::string& name, int colour) {
    Series series = curve(name, colour);
    series.dashed = true;
    return series;
}

Series points(const std::string& name, int colour) {
    Series series = curve(name, colour);
    series.markers = true;
    return series;
}

void add(Series& series, double x, double y) {
    series.x.push_back(x);
    series.y.push_back(y);
}

constexpr int kGrey = 6;  // of the palette: closed forms

// ---- viscous: a cube that glides to rest on a wet floor

constexpr double kViscosity = 1;          // per contact [N s/m]
constexpr double kRate = 4 * kViscosity;  // four contacts, 1 kg [1/s]

Simulation gliding_cube(ViscousLevel level, double h) {
    Scene scene = cube_on_floor(0);
    for (SurfacePair& pair : scene.model.surface_pairs) pair.mu_v = kViscosity;
    scene.step.h = h;
    scene.state.twist.back().v = Vec3::UnitX();
    Viscous model;
    model.level = level;
    return simulate(scene, model);
}

Series gliding_speed(const std::string& name, int colour, ViscousLevel level, double h,
                     double end) {
    Simulation sim = gliding_cube(level, h);
    Series series = points(name, colour);
    add(series, 0, 1);
    while (sim.state.time < end - 0.5 * h) {
        take_solved_step(sim);
        add(series, sim.state.time, sim.state.twist.back().v.x());
    }
    return series;
}

double gliding_error(ViscousLevel level, int steps) {
    Simulation sim = gliding_cube(level, 1.0 / steps);
    for (int i = 0; i < steps; ++i) take_solved_step(sim);
    return std::abs(sim.state.twist.back().v.x() - std::exp(-kRate));
}

Figure viscous_figure() {
    Plot speed;
    speed.title = "Cube on a wet floor, μ_v = 1 N s/m per contact";
    speed.x.label = "time [s]";
    speed.y.label = "speed [m/s]";
    Series exact = curve("closed form exp(-4 μ_v t/m)", kGrey);
    for (int i = 0; i <= 100; ++i) add(exact, 0.01 * i, std::exp(-kRate * 0.01 * i));
    speed.series = {
        exact, gliding_speed("velocity, h = 0.2 s", 0, ViscousLevel::kVelocity, 0.2, 1),
        gliding_speed("velocity, h = 0.05 s", 5, ViscousLevel::kVelocity, 0.05, 1),
        gliding_speed("acceleration, h = 0.2 s", 1, ViscousLevel::kAcceleration, 0.2, 1)};

    Plot order;
    order.title = "Error of the speed after 1 s";
    order.x = {"step h [s]", Scale::kLog, 1e-3, 1.0};
    order.y = {"error [m/s]", Scale::kLog, 1e-13, 10.0};
    Series velocity = points("level: velocity", 0);
    Series acceleration = points("level: acceleration (RK4)", 1);
    for (const int steps : {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000}) {
        add(velocity, 1.0 / steps, gliding_error(ViscousLevel::kVelocity, steps));
        add(acceleration, 1.0 / steps, gliding_error(ViscousLevel::kAcceleration, steps));
    }
    order.series = {velocity, acceleration};
    order.marks = {{2.785 / kRate, "RK4 unstable", true}};
    return two_panels(speed, order);
}

// ---- no_slip: the grasp

// How far the middle of the row falls in 0.1 s.
double drop(double mu, const ContactModel& model) {
    Simulation sim = simulate(shipped("grasp", {{"mu", mu}}), model);
    const double start = sim.state.pose[1].p.z();
    for (int i = 0; i < 100; ++i) take_solved_step(sim);
    return 1e3 * (start - sim.state.pose[1].p.z());
}

// Mean over ten steps, each from the guess that nothing presses.
double cold_pivots(int repeat, const ContactModel& model) {
    Simulation sim = simulate(shipped("grasp", {{"repeat_contacts", repeat}}), model);
    take_solved_step(sim);
    int sum = 0;
    for (int i = 0; i < 10; ++i) {
        std::fill(sim.guess.contacts.begin(), sim.guess.contacts.end(), 0);
        take_solved_step(sim);
        sum += sim.frame.solution.pivots;
    }
    return sum / 10.0;
}

Figure no_slip_figure() {
    Plot fall;
    fall.title = "Grasp of two boxes: drop in 0.1 s";
    fall.x = {"Coulomb coefficient μ_c [-]", Scale::kLinear, 0.0, 0.08};
    fall.y = {"drop [mm]", Scale::kLinear, 0.0, 60.0};
    Series held = points("no_slip", 0);
    Series convex = points("max_dissipation", 1);
    for (int i = 0; i <= 16; ++i) {
        const double mu = 0.005 * i;
        add(held, mu, drop(mu, NoSlip{}));
        add(convex, mu, drop(mu, MaxDissipation{}));
    }
    fall.series = {held, convex};
    fall.marks = {{kGravity / 200, "needed: m g / 200 N", true}};

    Plot work;
    work.title = "Pivots per step from a cold start";
    work.x = {"contacts [-]", Scale::kLinear, 0.0, 200.0};
    work.y = {"pivots [-]", Scale::kLog, 1.0, 1e4};
    Series ppm = points("no_slip, ppm", 0);
    Series lemke = points("coulomb_lcp, lemke, μ_c = 100", 1);
    for (const int repeat : {1, 2, 3, 4, 6, 8, 12, 16}) {
        add(ppm, 12 * repeat, cold_pivots(repeat, model_named("no_slip", "ppm")));
        if (repeat <= 8) {
            add(lemke, 12 * repeat, cold_pivots(repeat, model_named("coulomb_lcp", "lemke")));
        }
    }
    work.series = {ppm, lemke};
    return two_panels(fall, work);
}

// ---- friction against the direction, for the polygon and the box

constexpr double kMu = 0.5;

// Friction of a cube that slides at 1 m/s in the direction theta, against its motion, in units of
// mu m g. One step after another, so that what lags has caught up.
double braking(const ContactModel& model, double theta) {
    Scene scene = cube_on_floor(kMu);
    const Vec3 direction(std::cos(theta), std::sin(theta), 0);
    scene.step.h = 1e-4;
    Simulation sim = simulate(scene, model);
    Vec3 change = Vec3::Zero();
    for (int i = 0; i < 2; ++i) {
        sim.state.twist.back() = {direction, Vec3::Zero()};
        take_solved_step(sim);
        change = sim.state.twist.back().v - direction;
    }
    return -change.dot(direction) / (kMu * kGravity * scene.step.h);
}

// Where a cube at rest goes that is pulled in the direction theta by 1.5 mu m g [degrees].
double goes_to(const ContactModel& model, double theta) {
    Scene scene = cube_on_floor(kMu);
    scene.model.gravity += 1.5 * kMu * kGravity * Vec3(std::cos(theta), std::sin(theta), 0);
    Simulation sim = simulate(scene, model);
    for (int i = 0; i < 50; ++i) take_solved_step(sim);
    const Vec3& v = sim.state.twist.back().v;
    return std::atan2(v.y(), v.x()) / kDegree;
}

template <class Measure>
Series over_directions(Series series, const ContactModel& model, double step,
                       const Measure& measure) {
    for (int i = 0; i * step <= 90 + 1e-9; ++i) {
        add(series, i * step, measure(model, i * step * kDegree));
    }
    return series;
}

CoulombLcp polygon(int sides) {
    CoulombLcp model;
    model.sides = sides;
    return model;
}

Plot braking_plot(double from, double to) {
    Plot plot;
    plot.title = "Friction against the motion";
    plot.x = {"direction of sliding [degrees]", Scale::kLinear, 0.0, 90.0};
    plot.y = {"friction / (μ_c m g) [-]", Scale::kLinear, from, to};
    return plot;
}

Figure coulomb_lcp_figure() {
    Plot force = braking_plot(0.65, 1.05);
    Plot path;
    path.title = "Where a cube goes that is pulled by 1.5 μ_c m g";
    path.x = {"direction of the pull [degrees]", Scale::kLinear, 0.0, 90.0};
    path.y = {"direction of the motion [degrees]", Scale::kLinear, 0.0, 90.0};
    int colour = 0;
    for (const int sides : {4, 8, 16}) {
        const std::string label = "sides: " + std::to_string(sides);
        force.series.push_back(
            over_directions(curve(label, colour), polygon(sides), 1.25, braking));
        path.series.push_back(over_directions(curve(label, colour), polygon(sides), 1.25, goes_to));
        ++colour;
    }
    force.series.push_back(
        over_directions(dashed("coulomb_cone", kGrey), CoulombCone{}, 5, braking));
    path.series.push_back(
        over_directions(dashed("coulomb_cone", kGrey), CoulombCone{}, 5, goes_to));
    return two_panels(force, path);
}

// ---- max_dissipation: Painleve's rod

Scene rod(const Parameters& parameters) { return scene_file(STICTION_ROD_SCENE, parameters); }

// Normal impulse of the first step of a sliding rod, in units of m g h.
double rod_pressure(const ContactModel& model, double theta, double mu) {
    Simulation sim = simulate(rod({{"mu", mu}, {"theta", theta}}), model);
    take_solved_step(sim);
    return sim.frame.solution.c_n[0] / (kGravity * sim.settings.h);
}

// Share of the kinetic energy that is left after a rod has hit the ground, falling at 3 m/s.
double rod_energy_left(const ContactModel& model, double theta) {
    Simulation sim =
        simulate(rod({{"mu", 0.5}, {"theta", theta}, {"speed", 0}, {"fall", 3}}), model);
    const double before = energy(sim.model, sim.state).kinetic;
    take_solved_step(sim);
    return energy(sim.model, sim.state).kinetic / before;
}

Figure max_dissipation_figure() {
    const double theta = 1, s = std::sin(theta), c = std::cos(theta);
    const double critical = (1 + 3 * c * c) / (3 * s * c);
    Plot pressure;
    pressure.title = "Painlevé's rod: normal impulse of the first step";
    pressure.x = {"friction μ_c / critical μ_c [-]", Scale::kLinear, 0.0, 2.0};
    pressure.y = {"c_n / (m g h) [-]", Scale::kLog, 0.1, 100.0};
    Series convex = points("max_dissipation (= κ)", 0);
    Series cone = points("coulomb_cone", 1);
    for (int i = 0; i <= 40; ++i) {
        const double share = 0.05 * i;
        if (i == 20) continue;  // at the critical value itself Coulomb's law has no finite limit
        add(convex, share, rod_pressure(MaxDissipation{}, theta, share * critical));
        add(cone, share, rod_pressure(CoulombCone{}, theta, share * critical));
    }
    pressure.series = {convex, cone};

    Plot left;
    left.title = "A rod hits the ground, μ_c = 0.5";
    left.x = {"angle of the rod to the ground [degrees]", Scale::kLinear, 0.0, 90.0};
    left.y = {"kinetic energy after / before [-]", Scale::kLinear, 0.0, 1.0};
    Series no_slip = dashed("no_slip", 2);
    Series convex_left = curve("max_dissipation", 0);
    Series cone_left = curve("coulomb_cone", 1);
    for (int degrees = 2; degrees <= 88; degrees += 2) {
        add(no_slip, degrees, rod_energy_left(NoSlip{}, degrees * kDegree));
        add(convex_left, degrees, rod_energy_left(MaxDissipation{}, degrees * kDegree));
        add(cone_left, degrees, rod_energy_left(CoulombCone{}, degrees * kDegree));
    }
    left.series = {convex_left, cone_left, no_slip};
    return two_panels(pressure, left);
}

// ---- friction_box: the diagonal, and a load that changes

// Friction of each step of a sliding cube whose weight doubles from step 6 to 12, in units of
// mu m g h.
Series friction_steps(Series series, const ContactModel& model) {
    Scene scene = cube_on_floor(kMu);
    scene.state.twist.back().v = 10 * Vec3::UnitX();
    Simulation sim = simulate(scene, model);
    series.line = LineStyle::kStep;
    for (int i = 0; i < 18; ++i) {
        sim.model.gravity = Vec3(0, 0, i >= 6 && i < 12 ? -2 * kGravity : -kGravity);
        const double before = sim.state.twist.back().v.x();
        take_solved_step(sim);
        const double change = before - sim.state.twist.back().v.x();
        add(series, i, change / (kMu * kGravity * scene.step.h));
    }
    add(series, 18, series.y.back());
    return series;
}

Figure friction_box_figure() {
    Plot force = braking_plot(0.9, 1.5);
    force.series = {over_directions(points("friction_box", 0), FrictionBox{}, 5, braking),
                    over_directions(dashed("coulomb_cone", kGrey), CoulombCone{}, 5, braking)};
    force.marks = {{M_SQRT2, "√2", false}};
    Plot lag;
    lag.title = "The weight doubles in steps 6 to 11";
    lag.x = {"step [-]", Scale::kLinear, 0.0, 18.0};
    lag.y = {"friction / (μ_c m g h) [-]", Scale::kLinear, 0.0, 2.5};
    lag.series = {friction_steps(curve("friction_box", 0), FrictionBox{}),
                  friction_steps(dashed("coulomb_cone", kGrey), CoulombCone{})};
    return two_panels(force, lag);
}

// ---- coulomb_cone: a ball that slides until it rolls, and sweeps in a pile

Plot rolling_plot() {
    constexpr double kRadius = 0.04, kFriction = 0.2;
    Scene scene = shipped("granular", {{"count", 1}, {"friction", kFriction}, {"radius", kRadius}});
    scene.step.h = 1e-3;
    scene.state.pose.back().p = Vec3(-0.3, 0, kRadius);
    scene.state.twist.back().v = Vec3::UnitX();
    Simulation sim = simulate(scene, CoulombCone{});
    Series speed = curve("speed v", 0);
    Series spin = curve("r ω", 1);
    Series exact = dashed("closed form", kGrey);
    add(speed, 0, 1);
    add(spin, 0, 0);
    while (sim.state.time < 0.2995) {
        take_solved_step(sim);
        add(speed, sim.state.time, sim.state.twist.back().v.x());
        add(spin, sim.state.time, kRadius * sim.state.twist.back().w.y());
    }
    const double rolls = 2 / (7 * kFriction * kGravity);
    exact.x = {0, rolls, 0.3};
    exact.y = {1, 5.0 / 7, 5.0 / 7};
    Plot plot;
    plot.title = "A ball slides until it rolls at 5/7 of its speed";
    plot.x = {"time [s]", Scale::kLinear, 0.0, 0.3};
    plot.y = {"velocity [m/s]", Scale::kLinear, 0.0, 1.1};
    plot.series = {speed, spin, exact};
    plot.marks = {{rolls, "2 v / (7 μ_c g)", true}};
    return plot;
}

// Residual of one step of a settled pile after so many sweeps; none where it was so large that the
// answer without friction was taken.
double pile_residual(const Scene& pile, const Guess& guess, int sweeps) {
    CoulombCone model;
    model.solver = CoulombConeSolver::kPgs;
    model.tolerance = 1e-12;
    model.max_iterations = sweeps;
    Simulation sim = simulate(pile, model);
    sim.guess = guess;
    take_step(sim);
    return sim.frame.solution.fallbacks > 0 ? std::nan("") : sim.frame.solution.residual;
}

Plot pile_plot() {
    Scene pile = shipped("granular", {{"count", 300}});
    Simulation sim = simulate(pile, pile.contact);
    for (int i = 0; i < 2000; ++i) take_step(sim);
    sim.contact_model = CoulombCone{};  // warm starts stay
    for (int i = 0; i < 100; ++i) take_step(sim);
    pile.state = sim.state;
    Series cold = points("from nothing", 1);
    Series warm = points("from the last step's impulses", 0);
    for (const int sweeps : {5, 10, 20, 30, 40, 50, 60, 80, 100, 120, 150, 200}) {
        add(cold, sweeps, pile_residual(pile, {}, sweeps));
        add(warm, sweeps, pile_residual(pile, sim.guess, sweeps));
    }
    Plot plot;
    plot.title = "Sweeps over a settled pile of 300 spheres";
    plot.x = {"sweeps [-]", Scale::kLinear, 0.0, 200.0};
    plot.y = {"worse of both Coulomb residuals [-]", Scale::kLog, {}, {}};
    plot.series = {cold, warm};
    plot.marks = {{1e-8, "tolerance", false}};
    return plot;
}

Figure coulomb_cone_figure() { return two_panels(rolling_plot(), pile_plot()); }

// ---- all

struct NamedFigure {
    const char* model;
    Figure (*make)();
};

constexpr NamedFigure kFigures[] = {
    {"viscous", viscous_figure},           {"no_slip", no_slip_figure},
    {"coulomb_lcp", coulomb_lcp_figure},   {"max_dissipation", max_dissipation_figure},
    {"friction_box", friction_box_figure}, {"coulomb_cone", coulomb_cone_figure}};

void write_figures(const std::string& folder, const std::string& only) {
    bool any = false;
    for (const auto& [model, make] : kFigures) {
        if (!only.empty() && only != model) continue;
        const std::string path =
            (std::filesystem::path(folder) / ("model_" + std::string(model) + ".svg")).string();
        write_svg(path, make());
        std::printf("%s\n", path.c_str());
        any = true;
    }
    if (!any) throw std::runtime_error("no contact model is named '" + only + "'");
}

}  // namespace

}  // namespace stiction

int main(int argc, char** argv) {
    std::string folder, only;
    CLI::App app{"Draws the figures of docs/models.md, model_<name>.svg, into a folder."};
    app.add_option("folder", folder, "where to write them")
        ->required()
        ->check(CLI::ExistingDirectory);
    app.add_option("--model", only, "only this model's");
    CLI11_PARSE(app, argc, argv);
    try {
        stiction::write_figures(folder, only);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "model_figures: %s\n", error.what());
        return 1;
    }
    return 0;
}
