// The midpoint rule: second order in both kinds of coordinates, and energy that stays.
#include <gtest/gtest.h>

#include "physics/chain_energy.h"
#include "scene_runs.h"

namespace stiction {
namespace {

constexpr Integrator kMid = Integrator::kMidpoint;

// Relative loss of a pendulum of 0.1 m, released at the horizontal, in 10 s; positive: gained.
double pendulum_gain(bool reduced, Integrator integrator) {
    Simulation sim =
        hanging({.links = 1, .reduced = reduced, .angle = M_PI / 2, .integrator = integrator});
    const double start = energy(sim.model, sim.state).total();
    for (int i = 0; i < 10000; ++i) EXPECT_EQ(step(sim), StepOutcome::kDone);
    EXPECT_EQ(sim.motion.midpoint_fallbacks, 0);
    return (energy(sim.model, sim.state).total() - start) / (9.81 * 0.05);
}

TEST(Midpoint, PendulumKeepsItsEnergy) {
    for (const bool reduced : {true, false}) {
        const double first = pendulum_gain(reduced, Integrator::kSymplecticEuler);
        const double second = pendulum_gain(reduced, kMid);
        std::printf("pendulum, %s: %+.5f by symplectic Euler, %+.6f by midpoint\n",
                    reduced ? "reduced" : "maximal", first, second);
        EXPECT_LT(std::abs(second), 5e-3);
        EXPECT_LT(first, 6e-3);
        EXPECT_GT(first, reduced ? -6e-3 : -0.5);
    }
}

Vec3 end_of_chain(bool reduced, double h) {
    Simulation sim = hanging({.links = 10, .reduced = reduced, .h = h, .integrator = kMid});
    for (int i = 0; i < std::lround(0.5 / h); ++i) (void)step(sim);
    return free_end(sim, 0.1);
}

TEST(Midpoint, ChainsConvergeToSecondOrderAndTogether) {
    const Vec3 reference = end_of_chain(true, 6.25e-5);
    for (const bool reduced : {true, false}) {
        const double coarse = (end_of_chain(reduced, 1e-3) - reference).norm();
        const double fine = (end_of_chain(reduced, 5e-4) - reference).norm();
        std::printf("chain of 10, %s: end off by %.2e m at 1 ms, %.2e m at 0.5 ms, order %.2f\n",
                    reduced ? "reduced" : "maximal", coarse, fine, std::log2(coarse / fine));
        EXPECT_NEAR(std::log2(coarse / fine), 2, 0.3);
    }
}

// Largest distance of the total energy from its start, and the largest kinetic energy.
struct Swing {
    double error = 0, kinetic = 0;
};

Swing swing(bool reduced) {
    Scene arm = shipped_scene("arm", {{"friction", "0"}});
    arm.step.integrator = kMid;
    if (!reduced) {
        for (Joint& joint : arm.model.joints) joint.reduced = false;
        finalize(arm.model);
    }
    Simulation sim = simulate(arm, NoSlip{});
    const double start = energy(sim.model, sim.state).total();
    Swing result;
    for (int i = 0; i < 5000; ++i) {
        EXPECT_EQ(step(sim), StepOutcome::kDone);
        const Energy now = energy(sim.model, sim.state);
        result.error = std::max(result.error, std::abs(now.total() - start));
        result.kinetic = std::max(result.kinetic, now.kinetic);
    }
    std::printf("arm, %s: energy within %.4f J, kinetic up to %.2f J, %lld fallbacks\n",
                reduced ? "reduced" : "maximal", result.error, result.kinetic,
                static_cast<long long>(sim.motion.midpoint_fallbacks));
    return result;
}

TEST(Midpoint, TheArmKeepsItsEnergy) {
    const Swing reduced = swing(true);
    EXPECT_LT(reduced.error, 0.01 * reduced.kinetic);
    const Swing maximal = swing(false);
    EXPECT_LT(maximal.error, 0.01 * maximal.kinetic);
}

// Chains that the midpoint rule follows only in part. What it follows it may gain on, to second
// order.
TEST(Midpoint, ChainsGainLittleEnergy) {
    for (const bool reduced : {true, false})
        for (const int links : {2, 5, 10})
            for (const double h : {1e-3, 5e-3, 1e-2})
                expect_no_energy_gained(
                    {.links = links, .reduced = reduced, .h = h, .integrator = kMid}, 20, 0.015);
}

// Too coarse for the midpoint rule: it says so, and nothing is gained.
TEST(Midpoint, FallsBackWhereItCannotFollow) {
    for (const bool reduced : {true, false}) {
        Simulation sim = hanging({.links = 50, .reduced = reduced, .h = 1e-2, .integrator = kMid});
        const double start = energy(sim.model, sim.state).total();
        for (int i = 0; i < 300; ++i) ASSERT_EQ(step(sim), StepOutcome::kDone);
        EXPECT_LT(energy(sim.model, sim.state).total(), start);
        EXPECT_GT(sim.motion.midpoint_fallbacks, 0);
    }
}

// What touches is stepped as by default, to the last bit.
TEST(Midpoint, LeavesContactsAlone) {
    Scene scene = shipped_scene("stack", {{"boxes", "3"}});
    Simulation first = simulate(scene, scene.contact);
    scene.step.integrator = kMid;
    Simulation second = simulate(scene, scene.contact);
    for (int i = 0; i < 100; ++i) {
        ASSERT_EQ(step(first), StepOutcome::kDone);
        ASSERT_EQ(step(second), StepOutcome::kDone);
    }
    EXPECT_EQ(state_hash(first.state), state_hash(second.state));
}

// Free flight: the parabola to rounding, and a tumbling body's energy.
TEST(Midpoint, FreeFlightIsExact) {
    Simulation sim = hanging({.links = 1});
    sim.model.joints.clear();
    finalize(sim.model);
    sim = make_simulation(sim.model, sim.state, {}, NoSlip{}, sim.settings, 1);
    sim.settings.integrator = kMid;
    sim.state.twist[0] = {Vec3(1, 2, 3), Vec3(30, 10, 20)};
    const Vec3 p0 = sim.state.pose[0].p;
    const double T0 = energy(sim.model, sim.state).total();
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(step(sim), StepOutcome::kDone);
    EXPECT_LT((sim.state.pose[0].p - p0 - Vec3(1, 2, 3 - 0.5 * 9.81)).norm(), 1e-11);
    EXPECT_NEAR(energy(sim.model, sim.state).total(), T0, 1e-10 * std::abs(T0));
}

}  // namespace
}  // namespace stiction
