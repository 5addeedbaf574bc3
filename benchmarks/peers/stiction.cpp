// stiction.cpp - Stiction itself on the shipped scenes, by the path of the program: load_scene,
// make_simulation, step.
#include <algorithm>
#include <stdexcept>

#include "bench.h"
#include "compare/variants.h"
#include "scene/scene.h"
#include "step/simulation.h"

namespace stiction::peers {

namespace {

struct StictionSim : Sim {
    Simulation sim;
    std::size_t first = 0;          // body of the scene that the benchmark counts as body 0
    int unsolved = 0;               // islands, over all steps
    int solved_steps = 0;           // all of whose islands were
    std::vector<double> residuals;  // per step
    int switch_at = -1;             // step before which the model becomes `later`
    ContactModel later;

    StictionSim(const Scene& scene, const ContactModel& model, std::size_t first_body, int threads)
        : sim(make_simulation(scene.model, scene.state, scene.controls, model, scene.step,
                              threads)),
          first(first_body) {}

    void step() override {
        if (static_cast<int>(residuals.size()) == switch_at) switch_contact_model(sim, later);
        if (stiction::step(sim) != StepOutcome::kDone) {
            throw std::runtime_error(describe_failure(sim));
        }
        unsolved += sim.frame.solution.failures;
        solved_steps += sim.frame.solution.failures == 0;
        residuals.push_back(sim.frame.solution.residual);
    }

    [[nodiscard]] int contacts() const override {
        return static_cast<int>(sim.frame.contacts.contacts.size());
    }
    [[nodiscard]] Vec position(int body) const override { return vec(sim.state.pose[at(body)].p); }
    [[nodiscard]] Vec velocity(int body) const override { return vec(sim.state.twist[at(body)].v); }
    [[nodiscard]] Vec spin(int body) const override { return vec(sim.state.twist[at(body)].w); }

    [[nodiscard]] Quat orientation(int body) const override {
        const auto& q = sim.state.pose[at(body)].q;
        return {q.w(), q.x(), q.y(), q.z()};
    }

    void report(Metrics& metrics) const override {
        if (residuals.empty()) return;
        const auto steps = static_cast<double>(residuals.size());
        metrics.emplace_back("unsolved_islands", unsolved);
        metrics.emplace_back("solved_pct", 100 * solved_steps / steps);
        metrics.emplace_back("max_residual", *std::max_element(residuals.begin(), residuals.end()));
        metrics.emplace_back("residual_95", quantile(residuals, 0.95));
        constexpr std::size_t kLast = 100;  // steps: about settled where a scene settles
        const auto last = static_cast<std::ptrdiff_t>(std::min(kLast, residuals.size()));
        metrics.emplace_back("last_residual",
                             quantile({residuals.end() - last, residuals.end()}, 0.5));
    }

