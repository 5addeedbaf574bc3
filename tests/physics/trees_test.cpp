// Robots in reduced coordinates against the same robots in maximal coordinates, and what must hold
// whatever the coordinates.
#include <gtest/gtest.h>

#include "scene_runs.h"
#include "step/simulation.h"

namespace stiction {
namespace {

Scene in_maximal_coordinates(Scene scene) {
    for (Joint& joint : scene.model.joints) joint.reduced = false;
    const std::vector<SurfacePair> pairs = scene.model.surface_pairs;
    finalize(scene.model);
    scene.model.surface_pairs = pairs;
    return scene;
}

double apart(const Simulation& a, const Simulation& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.state.pose.size(); ++i)
        most = std::max(most, (a.state.pose[i].p - b.state.pose[i].p).norm());
    return most;
}

double apart_after(const Scene& scene, double h, double time) {
    Scene reduced = scene;
    reduced.step.h = h;
    const Scene maximal = in_maximal_coordinates(reduced);
    EXPECT_FALSE(reduced.model.trees.empty());
    EXPECT_TRUE(maximal.model.trees.empty());
    Simulation a = simulate(reduced, NoSlip{});
    Simulation b = simulate(maximal, NoSlip{});
    const auto steps = static_cast<int>(std::lround(time / h));
    take_steps(a, steps);
    take_steps(b, steps);
    return apart(a, b);
}

// Both are of first order: half the step, half the distance.
TEST(Trees, SameMotionInBothCoordinates) {
    const Scene arm = shipped_scene("arm", {{"friction", "0"}});
    const double coarse = apart_after(arm, 1e-3, 0.3);
    const double fine = apart_after(arm, 2.5e-4, 0.3);
    EXPECT_LT(coarse, 5e-3);
    EXPECT_LT(fine, 0.35 * coarse) << coarse << " " << fine;
}

TEST(Trees, FlyingRobotMovesAlikeInBothCoordinates) {
    Scene robot = shipped_scene("quadruped_flat");
    for (Pose& pose : robot.state.pose) pose.p.z() += 5;
    robot.state.pose[body_named(robot.model, "ground")].p.z() -= 5;
    robot.controls.gaits[0].height -= 0.03;  // the motors pull the legs up
    const double coarse = apart_after(robot, 1e-3, 0.5);
    const double fine = apart_after(robot, 2.5e-4, 0.5);
    EXPECT_LT(coarse, 5e-3);
    EXPECT_LT(fine, 0.4 * coarse) << coarse << " " << fine;
}

// Two rods of mass m, length l and inertia I about their centres, hinged at the origin and at the
// end of the first; gravity along x, angles from it. With d = t1 - t2 and c = m l^2 / 2,
//
//   (I + 5/4 m l^2) t1'' + c cos d t2'' = -c sin d t2'^2 - 3/2 m g l sin t1
//   (I + 1/4 m l^2) t2'' + c cos d t1'' =  c sin d t1'^2 - 1/2 m g l sin t2
struct DoublePendulum {
    double m = 1.3, l = 0.8, I = 0.11, g = 9.81;
    Eigen::Vector2d start{0.9, 1.7};  // [rad], at rest

    [[nodiscard]] Eigen::Vector4d rate(const Eigen::Vector4d& y) const {
        const double d = y[0] - y[1], c = m * l * l / 2;
        Eigen::Matrix2d H;
        H << I + 1.25 * m * l * l, c * std::cos(d), c * std::cos(d), I + 0.25 * m * l * l;
        const Eigen::Vector2d f(-c * std::sin(d) * y[3] * y[3] - 1.5 * m * g * l * std::sin(y[0]),
                                c * std::sin(d) * y[2] * y[2] - 0.5 * m * g * l * std::sin(y[1]));
        const Eigen::Vector2d a = H.inverse() * f;
        return {y[2], y[3], a[0], a[1]};
    }

    // By RK4 in steps of 1e-4 s, with an error far below those it is compared with.
    [[nodiscard]] Eigen::Vector2d angles_after(double time) const {
        constexpr double h = 1e-4;
        Eigen::Vector4d y(start[0], start[1], 0, 0);
        for (int i = 0; i < std::lround(time / h); ++i) {
            const Eigen::Vector4d k1 = rate(y), k2 = rate(y + h / 2 * k1);
            const Eigen::Vector4d k3 = rate(y + h / 2 * k2), k4 = rate(y + h * k3);
            y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
        }
        return y.head<2>();
    }

    [[nodiscard]] Simulation simulated(bool reduced, double h) const {
        Model model;
        State state;
        model.materials.push_back({"default", {}});
        model.gravity = {g, 0, 0};
        Vec3 hinge = Vec3::Zero();
        for (int i = 0; i < 2; ++i) {
            Body body;
            body.mass = m;
            body.inertia_B = I * Mat3::Identity();
            model.bodies.push_back(body);
            Joint joint;
            joint.kind = JointKind::kRevolute;
            joint.child = i;
            joint.parent = i - 1;
            joint.reduced = reduced;
            joint.frame_C.p = Vec3(-l / 2, 0, 0);
            if (i == 1) joint.frame_P.p = Vec3(l / 2, 0, 0);
            model.joints.push_back(joint);
            const Quat turn(Eigen::AngleAxisd(start[i], Vec3::UnitZ()));
            state.pose.push_back({hinge + turn * Vec3(l / 2, 0, 0), turn});
            hinge += turn * Vec3(l, 0, 0);
        }
        state.twist.resize(2);
        finalize(model);
        StepSettings settings;
        settings.h = h;
        return make_simulation(model, state, {}, NoSlip{}, settings, 1);
    }

