// settling.h - runs the granular scene and measures what its tests ask for.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "scene_runs.h"
#include "step/simulation.h"

namespace stiction {

inline constexpr double kRadius = 0.04;
inline constexpr double kHalf = 0.5;  // of the box

struct Settling {
    double peak = 0;     // kinetic energy [J]
    double last = 0;     // at the end [J]
    double overlap = 0;  // deepest [m]
    double outside = 0;  // furthest that a sphere got through a wall or the floor [m]
    int unsolved = 0;    // steps
};

inline double furthest_outside(const Simulation& sim) {
    double out = -kHalf;
    for (std::size_t i = 0; i < sim.model.bodies.size(); ++i) {
        if (sim.model.bodies[i].kind != BodyKind::kDynamic) continue;
        const Vec3& p = sim.state.pose[i].p;
        out = std::max({out, std::abs(p.x()) + kRadius - kHalf, std::abs(p.y()) + kRadius - kHalf,
                        kRadius - p.z()});
    }
    return out;
}

// tolerance 0: the model's own.
inline Settling settle(const std::string& model, int count, double time, double tolerance = 0) {
    const Scene scene = shipped_scene("granular", {{"count", std::to_string(count)}});
    ContactModel contact = model_named(model);
    if (tolerance > 0) std::visit([&](auto& law) { law.tolerance = tolerance; }, contact);
    Simulation sim = simulate(scene, contact);
    Settling result;
    const int steps = static_cast<int>(std::lround(time / scene.step.h));
    for (int k = 0; k < steps; ++k) {
        if (step(sim) != StepOutcome::kDone) {
            ADD_FAILURE() << model << ": " << describe_failure(sim);
            return result;
        }
        result.last = energy(sim.model, sim.state).kinetic;
        result.peak = std::max(result.peak, result.last);
        result.overlap = std::max(result.overlap, deepest_overlap(sim));
        result.unsolved += sim.frame.solution.status != SolveStatus::kSolved;
    }
    result.outside = furthest_outside(sim);
    std::printf(
        "%-16s %5d spheres: kinetic %.2e of the peak, deepest overlap %.2e m, outside "
        "%.1e m, %d of %d steps not solved\n",
        model.c_str(), count, result.last / result.peak, result.overlap, result.outside,
        result.unsolved, steps);
    std::fflush(stdout);
    return result;
}

inline void expect_inside(const Settling& result) {
    EXPECT_LT(result.overlap, 0.01 * kRadius);
    EXPECT_LT(result.outside, 0.01 * kRadius);
}

inline bool has_coulomb_friction(std::string_view model) {
    return model != "viscous" && model != "no_slip";
}

}  // namespace stiction
