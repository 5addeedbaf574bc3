// step_inputs.cpp - inputs are checked, and find their way into a simulation.
#include "live/step_inputs.h"

#include <cmath>
#include <limits>
#include <string>
#include <variant>

#include "core/error.h"
#include "core/thread_pool.h"
#include "step/simulation.h"

namespace stiction {

namespace {

void check(bool fine, const std::string& what) {
    if (!fine) throw InputError(what);
}

void check_coefficient(const std::optional<double>& x, const std::string& name, double most) {
    check(!x || (*x >= 0 && *x <= most),
          name + ": must be a number >= 0" + (std::isfinite(most) ? " and <= 1" : ""));
    check(!x || std::isfinite(*x), name + ": must be finite");
}

}  // namespace

void check_settings(const LiveSettings& settings) {
    const StepSettings& s = settings.step;
    check(s.h > 0 && std::isfinite(s.h), "step size: must be > 0 s");
    check(s.baumgarte >= 0 && s.baumgarte <= 1, "baumgarte: must be in 0 ... 1");
    check(s.baumgarte_max_speed >= 0, "baumgarte_max_speed: must be >= 0 m/s");
    check(s.max_depenetration >= 0, "max_depenetration: must be >= 0 m/s");
    check(s.joint_tolerance > 0, "joint_tolerance: must be > 0 m");
    check(!std::isnan(s.restitution_threshold), "restitution_threshold: must be a number");
    check(s.time_budget >= 0, "time budget: must be >= 0 s");
    check(settings.threads >= 1 && settings.threads <= kMaxThreads,
          "threads: must be in 1 ... " + std::to_string(kMaxThreads));
    constexpr double kAny = std::numeric_limits<double>::infinity();
    check_coefficient(settings.mu_c, "mu_c", kAny);
    check_coefficient(settings.mu_v, "mu_v", kAny);
    check_coefficient(settings.eps, "eps", 1);
    std::visit(
        [](const auto& m) {
            check(m.tolerance > 0, "tolerance: must be > 0");
            check(m.max_iterations >= 0, "max_iterations: must be >= 0");
        },
        settings.contact);
    check(s.integrator != Integrator::kMidpoint || !at_acceleration_level(settings.contact),
          "integrator: midpoint does not go with level: acceleration");
    if (const auto* lcp = std::get_if<CoulombLcp>(&settings.contact))
        check(lcp->sides >= 4 && lcp->sides % 2 == 0, "sides: must be even and >= 4");
}

void apply_inputs(const StepInputs& inputs, const Scene& scene, const SceneControls& controls,
                  Simulation& sim) {
    switch_narrowphase(sim, inputs.step.narrowphase);
    sim.settings = inputs.step;
    for (std::size_t i = 0; i < sim.model.surface_pairs.size(); ++i) {
        const SurfacePair& own = scene.model.surface_pairs[i];
        sim.model.surface_pairs[i] = {inputs.mu_c.value_or(own.mu_c),
                                      inputs.mu_v.value_or(own.mu_v), inputs.eps.value_or(own.eps)};
    }
    controls.apply(inputs.controls, sim.model, sim.controls);
}

void apply_contact(const ContactModel& contact, Simulation& sim) {
    if (sim.contact_model.index() == contact.index()) {
        sim.contact_model = contact;
    } else {
        switch_contact_model(sim, contact);
    }
}

Vec3 apply_drag(const StepInputs& inputs, const Scene& scene, Simulation& sim) {
    std::vector<BodyForce>& forces = sim.controls.body_forces;
    forces.resize(scene.controls.body_forces.size());
    if (!inputs.drag) return Vec3::Zero();
    forces.push_back(drag_force(sim.model, sim.state, sim.settings.h, *inputs.drag));
    return forces.back().force;
}

void apply_threads(int threads, Simulation& sim) {
    if (sim.threads == threads) return;
    sim.pool = ThreadPool(threads);
    sim.threads = threads;
}

}  // namespace stiction
