// impulse_drift_long_test.cpp - impulses of redundant contacts are not unique; warm starts must not
// let them wander off over 100,000 steps.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "scene_runs.h"
#include "step/simulation.h"

namespace stiction {
namespace {

constexpr int kDriftSteps = 100000;
constexpr int kSettled = 1000;  // steps
constexpr const char* kModels[] = {"viscous",         "no_slip",      "coulomb_lcp",
                                   "max_dissipation", "friction_box", "coulomb_cone"};

// A table of 10 kg on five spherical feet: corners and centre.
Simulation table(const char* model_name) {
    Model model;
    model.materials.push_back({"default", {0.5, 0, 0}});
    Body ground;
    ground.name = "ground";
    ground.kind = BodyKind::kStatic;
    Body top;
    top.name = "top";
    top.mass = 10;
    top.inertia_B = Vec3(0.9, 0.9, 1.7).asDiagonal();
    model.bodies = {ground, top};
    model.geoms.resize(1);
    model.geoms[0].body = 0;
    model.geoms[0].shape = Plane{};
    for (const Vec3& p : {Vec3(-0.5, -0.5, -0.05), Vec3(0.5, -0.5, -0.05), Vec3(0, 0, -0.05),
                          Vec3(-0.5, 0.5, -0.05), Vec3(0.5, 0.5, -0.05)}) {
        Geom& foot = model.geoms.emplace_back();
        foot.body = 1;
        foot.shape = Sphere{0.01};
        foot.pose_BG.p = p;
    }
    finalize(model);
    State state;
    state.pose.resize(2);
    state.twist.resize(2);
    state.pose[1].p = {0, 0, 0.06};
    return make_simulation(model, state, {}, model_named(model_name), {}, 1);
}

double impulse_norm(const ContactSolution& solution) {
    double sum = 0;
    for (const auto* c : {&solution.c_n, &solution.c_s, &solution.c_t})
        for (const double x : *c) sum += x * x;
    return std::sqrt(sum);
}

// The norm once settled, and the largest after that.
struct Norms {
    double settled = 0, largest = 0;
};
Norms run(Simulation& sim) {
    Norms norms;
    for (int i = 0; i < kDriftSteps; ++i) {
        EXPECT_EQ(step(sim), StepOutcome::kDone);
        const double norm = impulse_norm(sim.frame.solution);
        if (i == kSettled) norms.settled = norm;
        if (i >= kSettled) norms.largest = std::max(norms.largest, norm);
    }
    return norms;
}

// The weight is shared by five feet: the norm is least where each has a fifth, m g h / sqrt(5).
TEST(ImpulseDrift, TableOnFiveFeet) {
    for (const char* model : kModels) {
        Simulation sim = table(model);
        const Norms norms = run(sim);
        const double weight = 10 * kGravity * sim.settings.h;
        std::printf("%s: |c| / (m g h) %.6f settled, %.6f at most; least %.6f\n", model,
                    norms.settled / weight, norms.largest / weight, 1 / std::sqrt(5.0));
        EXPECT_NEAR(norms.settled / weight, 1 / std::sqrt(5.0), 1e-3) << model;
        EXPECT_NEAR(norms.largest / weight, 1 / std::sqrt(5.0), 1e-3) << model;
    }
}

// Two cards that lean on each other: friction at feet and ridge may squeeze them.
TEST(ImpulseDrift, TwoCards) {
    for (const char* model : {"coulomb_cone", "friction_box"}) {
        Simulation sim = simulate(shipped_scene("cards", {{"levels", "1"}}), model_named(model));
        const Norms norms = run(sim);
        std::printf("%s: |c| %.6e N s settled, %.6e at most\n", model, norms.settled,
                    norms.largest);
        EXPECT_LE(norms.largest, 1.01 * norms.settled) << model;
    }
}

}  // namespace
}  // namespace stiction
