// end_states_test.cpp - scenes that other files of this folder do not look at run to their end, and
// end where they should; and no scene is left out.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <sstream>

#include "scene_runs.h"

namespace stiction {
namespace end_states {
namespace {

constexpr double kPi = std::numbers::pi;

Simulation at_its_end(const std::string& name, const Parameters& parameters = {}, double time = 0) {
    const Scene scene = shipped_scene(name, parameters);
    Simulation sim = simulate(scene, scene.contact);
    take_steps(sim,
               static_cast<int>(std::lround((time > 0 ? time : scene.duration) / scene.step.h)));
    return sim;
}

const Pose& pose(const Simulation& sim, const std::string& body) {
    return sim.state.pose[body_named(sim.model, body)];
}
const Twist& twist(const Simulation& sim, const std::string& body) {
    return sim.state.twist[body_named(sim.model, body)];
}
double turned_about_y(const Pose& p) { return 2 * std::atan2(p.q.y(), p.q.w()); }

// The furthest that a body is from where the scene has it at the start.
double moved(const Simulation& sim, const std::string& name, const Parameters& parameters = {}) {
    const Scene scene = shipped_scene(name, parameters);
    double most = 0;
    for (std::size_t b = 0; b < scene.state.pose.size(); ++b)
        most = std::max(most, (sim.state.pose[b].p - scene.state.pose[b].p).norm());
    return most;
}

// A scene that no test of this folder names runs nowhere to its end. `every_scene_test` and
// `narrowphases_test` take first steps only.
TEST(EndStates, EverySceneHasATestHere) {
    std::string tests;
    for (const auto& entry : std::filesystem::directory_iterator("tests/scenes")) {
        const std::string file = entry.path().filename().string();
        if (file == "every_scene_test.cpp" || file == "narrowphases_test.cpp") continue;
        std::ifstream text(entry.path());
        std::ostringstream all;
        all << text.rdbuf();
        tests += all.str();
    }
    for (const SceneSummary& scene : list_scenes("scenes"))
        EXPECT_NE(tests.find("\"" + scene.name + "\""), std::string::npos)
            << scene.name << ": no test says where it ends";
}

// The first hinge bears 3.14 N m, 5 hold it; a quarter does not.
TEST(EndStates, TheArmHoldsOrHangs) {
    EXPECT_LT(moved(at_its_end("arm"), "arm"), 1e-6);
    const Simulation fell = at_its_end("arm", {{"friction", "0.25"}, {"damping", "0.1"}});
    EXPECT_LT(pose(fell, "link_7").p.z(), -0.4);
    EXPECT_LT(twist(fell, "link_7").v.norm(), 0.01);  // friction has stopped it
}

// A ball of restitution e comes down after sqrt(2 H/g), and then after flights of 2 e^k of that
// each, having e^2k of its energy.
TEST(EndStates, BallsKeepWhatRestitutionLeavesThem) {
    constexpr double kEnd = 1.5;
    const Simulation sim = at_its_end("bounce", {}, kEnd);
    const double fall = std::sqrt(2 / kGravity);
    int compared = 0;
    for (int i = 0; i < 10; ++i) {
        const double e = 0.1 * i;
        double time = fall, flight = 2 * fall, share = 1, away = kEnd - fall;
        for (int bounce = 0; time < kEnd && bounce < 60; ++bounce) {
            share *= e * e;
            flight *= e;
            time += flight;
            away = std::min(away, std::abs(time - kEnd));
        }
        if (away < 0.02 && share > 1e-3)
            continue;  // in the air or on the ground: a matter of steps
        const std::string ball = "ball_" + std::to_string(i);
        const double v = twist(sim, ball).v.norm();
        const double energy = 0.5 * v * v + kGravity * (pose(sim, ball).p.z() - 0.05);
        EXPECT_NEAR(energy / kGravity, share, 0.01) << ball;
        ++compared;
    }
    EXPECT_GE(compared, 8);
}

TEST(EndStates, TheChainHangsTogetherAndGainsNothing) {
    const Scene scene = shipped_scene("chain");
    Simulation sim = simulate(scene, scene.contact);
    const double before = energy(sim.model, sim.state).total();
    double lowest = 0;
    for (int i = 0; i < 3000; ++i) {
        take_steps(sim, 1);
        ASSERT_LT(energy(sim.model, sim.state).total(), before + 1e-6);
        lowest = std::min(lowest, pose(sim, "link_9").p.z());
    }
    EXPECT_LT(lowest, -0.8);  // it has swung through
    for (int i = 0; i < 10; ++i) {
        const Pose& link = pose(sim, "link_" + std::to_string(i));
        const Vec3 head = link.p + link.q * Vec3(0, 0, -0.05);
        Vec3 hook = Vec3::Zero();
        if (i > 0) {
            const Pose& last = pose(sim, "link_" + std::to_string(i - 1));
            hook = last.p + last.q * Vec3(0, 0, 0.05);
        }
        EXPECT_LT((head - hook).norm(), 1e-4) << i;
    }
}

TEST(EndStates, StacksStandStill) {
    EXPECT_LT(moved(at_its_end("islands", {{"side", "4"}}), "islands", {{"side", "4"}}), 1e-7);
    EXPECT_LT(moved(at_its_end("stack", {}, 3), "stack"), 1e-7);
}

// The period of a rod at an amplitude a is 2 pi sqrt(I/(m g l/2)) / agm(1, cos(a/2)).
TEST(EndStates, ThePendulumKeepsItsTime) {
    const Scene scene = shipped_scene("pendulum");
    const double inertia = (1 + 0.02 * 0.02) / 12 + 0.25;
    double a = 1, b = std::cos(kPi / 6);
    for (int i = 0; i < 6; ++i) {
        const double mean = 0.5 * (a + b);
        b = std::sqrt(a * b);
        a = mean;
    }
    const double period = 2 * kPi * std::sqrt(inertia / (0.5 * kGravity)) / a;
    Simulation sim = simulate(scene, scene.contact);
    std::vector<double> crossings;
    double last = turned_about_y(pose(sim, "rod"));
    while (sim.state.time < 4) {
        take_steps(sim, 1);
        const double now = turned_about_y(pose(sim, "rod"));
        if (last > 0 && now <= 0) crossings.push_back(sim.state.time);
        EXPECT_LT(std::abs(now), 60.2 * kPi / 180);
        last = now;
    }
    ASSERT_GE(crossings.size(), 2U);
    EXPECT_NEAR(crossings[1] - crossings[0], period, 0.005 * period);
    const Pose& rod = pose(sim, "rod");
    EXPECT_LT((rod.p + rod.q * Vec3(0, 0, 0.5)).norm(), 1e-6);  // its end is at the pivot
}

TEST(EndStates, TheCubeOnTheRampSlidesOrStays) {
    const double angle = 20 * kPi / 180;
    const double a = kGravity * (std::sin(angle) - 0.2 * std::cos(angle));
    EXPECT_NEAR(twist(at_its_end("ramp"), "cube").v.norm(), a, 1e-6);
    EXPECT_LT(moved(at_its_end("ramp", {{"mu", "0.5"}}), "ramp", {{"mu", "0.5"}}), 1e-7);
}

// Dropped from 2 cm above the highest bump they lie on the ground, none beyond its border.
TEST(EndStates, WhatFallsOnTerrainComesToRest) {
    const Simulation sim = at_its_end("terrain");
    for (std::size_t b = 0; b < sim.model.bodies.size(); ++b) {
        if (sim.model.bodies[b].kind != BodyKind::kDynamic) continue;
        const std::string& name = sim.model.bodies[b].name;
        const Vec3& p = sim.state.pose[b].p;
        EXPECT_LT(sim.state.twist[b].v.norm(), 0.02) << name;
        EXPECT_LT(p.head<2>().cwiseAbs().maxCoeff(), 0.6) << name;
        EXPECT_GT(p.z(), 0.015) << name;
        EXPECT_LT(p.z(), 0.03 + 0.05) << name;
    }
}

// About its middle axis a plate turns over again and again, and keeps energy and angular momentum.
TEST(EndStates, ThePlateTumbles) {
    const Scene scene = shipped_scene("tumbler");
    Simulation sim = simulate(scene, scene.contact);
    const std::size_t plate = body_named(sim.model, "plate");
    const auto momentum = [&] {
        const Mat3 R = sim.state.pose[plate].R();
        return Vec3(R * sim.model.bodies[plate].inertia_B * R.transpose() *
                    sim.state.twist[plate].w);
    };
    const Vec3 before = momentum();
    const double kinetic = energy(sim.model, sim.state).kinetic;
    const Vec3 axis = sim.state.pose[plate].q * Vec3::UnitY();
    double furthest = 1;
    for (int i = 0; i < 10000; ++i) {
        take_steps(sim, 1);
        furthest = std::min(furthest, axis.dot(sim.state.pose[plate].q * Vec3::UnitY()));
    }
    EXPECT_LT(furthest, -0.99);
    EXPECT_LT((momentum() - before).norm(), 1e-9 * before.norm());
    EXPECT_NEAR(energy(sim.model, sim.state).kinetic, kinetic, 1e-9 * kinetic);
}

// Pushed off their places, none through the ground, none far away.
TEST(EndStates, TheArmSweepsItsBricks) {
    const Scene scene = shipped_scene("urdf_arm");
    const Simulation sim = at_its_end("urdf_arm");
    int swept = 0;
    for (int i = 0; i < 5; ++i) {
        const std::size_t brick = body_named(sim.model, "brick_" + std::to_string(i));
        const Vec3& p = sim.state.pose[brick].p;
        swept += (p - scene.state.pose[brick].p).norm() > 0.05;
        EXPECT_GT(p.z(), 0.024) << i;  // half its least side
        EXPECT_LT(p.norm(), 3) << i;
    }
    EXPECT_GE(swept, 3);
}

// Friction mu push carries the weight of 9.81 N or takes that much of it away.
TEST(EndStates, TheCubeOnTheWallHangsOrFalls) {
    EXPECT_LT(moved(at_its_end("wall"), "wall"), 1e-8);
    const Simulation falls = at_its_end("wall", {{"push", "9"}});
    EXPECT_NEAR(twist(falls, "cube").v.z(), -(kGravity - 9), 1e-6);
}

TEST(EndStates, TheGrippersHoldTheirBoxes) {
    EXPECT_LT(moved(at_its_end("grasp"), "grasp"), 1e-9);
    const Simulation slips = at_its_end("grasp", {{"force_per_box", "0"}}, 0.5);
    EXPECT_LT(pose(slips, "box_0").p.z(), -0.5);  // nothing presses: it falls
}

// Explicit PD sags by its stiffness, and stands.
TEST(EndStates, TheRobotStands) {
    const Scene scene = shipped_scene("stand");
    const Simulation sim = at_its_end("stand", {}, 2);
    const Pose& torso = pose(sim, "torso");
    EXPECT_NEAR(torso.p.z(), scene.state.pose[body_named(sim.model, "torso")].p.z(), 0.02);
    EXPECT_GT((torso.q * Vec3::UnitZ()).z(), 0.999);
    EXPECT_LT(twist(sim, "torso").v.norm(), 0.02);  // it rocks on its explicit springs
}

// The ball of rubber comes up with the hand, by its 0.1 m less what the grip gives way.
TEST(EndStates, HandAndArmLiftTheBall) {
    for (const char* name : {"hand5", "puma"}) {
        const Simulation sim = at_its_end(name, {{"ball", "1"}});
        EXPECT_NEAR(pose(sim, "ball_0").p.z(), 0.045 + 0.1, 0.003) << name;
        EXPECT_LT(twist(sim, "ball_0").v.norm(), 1e-3) << name;
        EXPECT_NEAR(pose(sim, "palm").p.z(), 0.05 + 0.1, 0.002) << name;
    }
}

// Weak motors leave it on the ends of its body and its shanks: as many contacts as in [D15].
TEST(EndStates, TheLowRobotDragsItsBody) {
    const Scene scene = shipped_scene("quadruped_low");
    Simulation sim = simulate(scene, scene.contact);
    const std::size_t torso = body_named(sim.model, "torso");
    double contacts = 0;
    std::size_t most = 0;
    for (int i = 0; i < 3000; ++i) {
        take_steps(sim, 1);
        const std::size_t now = sim.frame.contacts.contacts.size();
        contacts += static_cast<double>(now) / 3000;
        most = std::max(most, now);
    }
    EXPECT_GT(contacts, 4.5);
    EXPECT_LT(contacts, 7.5);
    EXPECT_LE(most, 30U);
    EXPECT_LT(sim.state.pose[torso].p.z(), 0.07);
    EXPECT_GT((sim.state.pose[torso].q * Vec3::UnitZ()).z(), 0.9);
}

// A velocity reached, a position held but for what gravity bends (0.01 rad), a limit kept.
TEST(EndStates, MotorsDoWhatTheyAreTold) {
    const Simulation sim = at_its_end("motors");
    EXPECT_NEAR(twist(sim, "arm_0").w.y(), 3, 1e-6);
    const double sag = 0.5 * kGravity * 0.15 * std::cos(kPi / 4) / 50;
    EXPECT_NEAR(turned_about_y(pose(sim, "arm_1")), kPi / 4 + sag, 0.05 * sag);
    EXPECT_LT(std::abs(twist(sim, "arm_2").w.y()), 20);
    EXPECT_NEAR(turned_about_y(pose(sim, "arm_3")), kPi / 3, 1e-4);  // its limit
    EXPECT_LT(twist(sim, "arm_3").w.norm(), 1e-6);
}

TEST(EndStates, AMixedPileLiesInItsBox) {
    const Simulation sim = at_its_end("mixed_pile", {{"count", "30"}}, 2);
    double kinetic = 0, mass = 0;
    for (std::size_t b = 0; b < sim.model.bodies.size(); ++b) {
        if (sim.model.bodies[b].kind != BodyKind::kDynamic) continue;
        const Vec3& p = sim.state.pose[b].p;
        EXPECT_LT(p.head<2>().cwiseAbs().maxCoeff(), 0.48) << sim.model.bodies[b].name;
        EXPECT_GT(p.z(), 0.02) << sim.model.bodies[b].name;
        mass += sim.model.bodies[b].mass;
        kinetic += 0.5 * sim.model.bodies[b].mass * sim.state.twist[b].v.squaredNorm();
    }
    EXPECT_LT(std::sqrt(2 * kinetic / mass), 0.02);  // root mean square of the speeds [m/s]
}

}  // namespace
}  // namespace end_states
}  // namespace stiction
