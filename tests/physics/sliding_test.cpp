// sliding_test.cpp - a cube that slides, under every law of friction, against closed forms: down
// scenes/ramp.yaml, across the directions of a friction polygon, and to a stop from 6 m/s. Tables
// of what was measured are printed.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "scene/scene_files.h"
#include "scene_runs.h"
#include "step/simulation.h"

namespace stiction {
namespace {

constexpr const char* kCoulombModels[] = {"coulomb_lcp", "max_dissipation", "friction_box",
                                          "coulomb_cone"};

double radians(double degrees) { return degrees * M_PI / 180; }

// ---- down the ramp, along a direction of the polygon

// A step adds exactly h a, so the speed after n steps is n h a to the accuracy of the solver.
// Returns the largest error of the speed over all steps.
double worst_speed_error(const std::string& model, double degrees, double mu, int steps) {
    Simulation sim =
        simulate(shipped_scene("ramp", {{"angle", exactly(degrees)}, {"mu", exactly(mu)}}),
                 model_named(model));
    const double alpha = radians(degrees);
    const double a = kGravity * std::max(0.0, std::sin(alpha) - mu * std::cos(alpha));
    const Vec3 downhill(std::cos(alpha), 0, -std::sin(alpha));
    double worst = 0;
    for (int i = 1; i <= steps; ++i) {
        take_steps(sim, 1);
        const Vec3 expected = i * sim.settings.h * a * downhill;
        worst = std::max(worst, (sim.state.twist.back().v - expected).norm());
    }
    return worst;
}

// The friction angle decides: at 1 % less than tan(angle) the cube slides, at 1 % more it stays.
TEST(Sliding, EveryCoulombModelFollowsTheClosedFormOnTheRamp) {
    std::printf("ramp: largest error of the speed over 0.5 s [m/s]\n%-16s", "mu / tan(angle)");
    const double shares[] = {0.0, 0.5, 0.99, 1.01, 2.0};
    for (const double share : shares) std::printf(" %9.2f", share);
    for (const char* model : kCoulombModels) {
        std::printf("\n%-16s", model);
        for (const double share : shares) {
            double worst = 0;
            for (const double degrees : {10.0, 20.0, 40.0}) {
                worst = std::max(worst, worst_speed_error(model, degrees,
                                                          share * std::tan(radians(degrees)), 500));
            }
            std::printf(" %9.1e", worst);
            EXPECT_LT(worst, 1e-6) << model << ", mu = " << share << " tan(angle)";
        }
    }
    std::printf("\n");
}

// Figure 2 of [DS10]: the convex program and the LCP of Anitescu and Potra give the same motion,
// here at every step and not only at the end.
TEST(Sliding, MaxDissipationAndTheLcpMoveAlikeAtEveryStep) {
    for (const char* mu : {"0", "0.1", "0.2", "0.3", "0.5"}) {
        Simulation lcp =
            simulate(shipped_scene("ramp", {{"mu", mu}}), model_named("coulomb_lcp", "lemke"));
        Simulation convex = simulate(shipped_scene("ramp", {{"mu", mu}}),
                                     model_named("max_dissipation", "interior_point"));
        double position = 0, velocity = 0;
        for (int i = 0; i < 1000; ++i) {
            take_steps(lcp, 1);
            take_steps(convex, 1);
            position =
                std::max(position, (lcp.state.pose.back().p - convex.state.pose.back().p).norm());
            velocity =
                std::max(velocity, (lcp.state.twist.back().v - convex.state.twist.back().v).norm());
        }
        std::printf("max_dissipation - coulomb_lcp, mu %-4s %.1e m  %.1e m/s\n", mu, position,
                    velocity);
        EXPECT_LT(position, 1e-6) << "mu " << mu;
        EXPECT_LT(velocity, 1e-6) << "mu " << mu;
    }
}

// ---- off the directions of the polygon

struct Slope {
    double alpha = radians(20);  // slope
    double azimuth = 0;          // of the pull of gravity from the first tangent
    double mu = 0.2;
};

// The ramp lies level and gravity leans instead, so the tangents are the world's x and y. Mean
// acceleration along x and y over 0.4 s from rest.
Vec3 acceleration(const ContactModel& model, const Slope& slope) {
    Scene scene = shipped_scene("ramp", {{"angle", "0"}, {"mu", exactly(slope.mu)}});
    scene.model.gravity =
        kGravity * Vec3(std::sin(slope.alpha) * std::cos(slope.azimuth),
                        std::sin(slope.alpha) * std::sin(slope.azimuth), -std::cos(slope.alpha));
    Simulation sim = simulate(scene, model);
    const int steps = 400;
    take_steps(sim, steps);
    EXPECT_LT(sim.state.twist.back().w.norm(), 1e-5) << name(model);  // it does not turn
    return sim.state.twist.back().v / (steps * sim.settings.h);
}

CoulombLcp with_sides(int sides) {
    CoulombLcp model;
    model.sides = sides;
    return model;
}

// Friction on a polygon of k directions d is the convex hull of mu c_n d. Sliding at the angle
// theta picks the direction most against it, of full strength but turned by up to pi / k. Midway
// between two directions both are as good; pulled there, the cube keeps to that line (leaving it,
// the nearer direction alone would act and turn it back), so the two share equally and the force
// along the line is
//   mu c_n cos(pi / k):     cos(45 degrees) = 0.7071 of Coulomb's for the four-sided pyramid.
TEST(Sliding, PolygonFrictionIsShortByTheCosineOfItsHalfAngle) {
    for (const int sides : {4, 8, 16, 32}) {
        const Slope slope{radians(20), M_PI / sides, 0.2};
        const Vec3 a = acceleration(with_sides(sides), slope);
        const double measured = (kGravity * std::sin(slope.alpha) - a.norm()) /
                                (slope.mu * kGravity * std::cos(slope.alpha));
        std::printf("%2d sides, midway: friction is %.6f of mu c_n, cos(pi/k) = %.6f\n", sides,
                    measured, std::cos(M_PI / sides));
        EXPECT_NEAR(measured, std::cos(M_PI / sides), 1e-6) << sides;
        EXPECT_NEAR(std::atan2(a.y(), a.x()), slope.azimuth, 1e-6) << sides;
    }
}

// At 45 degrees: cones have mu, the pyramid mu / sqrt(2), the box (both tangents at their bounds)
// sqrt(2) mu. The same factors decide whether the cube stays.
TEST(Sliding, OnlyTheConesHaveCoulombsForceAtFortyFiveDegrees) {
    const struct {
        const char* model;
        double factor;
    } cases[] = {{"coulomb_lcp", M_SQRT1_2},
                 {"friction_box", M_SQRT2},
                 {"max_dissipation", 1.0},
                 {"coulomb_cone", 1.0}};
    const double tan_alpha = std::tan(radians(20));
    std::printf("45 degrees: acceleration [m/s^2] (closed form)\n%-16s", "mu / tan(angle)");
    const double shares[] = {0.5, 0.85, 1.2, 1.5};
    for (const double share : shares) std::printf(" %19.2f", share);
    for (const auto& [model, factor] : cases) {
        std::printf("\n%-16s", model);
        for (const double share : shares) {
            const Slope slope{radians(20), radians(45), share * tan_alpha};
            const double expected =
                kGravity *
                std::max(0.0, std::sin(slope.alpha) - factor * slope.mu * std::cos(slope.alpha));
            const Vec3 a = acceleration(model_named(model), slope);
            std::printf("  %8.5f (%7.5f)", a.norm(), expected);
            EXPECT_LT((a - expected * Vec3(M_SQRT1_2, M_SQRT1_2, 0)).norm(), 1e-5)
                << model << ", mu = " << share << " tan(angle)";
        }
    }
    std::printf("\n");
}

// Pulled at 30 degrees the cones let the cube go where it is pulled. The pyramid leads it along its
// diagonal: with x and y friction sharing mu c_n as l and 1 - l, a_x = a_y asks for
//   l = 1/2 + (f_x - f_y) / (2 mu c_n)  in [0, 1]     and gives     a_x = (f_x + f_y - mu c_n) / 2
// (per mass). The box brakes x and y by mu c_n each.
TEST(Sliding, PolygonAndBoxTurnTheCubeAside) {
    const Slope slope{radians(20), radians(30), 0.2};
    const double f = kGravity * std::sin(slope.alpha);
    const double f_x = f * std::cos(slope.azimuth), f_y = f * std::sin(slope.azimuth);
    const double friction = slope.mu * kGravity * std::cos(slope.alpha);
    ASSERT_LT(f_x - f_y, friction);
    ASSERT_GT(f_y, 0);
    const double diagonal = 0.5 * (f_x + f_y - friction);
    const double straight = f - friction;
    const struct {
        const char* model;
        Vec3 expected;
    } cases[] = {
        {"coulomb_lcp", {diagonal, diagonal, 0}},
        {"friction_box", {f_x - friction, std::max(0.0, f_y - friction), 0}},
        {"max_dissipation",
         {straight * std::cos(slope.azimuth), straight * std::sin(slope.azimuth), 0}},
        {"coulomb_cone",
         {straight * std::cos(slope.azimuth), straight * std::sin(slope.azimuth), 0}},
    };
    for (const auto& [model, expected] : cases) {
        const Vec3 a = acceleration(model_named(model), slope);
        std::printf("pulled at 30 degrees: %-16s goes at %5.2f degrees, %.5f m/s^2\n", model,
                    std::atan2(a.y(), a.x()) * 180 / M_PI, a.norm());
        EXPECT_LT((a - expected).norm(), 1e-5) << model;
    }
}

// ---- to a stop from 6 m/s

constexpr const char* kCubeOnGround = R"(version: 1
contact: {model: coulomb_cone}
parameters: {viscous: 0}
materials: {default: {friction: 0.5, viscous: viscous}}
bodies:
  - {name: ground, kind: static, shape: {type: plane}}
  - {name: cube, mass: 1, position: [0, 0, 0.05], velocity: [6, 0, 0],
     shape: {type: box, size: [0.1, 0.1, 0.1]}}
)";

struct Slide {
    double lift = 0, sink = 0;  // largest change of height over 1.5 s [m]
    double distance = 0;        // [m]
    double speed = 0;           // at the end [m/s]
};

Slide slide(const Scene& scene, const ContactModel& model) {
    Simulation sim = simulate(scene, model);
    const Vec3 start = sim.state.pose[1].p;
    Slide result;
    for (int i = 0; i < 1500; ++i) {
        take_steps(sim, 1);
        const double rise = sim.state.pose[1].p.z() - start.z();
        result.lift = std::max(result.lift, rise);
        result.sink = std::max(result.sink, -rise);
    }
    result.distance = (sim.state.pose[1].p - start).norm();
    result.speed = sim.state.twist[1].v.norm();
    return result;
}

// Speeds 6 - i h mu g until it would turn: the distance is h times their sum.
double stopping_distance(double speed, double deceleration, double h) {
    double distance = 0;
    for (double v = speed - h * deceleration; v > 0; v -= h * deceleration) distance += h * v;
    return distance;
}

// A convex relaxation of Coulomb's law (u_T taken with the cone's own dual) lifts a sliding body by
// about h mu |u_T| per step, 3 mm here in each. coulomb_cone has the exact law; the bound on normal
// impulses keeps max_dissipation down.
TEST(Sliding, HowFarEachModelLiftsACubeThatSlidesAtSixMetresPerSecond) {
    const SceneFiles files;
    const double stop = stopping_distance(6, 0.5 * kGravity, 1e-3);
    std::printf("cube from 6 m/s, mu 0.5: closed form stops after %.6f m\n", stop);
    std::printf("%-16s %10s %10s %12s %10s\n", "model", "lift [m]", "sink [m]", "distance [m]",
                "end [m/s]");
    for (const std::string_view model : kContactModelNames) {
        SceneOverrides overrides;  // Coulomb's friction alone, or viscous friction alone
        overrides.parameters = {{"viscous", model == "viscous" ? "0.3" : "0"}};
        const Slide result = slide(files.load(kCubeOnGround, overrides), make_contact_model(model));
        std::printf("%-16s %10.1e %10.1e %12.6f %10.1e\n", std::string(model).c_str(), result.lift,
                    result.sink, result.distance, result.speed);
        EXPECT_LT(result.sink, 1e-6) << model;
        if (model == "no_slip") {  // stops dead below and topples over its leading edge
            EXPECT_GT(result.lift, 0.01);
            continue;
        }
        EXPECT_LT(result.lift, 1e-6) << model;
        if (model == "viscous") {  // m v' = -4 mu_v v, taken implicitly
            EXPECT_NEAR(result.speed, 6 * std::pow(1 + 1e-3 * 4 * 0.3, -1500), 1e-6);
        } else {
            EXPECT_LT(result.speed, 1e-6) << model;
            EXPECT_NEAR(result.distance, stop, 1e-5) << model;
        }
    }
}

}  // namespace
}  // namespace stiction
