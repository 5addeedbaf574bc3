// rk4_test.cpp - the integrator alone: closed forms of a spring, of constant spin and of a spin
// that turns.
#include "integrate/rk4.h"

#include <gtest/gtest.h>

#include <cmath>

#include "dynamics/free_body.h"

namespace stiction {
namespace {

struct Bodies {
    Model model;
    State state;

    Bodies() {
        model.bodies = {{.name = "free"}, {.name = "fixed", .kind = BodyKind::kStatic}};
        state.pose.resize(2);
        state.twist.resize(2);
    }
    void run(double h, int steps, const Accelerations& accelerations) {
        Rk4Workspace workspace;
        std::vector<Twist> mean;
        for (int i = 0; i < steps; ++i) {
            const Pose before = state.pose[0];
            rk4(model, h, accelerations, workspace, state, mean);
            EXPECT_LT((before.p + h * mean[0].v - state.pose[0].p).norm(), 1e-15);
            EXPECT_LT(rotated(before.q, h * mean[0].w).angularDistance(state.pose[0].q), 1e-7);
        }
    }
};

TEST(Rk4, ASpringConvergesWithOrderFour) {
    double error[3];
    for (int k = 0; k < 3; ++k) {
        Bodies bodies;
        bodies.state.pose[0].p = Vec3(1, 0, 0);
        bodies.state.twist[0].v = Vec3(0, 2, 0);
        const int steps = 20 << k;
        bodies.run(2.0 / steps, steps,
                   [](int, const State& s, std::vector<Twist>& a) { a[0].v = -s.pose[0].p; });
        EXPECT_NEAR(bodies.state.time, 2, 1e-12);
        EXPECT_EQ(bodies.state.step, steps);
        error[k] = (bodies.state.pose[0].p - Vec3(std::cos(2.0), 2 * std::sin(2.0), 0)).norm() +
                   (bodies.state.twist[0].v - Vec3(-std::sin(2.0), 2 * std::cos(2.0), 0)).norm();
    }
    EXPECT_NEAR(error[0] / error[1], 16, 1.5);
    EXPECT_NEAR(error[1] / error[2], 16, 1.5);
}

TEST(Rk4, ConstantSpinTurnsExactly) {
    Bodies bodies;
    const Vec3 w(1, 20, -3);
    bodies.state.twist[0].w = w;
    bodies.run(0.05, 10, [](int, const State&, std::vector<Twist>&) {});
    EXPECT_LT(rotated(Quat::Identity(), 0.5 * w).angularDistance(bodies.state.pose[0].q), 1e-7);
}

// Spin (c cos t, c sin t, 0): seen from axes that turn with it about z it is constant, so the
// orientation is exp(t e_z) exp(t (c, 0, -1)).
TEST(Rk4, ATurningSpinConvergesWithOrderFour) {
    const double c = 2, time = 1.5;
    const Quat exact =
        rotated(rotated(Quat::Identity(), time * Vec3(c, 0, -1)), time * Vec3::UnitZ());
    double error[3];
    for (int k = 0; k < 3; ++k) {
        Bodies bodies;
        bodies.state.twist[0].w = Vec3(c, 0, 0);
        const int steps = 10 << k;
        bodies.run(time / steps, steps, [&](int, const State& s, std::vector<Twist>& a) {
            a[0].w = c * Vec3(-std::sin(s.time), std::cos(s.time), 0);
        });
        error[k] = (bodies.state.pose[0].q.coeffs() - exact.coeffs()).norm();
    }
    EXPECT_NEAR(error[0] / error[1], 16, 3);
    EXPECT_NEAR(error[1] / error[2], 16, 3);
    EXPECT_LT(error[2], 1e-6);
}

TEST(Rk4, StaticBodiesStay) {
    Bodies bodies;
    bodies.state.pose[1].p = Vec3(1, 2, 3);
    bodies.run(0.1, 3, [](int, const State&, std::vector<Twist>& a) {
        for (Twist& twist : a) twist.v = Vec3(1, 1, 1);
    });
    EXPECT_EQ(bodies.state.pose[1].p, Vec3(1, 2, 3));
    EXPECT_TRUE(bodies.state.twist[1].v.isZero(0.0));
}

}  // namespace
}  // namespace stiction
