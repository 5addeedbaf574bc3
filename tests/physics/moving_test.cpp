// Motion against closed forms: sliding, swinging, bouncing.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "dynamics/joint_geometry.h"
#include "scene_runs.h"
#include "step/simulation.h"

namespace stiction {
namespace {

// Semi-implicit Euler gains exactly h a per step, so the speed after n steps is n h a to solver
// accuracy. The slope lies along one of the friction directions; the cube does not tip below 45
// degrees.
TEST(Ramp, SlidesAtTheClosedFormSpeed) {
    for (const char* angle : {"10", "20", "40"}) {
        for (const char* mu : {"0", "0.1", "0.15"}) {
            for (const char* solver : {"auto", "lemke"}) {
                const double theta = std::stod(angle) * M_PI / 180;
                Simulation sim = simulate(shipped_scene("ramp", {{"angle", angle}, {"mu", mu}}),
                                          model_named("coulomb_lcp", solver));
                const int n = static_cast<int>(std::lround(1.0 / sim.settings.h));
                take_steps(sim, n);
                const double a = 9.81 * (std::sin(theta) - std::stod(mu) * std::cos(theta));
                EXPECT_NEAR(sim.state.twist.back().v.norm(), n * sim.settings.h * a, 1e-8)
                    << angle << " degrees, mu " << mu << ", " << solver;
            }
        }
    }
}

// theta'' = -w0^2 sin(theta): period 4 K(sin(theta0 / 2)) / w0.
double measured_period(double h, double seconds, double* drift = nullptr) {
    Scene scene = shipped_scene("pendulum");
    scene.step.h = h;
    Simulation sim = simulate(scene, NoSlip{});
    const int steps = static_cast<int>(std::lround(seconds / h));
    double previous = joint_coordinate(sim.state, sim.model.joints[0]).position;
    std::vector<double> crossings;  // downward through zero, interpolated
    for (int i = 1; i <= steps; ++i) {
        EXPECT_EQ(step(sim), StepOutcome::kDone);
        const double angle = joint_coordinate(sim.state, sim.model.joints[0]).position;
        if (previous > 0 && angle <= 0)
            crossings.push_back(h * (i - 1 + previous / (previous - angle)));
        previous = angle;
        if (drift == nullptr) continue;
        const JointGeometry joint = joint_geometry(sim.state, sim.model.joints[0], 1.0);
        for (int k = 0; k < joint.rows; ++k)
            *drift = std::max(*drift, std::abs(joint.error[static_cast<std::size_t>(k)]));
    }
    if (crossings.size() < 2) {
        ADD_FAILURE() << "the pendulum did not swing";
        return 0;
    }
    return (crossings.back() - crossings.front()) / static_cast<double>(crossings.size() - 1);
}

TEST(Pendulum, PeriodConvergesToTheEllipticIntegral) {
    const double length = 1, width = 0.02, theta0 = M_PI / 3;
    const double w0 = std::sqrt(9.81 * length / 2 / (length * length / 3 + width * width / 12));
    const double exact = 4 * std::comp_ellint_1(std::sin(theta0 / 2)) / w0;
    std::vector<double> error;
    for (const double h : {4e-3, 2e-3, 1e-3})
        error.push_back(std::abs(measured_period(h, 10) - exact));
    EXPECT_LT(error[2] / exact, 2e-3);
    // At least the integrator's first order: halving h at least halves the error, unless it is
    // round-off already.
    EXPECT_GT(error[0] / error[1], 1.8) << error[0] << " " << error[1];
    EXPECT_GT(error[1] / error[2], 1.8) << error[1] << " " << error[2];
}

TEST(Pendulum, TheJointDoesNotDriftInAMinute) {
    double drift = 0;
    (void)measured_period(1e-3, 60, &drift);
    EXPECT_LT(drift, 1e-6);
}

// After the first bounce ball e rises to e^2 times the height it fell.
TEST(Bounce, ApexHeightsFollowTheRestitutionSquared) {
    for (const char* model : {"no_slip", "coulomb_lcp"}) {
        const Scene scene = shipped_scene("bounce");
        ASSERT_EQ(scene.step.h, 1e-4);
        Simulation sim = simulate(scene, model_named(model));
        const std::size_t count = scene.model.bodies.size();
        std::vector<double> apex(count, 0.0);
        std::vector<int> rising(count, 0);  // 1: after the first bounce, 2: past the apex
        for (int i = 0; i < 15000; ++i) {
            take_steps(sim, 1);
            for (std::size_t b = 1; b < count; ++b) {
                const double v = sim.state.twist[b].v.z();
                if (rising[b] == 0 && v > 0) rising[b] = 1;
                if (rising[b] == 1 && v < 0) rising[b] = 2;
                if (rising[b] == 1) apex[b] = std::max(apex[b], sim.state.pose[b].p.z() - 0.05);
            }
        }
        for (std::size_t b = 2; b < count; ++b) {
            const double eps = 0.1 * static_cast<double>(b - 1);
            EXPECT_NEAR(apex[b] / (eps * eps), 1.0, 0.01) << model << " eps " << eps;
        }
        EXPECT_LT(apex[1], 1e-3);  // eps = 0 stays down
    }
}

// An inelastic ball dropped on the floor stops there: no tunnelling, no rebound, no overlap.
TEST(Fall, FastBodiesDoNotTunnel) {
    for (const double speed : {1.0, 30.0, 1000.0}) {
        Scene scene = shipped_scene("bounce", {{"balls", "1"}, {"max_restitution", "0"}});
        scene.state.twist.back().v = Vec3(0, 0, -speed);
        scene.step.h = 1e-3;
        Simulation sim = simulate(scene, NoSlip{});
        take_steps(sim, 1500);
        EXPECT_NEAR(sim.state.pose.back().p.z(), 0.05, 1e-9) << speed;
        EXPECT_LT(sim.state.twist.back().v.norm(), 1e-9) << speed;
    }
}

// Velocity and spin of a damped body decay as exp(-damping t), for any damping and step.
TEST(Drag, DecaysAsTheExponential) {
    for (const double damping : {0.5, 20.0, 1e4}) {
        Scene scene = shipped_scene("tumbler");
        scene.model.gravity.setZero();
        Body& body = scene.model.bodies.back();
        body.linear_damping = damping;
        body.angular_damping = damping;
        scene.step.h = 0.01;
        Twist& twist = scene.state.twist.back();
        twist.v = {1, 2, 3};
        const Quat q = scene.state.pose.back().q;
        twist.w = q * Vec3(0, 0, 4);  // about a principal axis
        const Twist start = twist;
        Simulation sim = simulate(scene, NoSlip{});
        take_steps(sim, 50);
        const double left = std::exp(-damping * 0.5);
        EXPECT_LT((sim.state.twist.back().v - left * start.v).norm(), 1e-12) << damping;
        EXPECT_LT((sim.state.twist.back().w - left * start.w).norm(), 1e-12) << damping;
    }
}

TEST(Motors, DrivesReachTheirTargetsAndLimitsHold) {
    Simulation sim = simulate(shipped_scene("motors"), NoSlip{});
    take_steps(sim, 3000);
    for (const Joint& joint : sim.model.joints) {
        const JointCoordinate q = joint_coordinate(sim.state, joint);
        if (joint.limited) {
            EXPECT_GE(q.position, joint.lower - 1e-6) << joint.name;
            EXPECT_LE(q.position, joint.upper + 1e-6) << joint.name;
        }
        if (joint.motor.kind == Motor::Kind::kVelocity && !joint.limited) {
            EXPECT_NEAR(q.velocity, joint.motor.target, 1e-6) << joint.name;
        }
    }
}

// Bricks that an arm sweeps away, pushed at 2 m/s: edges meet edges and faces lie nearly flat.
TEST(Moving, SweptBricksDoNotSinkIn) {
    const Scene scene = shipped_scene("urdf_arm");
    for (const char* model : {"no_slip", "coulomb_cone"}) {
        SCOPED_TRACE(model);
        Simulation sim = simulate(scene, make_contact_model(model));
        double deepest = 0;
        for (int i = 0; i < 1000; ++i) {
            take_steps(sim, 1);
            deepest = std::max(deepest, deepest_overlap(sim));
        }
        EXPECT_LT(deepest, 5e-5);
    }
}

}  // namespace
}  // namespace stiction
