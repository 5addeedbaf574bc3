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
    std::size_t first = 0;  // body of the scene that the benchmark counts as body 0
    int unsolved = 0;       // islands, over all steps
    double residual = 0;    // largest

    StictionSim(const Scene& scene, const std::string& model, std::size_t first_body)
        : sim(make_simulation(scene.model, scene.state, scene.controls, make_contact_model(model),
                              scene.step, 1)),
          first(first_body) {}

    void step() override {
        if (stiction::step(sim) != StepOutcome::kDone) {
            throw std::runtime_error(describe_failure(sim));
        }
        unsolved += sim.frame.solution.failures;
        residual = std::max(residual, sim.frame.solution.residual);
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
    }

    static Vec vec(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
    [[nodiscard]] std::size_t at(int body) const { return first + static_cast<std::size_t>(body); }
};

Scene shipped_scene(const std::string& name, const std::string& parameter, double value) {
    SceneOverrides overrides;
    overrides.parameters = {{parameter, std::to_string(value)}};
    return load_scene(STICTION_SOURCE_SCENES "/" + name + ".yaml", overrides);
}

std::unique_ptr<Sim> make_grasp(const std::string& model, int k) {
    return std::make_unique<StictionSim>(shipped_scene("grasp", "boxes", k), model, 0);
}

std::unique_ptr<Sim> make_ramp(const std::string& model, double mu) {
    constexpr std::size_t kCube = 1;  // body 0 is the ramp
    return std::make_unique<StictionSim>(shipped_scene("ramp", "mu", mu), model, kCube);
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
}
