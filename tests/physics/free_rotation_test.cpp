// Bodies that turn freely keep energy and angular momentum over 1e5 whole steps, whatever their
// moments of inertia and their spin; and state files keep what that takes.
#include <gtest/gtest.h>

#include "step/simulation.h"

namespace stiction {
namespace {

// Without gravity and contacts.
Simulation turning(const Vec3& moments, const Quat& axes, const Vec3& w, double h) {
    Model model;
    model.gravity.setZero();
    model.materials.push_back({"default", {}});
    Body body;
    body.name = "body";
    body.mass = 1;
    const Mat3 R = axes.toRotationMatrix();
    body.inertia_B = axes.coeffs() == Quat::Identity().coeffs()
                         ? Mat3(moments.asDiagonal())
                         : Mat3(R * moments.asDiagonal() * R.transpose());
    model.bodies.push_back(body);
    finalize(model);
    State state;
    state.pose.resize(1);
    state.pose[0].q = Quat(Eigen::AngleAxisd(0.4, Vec3(1, 2, 3).normalized()));
    state.twist.push_back({Vec3::Zero(), state.pose[0].q * (axes * w)});
    StepSettings settings;
    settings.h = h;
    return make_simulation(model, state, {}, NoSlip{}, settings, 1);
}

struct Drifts {
    double energy = 0, momentum = 0;  // largest relative change
};

Drifts drifts(Simulation sim, int steps) {
    const double T0 = energy(sim.model, sim.state).kinetic;
    const Vec3 L0 = momentum(sim.model, sim.state).angular;
    Drifts drift;
    for (int i = 0; i < steps; ++i) {
        if (step(sim) != StepOutcome::kDone) return {1, 1};
        if (i % 100 != 99) continue;
        drift.energy =
            std::max(drift.energy, std::abs(energy(sim.model, sim.state).kinetic / T0 - 1));
        drift.momentum = std::max(drift.momentum,
                                  (momentum(sim.model, sim.state).angular - L0).norm() / L0.norm());
    }
    return drift;
}

// Moments of a uniform box per unit of mass.
Vec3 box(double x, double y, double z) {
    return Vec3(y * y + z * z, x * x + z * z, x * x + y * y) / 12;
}

struct Turning {
    const char* name;
    Vec3 moments;
    Vec3 w;  // principal axes [rad/s]
    double h;
};

// Rod, stick and pencil with spins at which a fixed-point iteration of the midpoint gained 17, 8.5
// and 2.4 times their energy in a second or less.
TEST(FreeRotation, KeepsEnergyAndAngularMomentum) {
    const std::vector<Turning> all = {
        {"rod", box(1, 1e-3, 1e-3), 10 * Vec3(0.6, 0.8, 0), 1e-3},
        {"rod about its length", box(1, 1e-3, 1e-3), Vec3(10, 1e-5, 0), 1e-3},
        {"stick", box(1, 0.02, 0.02), 60 * Vec3(0.6, 0.48, 0.64), 1e-3},
        {"pencil", box(0.18, 0.007, 0.0071), 10 * Vec3(1, 1, 1).normalized(), 1e-2},
        {"plate", box(1, 0.7, 1e-3), 20 * Vec3(0.1, 1, 0.2).normalized(), 1e-2},
        {"ratio 1e8, fast", Vec3(1e-8, 1, 1 + 0.5e-8), 1000 * Vec3(1, 2, 3).normalized(), 1e-3},
        {"ratio 1e8, light axis", Vec3(1e-8, 1, 1 - 0.5e-8), Vec3(1000, 1e-6, 0), 1e-3},
        {"7 rad a step", Vec3(1, 2, 3), 700 * Vec3(1, 2, 3).normalized(), 1e-2},
    };
    for (const Turning& t : all) {
        const Drifts drift = drifts(turning(t.moments, Quat::Identity(), t.w, t.h), 100000);
        EXPECT_LT(drift.energy, 1e-9) << t.name;
        EXPECT_LT(drift.momentum, 1e-11) << t.name;
    }
}

TEST(FreeRotation, NeedsNoPrincipalBodyAxes) {
    const Quat axes(Eigen::AngleAxisd(1.1, Vec3(1, -1, 0.3).normalized()));
    const Drifts drift = drifts(turning(box(1, 0.02, 0.02), axes, Vec3(30, 40, 10), 1e-3), 20000);
    EXPECT_LT(drift.energy, 1e-11);
    EXPECT_LT(drift.momentum, 1e-11);
}

// Faster than the step can follow is told: more than half a turn, or more than ten radii of
// gyration.
TEST(FreeRotation, TooFastIsTold) {
    const auto fast_steps = [](const Vec3& v, const Vec3& w) {
        Simulation sim = turning(Vec3(1, 1, 1), Quat::Identity(), w, 1e-2);
        sim.state.twist[0].v = v;
        for (int i = 0; i < 10; ++i) EXPECT_EQ(step(sim), StepOutcome::kDone);
        EXPECT_EQ(sim.motion.first_fast_body, sim.motion.fast_steps > 0 ? 0 : kNone);
        return sim.motion.fast_steps;
    };
    const double gyration = std::sqrt(1.5);  // of 1 kg
    EXPECT_EQ(fast_steps(Vec3(999 * gyration, 0, 0), Vec3(0, 310, 0)), 0);
    EXPECT_EQ(fast_steps(Vec3(1001 * gyration, 0, 0), Vec3::Zero()), 10);
    EXPECT_EQ(fast_steps(Vec3::Zero(), Vec3(0, 320, 0)), 10);
}

// A twist that someone sets counts, and what was kept in principal axes does not.
TEST(FreeRotation, FollowsATwistThatIsSet) {
    Simulation sim = turning(Vec3(1, 2, 3), Quat::Identity(), Vec3(1, 2, 3), 1e-3);
    for (int i = 0; i < 10; ++i) ASSERT_EQ(step(sim), StepOutcome::kDone);
    sim.state.twist[0].w = Vec3(0, 0, 5);
    EXPECT_LT((principal_spin(sim.model.bodies[0], sim.state, 0) -
               sim.state.pose[0].q.conjugate() * Vec3(0, 0, 5))
                  .norm(),
              1e-14);
    const Vec3 L = momentum(sim.model, sim.state).angular;
    for (int i = 0; i < 10; ++i) ASSERT_EQ(step(sim), StepOutcome::kDone);
    EXPECT_LT((momentum(sim.model, sim.state).angular - L).norm(), 1e-13);
}

}  // namespace
}  // namespace stiction