    [[nodiscard]] double error(bool reduced, double h, double time) const {
        Simulation sim = simulated(reduced, h);
        EXPECT_EQ(sim.model.trees.size(), reduced ? 1U : 0U);
        take_steps(sim, static_cast<int>(std::lround(time / h)));
        const Eigen::Vector2d wanted = angles_after(time);
        double most = 0;
        for (std::size_t i = 0; i < 2; ++i) {
            const Vec3 along = sim.state.pose[i].q * Vec3::UnitX();
            const double angle = wanted[static_cast<Eigen::Index>(i)];
            most = std::max(most, (along - Vec3(std::cos(angle), std::sin(angle), 0)).norm());
        }
        return most;
    }
};

TEST(Trees, DoublePendulumSwingsAsItsEquationsSayInBothCoordinates) {
    const DoublePendulum pendulum;
    for (const bool reduced : {true, false}) {
        const double coarse = pendulum.error(reduced, 1e-3, 1),
                     fine = pendulum.error(reduced, 2.5e-4, 1);
        std::printf("double pendulum, %s: error %.2e at 1 ms, %.2e at 0.25 ms\n",
                    reduced ? "reduced" : "maximal", coarse, fine);
        EXPECT_LT(coarse, 1e-2);
        EXPECT_NEAR(fine / coarse, 0.25, 0.03);  // both are of first order
    }
}

// Only gravity acts from outside: momentum falls as it must, however the legs move.
TEST(Trees, MomentumInFreeFlight) {
    Scene robot = shipped_scene("quadruped_flat");
    for (Pose& pose : robot.state.pose) pose.p.z() += 5;
    robot.state.pose[body_named(robot.model, "ground")].p.z() -= 5;
    for (const double h : {1e-3, 2.5e-4}) {
        robot.step.h = h;
        Simulation sim = simulate(robot, NoSlip{});
        take_steps(sim, static_cast<int>(std::lround(0.8 / h)));
        double mass = 0;
        for (const Body& body : robot.model.bodies) mass += body.mass;
        const Momentum now = momentum(sim.model, sim.state);
        const Vec3 expected = mass * sim.state.time * robot.model.gravity;
        EXPECT_LT((now.linear - expected).norm(), 1e-11 * expected.norm());
    }
}

// With explicit Coriolis forces it had 4.17 J more after 5 s than at the start.
TEST(Trees, TheFreeArmGainsNoEnergy) {
    Simulation sim = simulate(shipped_scene("arm", {{"friction", "0"}}), NoSlip{});
    const double start = energy(sim.model, sim.state).total();
    for (int second = 1; second <= 5; ++second) {
        take_steps(sim, 1000);
        const double gained = energy(sim.model, sim.state).total() - start;
        EXPECT_LE(gained, 0) << second;
        EXPECT_GT(gained, -3.1) << second;
    }
}

// Friction of 5 N m holds the arm, whose gravity torque is at most 3.14 N m.
TEST(Trees, JointFrictionHoldsTheArm) {
    for (const double h : {1e-3, 1e-2}) {
        Scene arm = shipped_scene("arm");
        arm.step.h = h;
        Simulation sim = simulate(arm, arm.contact);
        take_steps(sim, static_cast<int>(std::lround(2 / h)));
        for (const Joint& joint : sim.model.joints)
            EXPECT_LT(std::abs(joint_coordinate(sim.state, joint).position), 1e-9) << joint.name;
    }
}

TEST(Trees, WithoutFrictionTheArmFalls) {
    Simulation sim = simulate(shipped_scene("arm", {{"friction", "0"}}), NoSlip{});
    take_steps(sim, 300);
    EXPECT_LT(sim.state.pose[body_named(sim.model, "link_7")].p.z(), -0.3);
}

// A rigid row beside a soft one on the same coordinate: both bounded, every step solved.
TEST(Trees, MotorsWithFriction) {
    for (const bool reduced : {false, true}) {
        Scene scene = shipped_scene("motors");
        for (Joint& joint : scene.model.joints) {
            joint.reduced = reduced;
            joint.friction = 0.05;
            joint.damping = 0.01;
        }
        const std::vector<SurfacePair> pairs = scene.model.surface_pairs;
        finalize(scene.model);
        scene.model.surface_pairs = pairs;
        for (const std::string_view model : kContactModelNames) {
            SCOPED_TRACE(std::string(model) + (reduced ? ", reduced" : ", maximal"));
            Simulation sim = simulate(scene, make_contact_model(model));
            take_steps(sim, 1500);
        }
    }
}

TEST(Trees, TheRobotWalksWithEveryModel) {
    for (const char* model : {"no_slip", "coulomb_lcp", "max_dissipation", "coulomb_cone"}) {
        SCOPED_TRACE(model);
        const Scene scene = shipped_scene("quadruped_flat");
        Simulation sim = simulate(scene, make_contact_model(model));
        const std::size_t torso = body_named(sim.model, "torso");
        for (int i = 0; i < 2500; ++i) ASSERT_EQ(step(sim), StepOutcome::kDone);
        EXPECT_GT(sim.state.pose[torso].p.x(), 0.12);
        EXPECT_GT(sim.state.pose[torso].p.z(), 0.13);
        std::printf("%-16s x %.3f m, y %.3f m, z %.3f m\n", model, sim.state.pose[torso].p.x(),
                    sim.state.pose[torso].p.y(), sim.state.pose[torso].p.z());
    }
}

}  // namespace
}  // namespace stiction