    static double quantile(std::vector<double> values, double share) {
        const auto i = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
        std::nth_element(values.begin(), values.begin() + i, values.end());
        return values[static_cast<std::size_t>(i)];
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

std::unique_ptr<Sim> make_grasp(const std::string& model, int k, int threads) {
    return std::make_unique<StictionSim>(shipped_scene("grasp", "boxes", k),
                                         make_contact_model(model), 0, threads);
}

std::unique_ptr<Sim> make_ramp(const std::string& model, double mu, int threads) {
    constexpr std::size_t kCube = 1;  // body 0 is the ramp
    return std::make_unique<StictionSim>(shipped_scene("ramp", "mu", mu), make_contact_model(model),
                                         kCube, threads);
}

std::unique_ptr<Sim> make_robot(const std::string& model, int threads) {
    return std::make_unique<RobotSim>(shipped_scene("stand", "mu", robot::kMu),
                                      make_contact_model(model), 0, threads);
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

ContactModel to_1e_4(std::string_view name) {
    ContactModel model = make_contact_model(name);
    set_tolerance(model, 1e-4);
    return model;
}

// A pile falls and settles with the first model; what is settled is solved with the second. Falling
// piles cannot be solved to 1e-8 in any reasonable time.
struct PileConfig {
    std::string name;
    ContactModel falling, settled;
};

PileConfig one_model(const std::string& name, const ContactModel& model) {
    return {name, model, model};
}

std::vector<PileConfig> pile_configs() {
    return {one_model("cone_1e-4", cone(1e-4, 0)),
            one_model("cone_1e-4_100", cone(1e-4, 100)),
            {"settled_1e-4", cone(1e-4, 60), cone(1e-4, 0)},
            {"settled_1e-8", cone(1e-4, 60), cone(1e-8, 0)}};
}

std::vector<PileConfig> granular_configs() {
    std::vector<PileConfig> configs = pile_configs();
    configs.push_back(one_model("box_pgs_10", box(10)));
    configs.push_back(one_model("box_pgs_50", box(50)));
    for (const std::string_view name : kContactModelNames) {
        if (name != "coulomb_cone")
            configs.push_back(one_model(std::string(name) + "_1e-4", to_1e_4(name)));
    }
    return configs;
}

// `first`: body of the scene that is the first of the pile.
std::unique_ptr<Sim> start_pile(const Scene& scene, const PileConfig& config, std::size_t first,
                                double span, const Options& options) {
    auto sim = std::make_unique<StictionSim>(scene, config.falling, first, options.threads);
    constexpr double kWarm = 0.2;  // [s] before the settled part
    const double length = options.span > 0 ? options.span : span;
    sim->switch_at = static_cast<int>((length - kSettled - kWarm) / scene.step.h);
    sim->later = config.settled;
    return sim;
}

// The shipped scene with the start and the box that all engines share, and without its drag, which
// others have not.
std::unique_ptr<Sim> make_granular(const PileConfig& config, const granular::Variant& variant,
                                   const Options& options) {
    constexpr std::size_t kFirst = 5;  // bodies 0 to 4 are the floor and the walls, 1 m apart
    Scene scene = shipped_scene("granular", "count", variant.n);
    scene.step.h = variant.dt;
    for (std::size_t wall = 0; wall < kFirst; ++wall) scene.state.pose[wall].p *= variant.base;
    std::size_t body = kFirst;
    for (const Vec& p : granular::start(variant)) {
        scene.model.bodies[body].angular_damping = 0;
        scene.state.pose[body++].p = {p.x, p.y, p.z};
    }
    return start_pile(scene, config, kFirst, variant.span, options);
}

// As a user gets it.
std::unique_ptr<Sim> make_shipped_granular(int threads) {
    const Scene scene = load_scene(STICTION_SOURCE_SCENES "/granular.yaml");
    return std::make_unique<StictionSim>(scene, scene.contact, 5, threads);
}

std::unique_ptr<Sim> make_pile(const PileConfig& config, const PileScene& pile,
                               const Options& options) {
    SceneOverrides overrides;
    overrides.parameters = pile.parameters;
    Scene scene = load_scene(pile.file, overrides);
    scene.step.h = pile.dt;
    const auto fixed = [](const Body& body) { return body.kind == BodyKind::kStatic; };
    const auto first = std::count_if(scene.model.bodies.begin(), scene.model.bodies.end(), fixed);
    return start_pile(scene, config, static_cast<std::size_t>(first), pile.span, options);
}

}  // namespace

}  // namespace stiction::peers

int main(int argc, char** argv) {
    using namespace stiction::peers;
    const Options options = parse_options(argc, argv);
    const int threads = options.threads;
    for (const int k : grasp::kCounts) {
        for (const std::string model : {"no_slip", "coulomb_cone", "coulomb_lcp"}) {
            bench_grasp(options, "stiction", model, k,
                        [=] { return make_grasp(model, k, threads); });
        }
    }
    for (const double mu : {ramp::kSlide, ramp::kStick}) {
        for (const std::string model : {"no_slip", "coulomb_cone", "coulomb_lcp"}) {
            if (model == "no_slip" && mu == ramp::kSlide) continue;  // it never slides
            bench_ramp(options, "stiction", model, mu,
                       [=] { return make_ramp(model, mu, threads); });
        }
    }
    for (const std::string model : {"coulomb_cone", "coulomb_lcp", "no_slip"})
        bench_robot(options, "stiction", model, [=] { return make_robot(model, threads); });
    for (const granular::Variant& variant : granular::kVariants) {
        for (const PileConfig& config : granular_configs()) {
            bench_granular(options, "stiction", config.name, variant,
                           [&](const Pile&) { return make_granular(config, variant, options); });
        }
    }
    bench_granular(options, "stiction", "shipped", {1001, 0.002, 5},
                   [=](const Pile&) { return make_shipped_granular(threads); });
    for (const PileScene& scene : pile_scenes()) {
        std::vector<PileConfig> configs = pile_configs();
        configs.push_back(one_model("coulomb_cone", stiction::CoulombCone{}));
        for (const PileConfig& config : configs) {
            bench_pile(options, "stiction", config.name, scene,
                       [&](const Pile&) { return make_pile(config, scene, options); });
        }
    }
}
