// grains_test.cpp - what grains do and liquids do not: they leave an hourglass at one rate, and lie
// in a heap. Rates and angles are printed.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <numbers>

#include "scene_runs.h"
#include "step/simulation.h"

namespace stiction {
namespace grains_test {
namespace {

// Takes every step of the scene; after(sim) each time.
template <class After>
Simulation run_grains(const Scene& scene, const After& after) {
    Simulation sim = simulate(scene, scene.contact);
    double overlap = 0;
    int steps = 0, unsolved = 0;
    while (sim.state.time < scene.duration - 0.5 * scene.step.h) {
        if (step(sim) != StepOutcome::kDone) {
            ADD_FAILURE() << describe_failure(sim);
            break;
        }
        overlap = std::max(overlap, deepest_overlap(sim));
        ++steps;
        unsolved += sim.frame.solution.status != SolveStatus::kSolved;
        after(sim);
    }
    EXPECT_LE(100 * unsolved, steps);
    EXPECT_LT(overlap, 2e-4);  // a hundredth of a grain
    return sim;
}

std::size_t first_grain(const Model& model) { return body_named(model, "grain_0"); }

// The outflow of a liquid goes with the root of its depth: the last quarter would take 2.4 times as
// long as the one that begins at three quarters of the depth. Grains rest on each other and on the
// boards, and leave at a rate that the width of the slit and g set.
TEST(Grains, AnHourglassRunsAtOneRateUntilItIsEmpty) {
    Scene scene = shipped_scene("hourglass");
    scene.duration = 1.4;  // it is empty at 1.06 s
    const auto count = static_cast<int>(scene.parameters.at("grains"));
    std::array<double, 5> times{};  // when a share k/4 has gone through [s]
    const Simulation end = run_grains(scene, [&](const Simulation& sim) {
        int through = 0;
        for (std::size_t b = first_grain(sim.model); b < sim.model.bodies.size(); ++b)
            through += sim.state.pose[b].p.z() < 0;
        for (std::size_t k = 0; k < times.size(); ++k) {
            if (times[k] == 0 && through >= std::max(1, static_cast<int>(k) * count / 4))
                times[k] = sim.state.time;
        }
    });
    std::printf("hourglass: quarters of %d grains after", count);
    for (const double t : times) std::printf(" %.3f", t);
    std::printf(" s\n");
    ASSERT_GT(times[4], 0);  // all are through
    const double second = times[2] - times[1], last = times[4] - times[3];
    EXPECT_LT(last, 1.6 * second);
    EXPECT_GT(last, 0.6 * second);
    for (std::size_t b = first_grain(end.model); b < end.model.bodies.size(); ++b) {
        const Vec3& p = end.state.pose[b].p;
        EXPECT_LT(std::abs(p.y()), 0.0251);  // between the walls, on the floor, inside
        EXPECT_GT(p.z(), -0.3901);
        EXPECT_LT(std::abs(p.x()), 0.38);
        EXPECT_LT(p.z(), -0.2);
    }
}

TEST(Grains, AnHourglassWithANarrowSlitClogs) {
    Scene scene = shipped_scene("hourglass", {{"neck", "0.03"}});
    scene.duration = 0.4;  // with the default slit a quarter is through by then
    int through = 0;
    run_grains(scene, [&](const Simulation& sim) {
        through = 0;
        for (std::size_t b = first_grain(sim.model); b < sim.model.bodies.size(); ++b)
            through += sim.state.pose[b].p.z() < 0;
    });
    std::printf("hourglass: a slit of 1.5 grains lets %d through\n", through);
    EXPECT_LT(through, 20);
}

// Slope of the line through the highest grain of each ring of 2 cm around the middle [rad].
double heap_angle(const Simulation& sim) {
    constexpr int kRings = 5;
    std::array<double, kRings> top{};
    for (std::size_t b = first_grain(sim.model); b < sim.model.bodies.size(); ++b) {
        const Vec3& p = sim.state.pose[b].p;
        const auto ring = static_cast<std::size_t>(p.head<2>().norm() / 0.02);
        if (ring < top.size() && p.z() > 0) top[ring] = std::max(top[ring], p.z());
    }
    double slope = 0, squares = 0;
    for (int k = 0; k < kRings; ++k) {
        slope -= (k - 2) * 0.02 * top[at(k)];
        squares += (k - 2) * (k - 2) * 0.02 * 0.02;
    }
    return std::atan(slope / squares);
}

// Spheres that may roll heap up to 20 to 25 degrees and no higher, however rough; without friction
// only the glued ones hold the lowest layers.
TEST(Grains, AHeapHasItsAngleOfRepose) {
    std::array<double, 2> angles{};
    const std::array friction = {"0", "0.6"};
    for (std::size_t k = 0; k < friction.size(); ++k) {
        Scene scene = shipped_scene("repose", {{"mu", friction[k]}});
        scene.duration = 1.2;  // the heap lies; what fell off still rolls
        const Simulation sim = run_grains(scene, [](const Simulation&) {});
        angles[k] = heap_angle(sim) * 180 / std::numbers::pi;
        std::printf("repose: mu %s, heap at %.1f degrees\n", friction[k], angles[k]);
    }
    EXPECT_LT(angles[0], 8);
    EXPECT_GT(angles[1], 15);
    EXPECT_LT(angles[1], 32);
}

}  // namespace
}  // namespace grains_test
}  // namespace stiction
