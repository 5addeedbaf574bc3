// stiction.cpp - Stiction itself on the shipped scenes, by the path of the program: load_scene,
// make_simulation, step. One thread.
#include <algorithm>
#include <stdexcept>

#include "bench.h"
#include "scene/scene.h"
#include "step/simulation.h"

namespace stiction::peers {

namespace {

struct StictionSim : Sim {
    Simulation sim;
    std::size_t first = 0;          // body of the scene that the benchmark counts as body 0
    int unsolved = 0;               // islands, over all steps
    double residual = 0;            // largest
    std::vector<double> residuals;  // per step
    int switch_at = -1;             // step before which the model becomes `later`
    ContactModel later;

    StictionSim(const Scene& scene, const ContactModel& model, std::size_t first_body)
        : sim(make_simulation(scene.model, scene.state, scene.controls, model, scene.step, 1)),
          first(first_body) {}

    void step() override {
        if (static_cast<int>(residuals.size()) == switch_at) switch_contact_model(sim, later);
        if (stiction::step(sim) != StepOutcome::kDone) {
            throw std::runtime_error(describe_failure(sim));
        }
        unsolved += sim.frame.solution.failures;
        residual = std::max(residual, sim.frame.solution.residual);
        residuals.push_back(sim.frame.solution.residual);
    }

    [[nodiscard]] int contacts() const override {
        return static_cast<int>(sim.frame.contacts.contacts.size());
    }
    [[nodiscard]] Vec position(int body) const override { return vec(sim.state.pose[at(body)].p); }
    [[nodiscard]] Vec velocity(int body) const override { return vec(sim.state.twist[at(body)].v); }
    [[nodiscard]] Vec spin(int body) const override { return vec(sim.state.twist[at(body)].w); }

    void report(Metrics& metrics) const override {
        metrics.emplace_back("unsolved_islands", unsolved);
        metrics.emplace_back("max_residual", residual);
        constexpr std::size_t kLast = 100;  // steps: about settled where a scene settles
        const auto begin =
            residuals.end() - static_cast<std::ptrdiff_t>(std::min(kLast, residuals.size()));
        std::vector<double> last(begin, residuals.end());
        if (last.empty()) return;
        std::nth_element(last.begin(), last.begin() + static_cast<std::ptrdiff_t>(last.size() / 2),
                         last.end());
        metrics.emplace_back("last_residual", last[last.size() / 2]);
    }

    static Vec vec(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
    [[nodiscard]] std::size_t at(int body) const { return first + static_cast<std::size_t>(body); }
};

// The standing robot: its feet are points of the shanks.
struct RobotSim : StictionSim {
    using StictionSim::StictionSim;
    [[nodiscard]] Vec position(int body) const override {
        constexpr int kFeet = 4;
        constexpr int kTorso = 1;  // bodies: ground, torso, hips, thighs, shanks
        constexpr int kFirstShank = kTorso + 1 + 2 * kFeet;
        if (body >= kFeet) return vec(sim.state.pose[kTorso].p);
        const auto shank = static_cast<std::size_t>(kFirstShank + body);
        return vec(sim.state.pose[shank] * Vec3(0, 0, -robot::kLinkLength / 2));
    }
    [[nodiscard]] Vec velocity(int) const override { return vec(sim.state.twist[1].v); }
};

Scene shipped_scene(const std::string& name, const std::string& parameter, double value) {
    SceneOverrides overrides;
    overrides.parameters = {{parameter, std::to_string(value)}};
    return load_scene(STICTION_SOURCE_SCENES "/" + name + ".yaml", overrides);
}

std::unique_ptr<Sim> make_grasp(const std::string& model, int k) {
    return std::make_unique<StictionSim>(shipped_scene("grasp", "boxes", k),
                                         make_contact_model(model), 0);
}

std::unique_ptr<Sim> make_ramp(const std::string& model, double mu) {
    constexpr std::size_t kCube = 1;  // body 0 is the ramp
    return std::make_unique<StictionSim>(shipped_scene("ramp", "mu", mu), make_contact_model(model),
                                         kCube);
}

std::unique_ptr<Sim> make_robot(const std::string& model) {
    return std::make_unique<RobotSim>(shipped_scene("stand", "mu", robot::kMu),
                                      make_contact_model(model), 0);
}

// The Coulomb cone to a tolerance, with at most so many sweeps a step: what the pile cannot use of
// them while it falls, it gets when it has settled.
CoulombCone cone(double tolerance, int sweeps) {
    CoulombCone model;
    model.tolerance = tolerance;
    model.max_iterations = sweeps;
    return model;
}

FrictionBox box(int sweeps) {
    FrictionBox model;
    model.solver = FrictionBoxSolver::kPgs;
    model.tolerance = 1e-4;
    model.max_iterations = sweeps;
    return model;
}

// Falling piles cannot be solved to 1e-8 in any reasonable time: they fall and settle with the
// first model, and what counts is the time of the second once they have settled.
struct GranularConfig {
    std::string name;
    ContactModel falling, settled;
};

std::vector<GranularConfig> granular_configs() {
    return {{"cone_1e-4", cone(1e-4, 100), cone(1e-4, 100)},
            {"cone_1e-8", cone(1e-4, 100), cone(1e-8, 500)},
            {"box_pgs_10", box(10), box(10)},
            {"box_pgs_50", box(50), box(50)}};
}

// The shipped scene with the start that all engines share.
std::unique_ptr<Sim> make_granular(const GranularConfig& config, const granular::Variant& variant) {
    constexpr std::size_t kFirst = 5;  // bodies 0 to 4 are the floor and the walls
    Scene scene = shipped_scene("granular", "count", variant.n);
    scene.step.h = variant.dt;
    std::size_t body = kFirst;
    for (const Vec& p : granular::start(variant.n)) scene.state.pose[body++].p = {p.x, p.y, p.z};
    auto sim = std::make_unique<StictionSim>(scene, config.falling, kFirst);
    constexpr double kWarm = 0.2;  // [s] before the settled part
    sim->switch_at = static_cast<int>((variant.span - granular::kSettled - kWarm) / variant.dt);
    sim->later = config.settled;
    return sim;
}

}  // namespace

}  // namespace stiction::peers

int main(int argc, char** argv) {
    using namespace stiction::peers;
    const Options options = parse_options(argc, argv);
    for (const int k : grasp::kCounts) {
        for (const std::string model : {"no_slip", "coulomb_lcp"}) {
            bench_grasp(options, "stiction", model, k, [=] { return make_grasp(model, k); });
        }
    }
    for (const double mu : {ramp::kSlide, ramp::kStick}) {
        for (const std::string model : {"no_slip", "coulomb_lcp"}) {
            if (model == "no_slip" && mu == ramp::kSlide) continue;  // it never slides
            bench_ramp(options, "stiction", model, mu, [=] { return make_ramp(model, mu); });
        }
    }
    for (const std::string model : {"coulomb_cone", "coulomb_lcp", "no_slip"})
        bench_robot(options, "stiction", model, [=] { return make_robot(model); });
    for (const granular::Variant& variant : granular::kVariants) {
        for (const GranularConfig& config : granular_configs()) {
            bench_granular(options, "stiction", config.name, variant,
                           [=] { return make_granular(config, variant); });
        }
    }
}
