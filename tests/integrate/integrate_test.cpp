// Free motion: parabola, tumbling with conserved angular momentum and energy, the intermediate-axis
// flip.
#include "integrate/integrate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "scene_runs.h"
#include "step/simulation.h"

namespace stiction {
namespace {

// A brick with three different moments of inertia, free in space.
Simulation brick(const Vec3& w, double h, const Vec3& gravity = Vec3::Zero()) {
    Model model;
    Body body;
    body.name = "brick";
    body.mass = 2;
    body.inertia_B = Vec3(1, 2, 3).asDiagonal();
    model.bodies.push_back(body);
    model.gravity = gravity;
    model.materials.push_back({"default", {}});
    finalize(model);
    State state;
    state.pose.resize(1);
    state.pose[0].q = Quat(Eigen::AngleAxisd(0.4, Vec3(1, 2, 3).normalized()));
    state.twist.push_back({Vec3(0.1, 0.2, 5), state.pose[0].q * w});
    StepSettings settings;
    settings.h = h;
    return make_simulation(model, state, {}, NoSlip{}, settings, 1);
}

// Symplectic Euler in free fall is exact in velocity, and in position up to the known h g t / 2.
TEST(Integrate, FreeFlightIsExact) {
    const double h = 1e-3, g = 9.81;
    Simulation sim = brick(Vec3::Zero(), h, Vec3(0, 0, -g));
    const Vec3 v0 = sim.state.twist[0].v;
    const int n = 1000;
    for (int i = 0; i < n; ++i) ASSERT_EQ(step(sim), StepOutcome::kDone);
    const double t = n * h;
    EXPECT_LT((sim.state.twist[0].v - (v0 + Vec3(0, 0, -g * t))).norm(), 1e-12);
    EXPECT_LT((sim.state.pose[0].p - (v0 * t + Vec3(0, 0, -0.5 * g * t * (t + h)))).norm(), 1e-11);
    EXPECT_NEAR(sim.state.time, t, 1e-12);
}

TEST(Integrate, TumblingConservesAngularMomentumAndEnergy) {
    Simulation sim = brick(Vec3(3, 10, 1), 0.01);
    const Vec3 L = momentum(sim.model, sim.state).angular -
                   sim.state.pose[0].p.cross(momentum(sim.model, sim.state).linear);
    const double E = energy(sim.model, sim.state).kinetic;
    for (int i = 0; i < 1000; ++i)
        ASSERT_EQ(step(sim), StepOutcome::kDone);  // 10 s at about 10 rad/s
    const Momentum now = momentum(sim.model, sim.state);
    EXPECT_LT((now.angular - sim.state.pose[0].p.cross(now.linear) - L).norm(), 1e-12 * L.norm());
    EXPECT_NEAR(energy(sim.model, sim.state).kinetic / E, 1.0, 1e-12);
}

// Dzhanibekov: spin about the middle axis turns over and back; about the others it does not.
TEST(Integrate, TheIntermediateAxisFlips) {
    for (const int axis : {0, 1, 2}) {
        Vec3 w = 0.01 * Vec3::Ones();
        w[axis] = 5;
        Simulation sim = brick(w, 1e-3);
        double least = 1;
        for (int i = 0; i < 10000; ++i) {
            ASSERT_EQ(step(sim), StepOutcome::kDone);
            const Vec3 w_B = sim.state.pose[0].q.conjugate() * sim.state.twist[0].w;
            least = std::min(least, w_B[axis] / 5);
        }
        if (axis == 1) {
            EXPECT_LT(least, -0.99);
        } else {
            EXPECT_GT(least, 0.99);
        }
    }
}

// First order: halving h halves the error of the orientation, against a fine reference.
TEST(Integrate, ConvergesForTumbling) {
    const auto end = [](double h) {
        Simulation sim = brick(Vec3(1, 2, 3), h);
        const int n = static_cast<int>(std::lround(1 / h));
        for (int i = 0; i < n; ++i) (void)step(sim);
        return sim.state.pose[0].q;
    };
    const Quat reference = end(1e-5);
    const double coarse = end(4e-3).angularDistance(reference);
    const double fine = end(2e-3).angularDistance(reference);
    EXPECT_LT(coarse, 1e-4);
    EXPECT_GT(coarse / fine, 3.5);  // midpoint: second order
}

}  // namespace
}  // namespace stiction
