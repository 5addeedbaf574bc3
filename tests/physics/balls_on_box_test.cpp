// balls_on_box_test.cpp - 25 balls of 1 kg ride on a box of 10 kg that is pulled over the ground
// with 150 N: sliding below, rolling above, all in one island.
//
// Friction of 0.4 against the weight of all, 0.4 * 35 kg * g = 137.34 N, is overcome. A ball that
// rolls without slip on a plate with acceleration a moves with 2/7 a: the plate's force f = m
// a_ball turns it with 2/5 m r^2 w' = f r, and a - a_ball = r w'. So
//   a_box = (150 - 137.34) / (10 + 25 * 2/7) = 0.73850 m/s^2,   a_ball = 2/7 a_box = 0.21100 m/s^2.
// Rolling needs friction of 0.211 N per ball, far below 0.8 m g.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "scene/scene_files.h"
#include "scene_runs.h"
#include "step/simulation.h"

namespace stiction {
namespace {

constexpr double kFriction = 0.4 * 35 * 9.81;   // [N]
constexpr double kCarried = 10 + 25 * 2.0 / 7;  // [kg]
constexpr int kSteps = 100;

constexpr const char* kScene = R"(version: 1
parameters: {direction: 0}
contact: {model: coulomb_cone}
step: {h: 0.001}
materials:
  floor: {friction: 0.4}
  box: {friction: 0.4}
  ball: {friction: 0.8}
material_pairs:
  - {materials: [box, floor], friction: 0.4}
  - {materials: [box, ball], friction: 0.8}
bodies:
  - {name: ground, kind: static, material: floor, shape: {type: plane}}
  - {name: box, mass: 10, material: box, position: [0, 0, 0.05],
     shape: {type: box, size: [1, 1, 0.1]}}
  - name: ball
    repeat: {count: [5, 5], spacing: [0.15, 0.15, 0], centred: true}
    mass: 1
    material: ball
    position: [0, 0, 0.15]
    shape: {type: sphere, radius: 0.05}
forces:
  - {body: box, force: [150*cos(direction deg), 150*sin(direction deg), 0]}
)";

struct Ride {
    Vec3 box = Vec3::Zero();   // mean acceleration [m/s^2]
    Vec3 ball = Vec3::Zero();  // mean over the balls
    double spread = 0;         // largest difference of a ball from that mean
    std::string solver;
};

Ride ride(const std::string& model, double degrees) {
    SceneOverrides overrides;
    overrides.parameters = {{"direction", exactly(degrees)}};
    const Scene scene = SceneFiles().load(kScene, overrides);
    Simulation sim = simulate(scene, model_named(model));
    take_steps(sim, kSteps);
    EXPECT_EQ(sim.frame.problem.islands.size(), 1U);
    const double time = kSteps * scene.step.h;
    Ride result;
    result.solver = sim.frame.solution.solver;
    result.box = sim.state.twist[1].v / time;
    for (std::size_t b = 2; b < sim.state.twist.size(); ++b) {
        result.ball += sim.state.twist[b].v / (25 * time);
    }
    for (std::size_t b = 2; b < sim.state.twist.size(); ++b) {
        result.spread = std::max(result.spread, (sim.state.twist[b].v / time - result.ball).norm());
    }
    return result;
}

// What the law of each model gives, along x and y. The pyramid leads the box along its diagonal
// (sliding_test.cpp), the box law brakes x and y each with up to the whole friction, no_slip holds
// the box, and viscous friction has no coefficient here.
Vec3 expected_box(const std::string& model, double degrees) {
    const double f_x = 150 * std::cos(degrees * M_PI / 180);
    const double f_y = 150 * std::sin(degrees * M_PI / 180);
    const auto braked = [](double f) { return std::max(0.0, f - kFriction); };
    if (model == "no_slip") return Vec3::Zero();
    if (model == "viscous") return Vec3(f_x, f_y, 0) / 10;
    if (model == "friction_box") return Vec3(braked(f_x), braked(f_y), 0) / kCarried;
    if (model == "coulomb_lcp" && std::abs(f_x - f_y) < kFriction) {
        return (f_x + f_y - kFriction) / 2 / kCarried * Vec3(1, 1, 0);
    }
    return (1 - kFriction / 150) * Vec3(f_x, f_y, 0) / kCarried;
}

TEST(BallsOnABox, BoxSlidesAndBallsRollAsTheClosedFormSays) {
    EXPECT_NEAR(expected_box("coulomb_cone", 0).norm(), 0.7385, 5e-5);
    for (const double degrees : {0.0, 60.0}) {
        std::printf("150 N at %2.0f degrees      a_box, a_ball [m/s^2]     expected  solver\n",
                    degrees);
        for (const std::string_view name : kContactModelNames) {
            const std::string model(name);
            const Ride result = ride(model, degrees);
            const Vec3 box = expected_box(model, degrees);
            const Vec3 ball = (model == "viscous" ? 0 : 2.0 / 7) * box;
            std::printf("  %-16s  %.5f at %5.1f, %.5f  %.4f, %.4f  %s\n", model.c_str(),
                        result.box.norm(), std::atan2(result.box.y(), result.box.x()) * 180 / M_PI,
                        result.ball.norm(), box.norm(), ball.norm(), result.solver.c_str());
            EXPECT_LT((result.box - box).norm(), 1e-4 * box.norm() + 1e-6) << model << degrees;
            EXPECT_LT((result.ball - ball).norm(), 1e-4 * ball.norm() + 1e-6) << model << degrees;
            EXPECT_LT(result.spread, 1e-3 * ball.norm() + 1e-6) << model << degrees;
        }
    }
}

}  // namespace
}  // namespace stiction
