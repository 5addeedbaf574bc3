// least_impulses_test.cpp - where impulses of contacts are not unique the least ones are taken,
// whatever the law: those of the least sum of squares.
#include <gtest/gtest.h>

#include <cmath>

#include "scene_runs.h"
#include "step/simulation.h"

namespace stiction::least_impulses_test {
namespace {

constexpr const char* kModels[] = {"viscous",         "no_slip",      "coulomb_lcp",
                                   "max_dissipation", "friction_box", "coulomb_cone"};

double impulse_norm(const ContactSolution& solution) {
    double sum = 0;
    for (const auto* c : {&solution.c_n, &solution.c_s, &solution.c_t})
        for (const double x : *c) sum += x * x;
    return std::sqrt(sum);
}

// A wheel of 10 kg on n spherical feet on a circle, and on one ground or on as many posts: by
// symmetry each foot carries m g / n, so that |c| = m g h / sqrt(n).
Simulation wheel(int feet, bool posts, const char* model_name) {
    Model model;
    model.materials.push_back({"default", {0.5, 0, 0}});
    Body top;
    top.name = "top";
    top.mass = 10;
    top.inertia_B = Vec3(0.9, 0.9, 1.7).asDiagonal();
    model.bodies.push_back(top);
    State state;
    state.pose.resize(1);
    state.pose[0].p = {0, 0, 0.06};
    const auto add_static = [&](const Shape& shape, const Vec3& p) {
        Body body;
        body.name = "ground_" + std::to_string(model.bodies.size());
        body.kind = BodyKind::kStatic;
        Geom& geom = model.geoms.emplace_back();
        geom.body = static_cast<int>(model.bodies.size());
        geom.shape = shape;
        model.bodies.push_back(body);
        state.pose.emplace_back().p = p;
    };
    if (!posts) add_static(Plane{}, Vec3::Zero());
    for (int i = 0; i < feet; ++i) {
        const double angle = 2 * M_PI * i / feet;
        const Vec3 p = 0.5 * Vec3(std::cos(angle), std::sin(angle), 0);
        Geom& foot = model.geoms.emplace_back();
        foot.body = 0;
        foot.shape = Sphere{0.01};
        foot.pose_BG.p = p - Vec3(0, 0, 0.05);
        if (posts) add_static(Box{Vec3(0.05, 0.05, 0.1)}, p - Vec3(0, 0, 0.1));
    }
    state.twist.resize(state.pose.size());
    finalize(model);
    return make_simulation(model, state, {}, model_named(model_name), {}, 1);
}

TEST(LeastImpulses, FeetOnACircleShareTheWeight) {
    for (const bool posts : {false, true}) {
        for (const int feet : {5, 6, 12}) {
            for (const char* model : kModels) {
                Simulation sim = wheel(feet, posts, model);
                take_steps(sim, 50);
                const double weight = 10 * kGravity * sim.settings.h;
                EXPECT_NEAR(impulse_norm(sim.frame.solution) / weight, 1 / std::sqrt(feet), 1e-3)
                    << model << ", " << feet << (posts ? " posts" : " feet");
            }
        }
    }
}

}  // namespace
}  // namespace stiction::least_impulses_test
