// classics_test.cpp - scenes of few bodies for which mechanics has a closed form: each runs to its
// end, and ends where that says. Tables of what was measured are printed.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <numbers>

#include "scene_runs.h"
#include "step/simulation.h"

namespace stiction {
namespace classics_test {
namespace {

constexpr std::array kCoulombLaws = {"coulomb_lcp", "max_dissipation", "friction_box",
                                     "coulomb_cone"};

// The scene's own settings go with its own model.
Simulation start(const Scene& scene, const std::string& model) {
    return simulate(scene, model == name(scene.contact) ? scene.contact : model_named(model));
}

Simulation run_to_its_end(const Scene& scene, const std::string& model) {
    Simulation sim = start(scene, model);
    take_steps(sim, static_cast<int>(std::lround(scene.duration / scene.step.h)));
    return sim;
}

const Pose& pose_of(const Simulation& sim, const std::string& body) {
    return sim.state.pose[body_named(sim.model, body)];
}
const Twist& twist_of(const Simulation& sim, const std::string& body) {
    return sim.state.twist[body_named(sim.model, body)];
}

// Below mu = 2/7 tan(angle) the acceleration is g (sin - mu cos), above 5/7 g sin. A step gains h a,
// whatever its size.
TEST(Classics, BallsSlideOrRollDownTheSlope) {
    const Scene scene = shipped_scene("rolling");
    const double angle = scene.parameters.at("angle") * std::numbers::pi / 180;
    const double g = kGravity, s = std::sin(angle), c = std::cos(angle);
    for (const char* model : kCoulombLaws) {
        const Simulation sim = run_to_its_end(scene, model);
        double worst = 0;
        int rolling = 0;
        for (int i = 0; i < 25; ++i) {
            const double mu = i * scene.parameters.at("max_mu") / 24;
            const double a = std::max(g * (s - mu * c), 5.0 / 7 * g * s);
            rolling += a == 5.0 / 7 * g * s;
            const Twist& twist = twist_of(sim, "ball_" + std::to_string(i));
            worst = std::max(worst, std::abs(twist.v.norm() - a * sim.state.time));
        }
        std::printf("rolling: %-16s %d of 25 roll, speed off by %.1e m/s at most\n", model, rolling,
                    worst);
        EXPECT_EQ(rolling, 12);
        EXPECT_LT(worst, 1e-5) << model;  // the loosest tolerance, 1e-7 of the impulses, in 1 s
    }
}

// Friction takes h mu g of speed in a step, so that the way is speed^2/(2 mu g) - h speed/2, and up
// to h^2 mu g/8 less where the last step is not a whole one.
TEST(Classics, TheCubeStopsWhereFrictionHasItsEnergy) {
    for (const char* mu : {"0.2", "0.4", "0.8"}) {
        Scene scene = shipped_scene("cube_slide", {{"mu", mu}});
        scene.duration = 1.1;
        const double speed = scene.parameters.at("speed"), f = kGravity * std::stod(mu);
        for (const char* model : kCoulombLaws) {
            const Simulation sim = run_to_its_end(scene, model);
            const double way = pose_of(sim, "cube").p.x();
            std::printf("cube_slide: mu %s %-16s %.6f m (closed form %.6f)\n", mu, model, way,
                        speed * speed / (2 * f));
            EXPECT_NEAR(way, speed * speed / (2 * f) - scene.step.h * speed / 2, 1e-5) << model;
            EXPECT_LT(twist_of(sim, "cube").v.norm(), 1e-6) << model;
            EXPECT_NEAR(pose_of(sim, "cube").p.z(), 0.05, 1e-6) << model;  // on its face
        }
    }
}

// A round law has the same way in every direction; that is what the scene's own model has.
TEST(Classics, TheConeStopsTheCubeAlikeInEveryDirection) {
    const Scene along = shipped_scene("cube_slide");
    const double way = pose_of(run_to_its_end(along, "coulomb_cone"), "cube").p.head<2>().norm();
    for (const char* direction : {"20", "45", "100"}) {
        const Scene scene = shipped_scene("cube_slide", {{"direction", direction}});
        const Simulation sim = run_to_its_end(scene, "coulomb_cone");
        const Vec3& p = pose_of(sim, "cube").p;
        EXPECT_NEAR(p.head<2>().norm(), way, 1e-5) << direction;
        EXPECT_NEAR(std::atan2(p.y(), p.x()), std::stod(direction) * std::numbers::pi / 180, 1e-5);
    }
}

// (5 speed - 2 radius spin)/7 under every law, whatever friction does on the way.
TEST(Classics, TheBallWithBackspinComesBack) {
    const Scene scene = shipped_scene("backspin");
    const double expected =
        (5 * scene.parameters.at("speed") - 2 * 0.1 * scene.parameters.at("spin")) / 7;
    EXPECT_LT(expected, 0);
    for (const std::string_view model : kContactModelNames) {
        const Simulation sim = run_to_its_end(scene, std::string(model));
        const Twist& ball = twist_of(sim, "ball");
        EXPECT_NEAR(ball.v.x(), expected, 1e-6) << model;
        EXPECT_NEAR(ball.v.x(), 0.1 * ball.w.y(), 1e-6) << model;  // it rolls
    }
}

// Speed at which the tip of Painleve's rod slides on after the first step, given that friction has
// stopped it or has not (tests/physics/impact_test.cpp has the law of each model).
TEST(Classics, PainlevesRodStopsAtOnceBeyondTheCriticalFriction) {
    const double s = std::sin(1.0), c = std::cos(1.0);
    const double critical = (1 + 3 * c * c) / (3 * s * c);
    for (const double share : {0.9, 1.1, 2.0 / critical}) {
        const Scene scene = shipped_scene("painleve", {{"mu", exactly(share * critical)}});
        Simulation sim = start(scene, "coulomb_lcp");
        take_steps(sim, 1);
        const Pose& rod = pose_of(sim, "rod");
        const Twist& twist = twist_of(sim, "rod");
        const double slip = (twist.v + twist.w.cross(rod.q * Vec3(-0.5, 0, 0))).head<2>().norm();
        std::printf("painleve: mu %.3f of the critical one, the tip slides at %.3g m/s\n", share,
                    slip);
        if (share > 1) {
            EXPECT_LT(slip,
                      3e-3);  // the tip is where it was at the start of the step: turned by h w
        } else {
            EXPECT_GT(slip, 0.8);
        }
        take_steps(sim, 1499);
        // It lies with its thickest place, 2 cm from its axis, on the ground.
        EXPECT_NEAR(pose_of(sim, "rod").p.z(), 0.02, 1e-3) << share;
    }
}

// Until it slides a tile goes around with the table; friction bears w^2 r towards the axis and the
// table's own acceleration across.
TEST(Classics, TilesFlyOffTheTurntableWhereFrictionEnds) {
    const Scene scene = shipped_scene("turntable");
    const double friction = scene.parameters.at("mu") * kGravity;
    const double top = scene.parameters.at("top_speed"), rate = 0.5 * std::numbers::pi / 6;
    Simulation sim = start(scene, "coulomb_cone");
    std::array<double, 5> let_go{}, radius{};
    while (sim.state.time < scene.duration - 0.5 * scene.step.h) {
        const State before = sim.state;
        take_steps(sim, 1);
        const Vec3 w = twist_of(sim, "table").w;
        for (std::size_t i = 0; i < let_go.size(); ++i) {
            const std::size_t tile = body_named(sim.model, "tile_" + std::to_string(i));
            // A tile that sticks has the table's velocity where it was at the start of the step.
            const Vec3 p = before.pose[tile].p;
            if (let_go[i] > 0 || (sim.state.twist[tile].v - w.cross(p)).norm() < 1e-5) continue;
            let_go[i] = sim.state.time;
            radius[i] = p.head<2>().norm();
        }
    }
    for (std::size_t i = 0; i < let_go.size(); ++i) {
        const double w = top * std::sin(rate * let_go[i]);
        const double across = radius[i] * top * rate * std::cos(rate * let_go[i]);
        const double expected =
            std::sqrt(std::sqrt(friction * friction - across * across) / radius[i]);
        std::printf("turntable: r %.3f m, lets go at %.3f rad/s (closed form %.3f)\n", radius[i], w,
                    expected);
        EXPECT_NEAR(w, expected, 0.015 * expected);
        if (i > 0) {
            EXPECT_LT(let_go[i], let_go[i - 1]);  // the outermost first
        }
        const Vec3& p = pose_of(sim, "tile_" + std::to_string(i)).p;
        EXPECT_GT(p.head<2>().norm(), 0.4);  // off the table
        EXPECT_NEAR(p.z(), 0.002, 1e-4);     // flat on the ground, 2 mm below it
    }
}

// Jellett's L . (R z - a e): whatever acts at the point of contact, which is R z - a e below the
// centre of mass, has no moment about that line.
TEST(Classics, TheTippeTopTurnsOverAndKeepsJellettsInvariant) {
    const double R = 0.02, a = 0.004, across = 3.0e-6, along = 3.2e-6;
    const auto jellett = [&](const Simulation& sim) {
        const Vec3 e = pose_of(sim, "top").q * Vec3::UnitZ(), w = twist_of(sim, "top").w;
        return (across * w + (along - across) * e.dot(w) * e).dot(R * Vec3::UnitZ() - a * e);
    };
    const Scene scene = shipped_scene("tippe_top");
    const Simulation before = start(scene, "viscous");
    const Simulation sim = run_to_its_end(scene, "viscous");
    const Vec3 e = pose_of(sim, "top").q * Vec3::UnitZ();
    const double spin = twist_of(sim, "top").w.z(), drift = jellett(sim) / jellett(before) - 1;
    std::printf("tippe_top: axis %.4f, spin %.2f rad/s, Jellett's invariant off by %.1e\n", e.z(),
                spin, drift);
    EXPECT_LT(e.z(), -0.99);                              // on its head
    EXPECT_NEAR(pose_of(sim, "top").p.z(), R + a, 1e-4);  // the centre of mass is above
    EXPECT_NEAR(spin, 150 * (R - a) / (R + a), 1.5);      // of 100
    EXPECT_LT(std::abs(drift), 0.01);                     // first order in h
}

double lean_of(const Simulation& sim, int i) {  // of a domino from upright [rad]
    return std::acos((pose_of(sim, "domino_" + std::to_string(i)).q * Vec3::UnitZ()).z());
}

// A row falls in order. The last lies flat; before it each leans with its face on the upper edge of
// the next or lies between; none stands.
TEST(Classics, DominoesFallOneAfterTheOther) {
    const Scene scene = shipped_scene("domino");
    const int n = static_cast<int>(scene.parameters.at("dominoes"));
    for (const char* model : {"coulomb_cone", "friction_box"}) {
        Simulation sim = start(scene, model);
        int fallen = 0;
        while (sim.state.time < scene.duration) {
            take_steps(sim, 1);
            while (fallen < n && lean_of(sim, fallen) > 0.5) ++fallen;
            for (int i = fallen + 1; i < n; ++i) EXPECT_LT(lean_of(sim, i), 0.5);
        }
        EXPECT_EQ(fallen, n);
        EXPECT_NEAR(lean_of(sim, n - 1), std::numbers::pi / 2, 1e-3);
        EXPECT_NEAR(pose_of(sim, "domino_" + std::to_string(n - 1)).p.z(), 0.00375, 1e-4);
        for (int i = 0; i < n; ++i) {
            EXPECT_GT(lean_of(sim, i), 1.0) << i;
            EXPECT_LT(twist_of(sim, "domino_" + std::to_string(i)).v.norm(), 1e-3) << i;
        }
    }
}

TEST(Classics, ADominoThatLeansTooLittleFallsBack) {
    const double balance = std::atan(0.0075 / 0.048) * 180 / std::numbers::pi;
    for (const double lean : {balance - 0.5, balance + 0.5}) {
        const Scene scene = shipped_scene("domino", {{"dominoes", "1"}, {"lean", exactly(lean)}});
        const Simulation sim = run_to_its_end(scene, "coulomb_cone");
        // Back on its foot it rocks for a while.
        if (lean < balance) {
            EXPECT_LT(lean_of(sim, 0), 0.02);
        } else {
            EXPECT_NEAR(lean_of(sim, 0), std::numbers::pi / 2, 1e-3);
        }
    }
}

// The slope gives a log the normal impulse m g cos(angle) t in the end, however it fell: friction
// takes mu times that where it slides all the way. Logs of a pile may roll, too, and are then faster.
TEST(Classics, LogsSlideDownTheSlopeOrStay) {
    const Scene one = shipped_scene("logpile", {{"logs", "1"}, {"turn", "0"}});
    const double angle = one.parameters.at("angle") * std::numbers::pi / 180;
    const double slides = kGravity * (std::sin(angle) - 0.3 * std::cos(angle)) * one.duration;
    const Simulation alone = run_to_its_end(one, "coulomb_cone");
    EXPECT_NEAR(twist_of(alone, "log_0").v.norm(), slides, 1e-4);
    const Simulation pile = run_to_its_end(shipped_scene("logpile"), "coulomb_cone");
    Vec3 mean = Vec3::Zero();
    for (int i = 0; i < 18; ++i) mean += twist_of(pile, "log_" + std::to_string(i)).v / 18;
    const double speed = mean.dot(Vec3(std::cos(angle), 0, -std::sin(angle)));
    std::printf("logpile: %.3f m/s down the slope (%.3f where all slide)\n", speed, slides);
    EXPECT_GT(speed, slides - 1e-3);
    EXPECT_LT(speed, kGravity * std::sin(angle) * one.duration);
    const Scene flat = shipped_scene("logpile", {{"logs", "1"}, {"turn", "0"}, {"angle", "10"}});
    EXPECT_LT(twist_of(run_to_its_end(flat, "coulomb_cone"), "log_0").v.norm(), 1e-6);
}

// About its hinge [rad], positive towards -x.
double swing_of(const Simulation& sim, int i) {
    const Quat& q = pose_of(sim, "ball_" + std::to_string(i)).q;
    return 2 * std::atan2(q.y(), q.w());
}

// As many balls as were let go swing out on the other side, as far as they came from, while the
// others hang still. A ball that meets the row after a whole step is late by up to h.
TEST(Classics, NewtonsCradle) {
    for (const int released : {1, 2}) {
        const Scene scene =
            shipped_scene("newton_cradle", {{"released", std::to_string(released)}});
        const double from = scene.parameters.at("angle") * std::numbers::pi / 180;
        Simulation sim = start(scene, "coulomb_cone");
        std::array<double, 5> highest{}, lowest{};
        while (sim.state.time < 0.7) {  // between one and one and a half swings to a side
            take_steps(sim, 1);
            for (int i = 0; i < 5; ++i) {
                highest[at(i)] = std::max(highest[at(i)], swing_of(sim, i));
                lowest[at(i)] = std::min(lowest[at(i)], swing_of(sim, i));
            }
        }
        for (int i = 0; i < 5; ++i) {
            std::printf("newton_cradle: %d let go, ball %d from %.4f to %.4f rad\n", released, i,
                        highest[at(i)], lowest[at(i)]);
            EXPECT_NEAR(highest[at(i)], i < released ? from : 0, 0.01 * from) << i;
            EXPECT_NEAR(lowest[at(i)], i < 5 - released ? 0 : -from, 0.01 * from) << i;
        }
    }
}

}  // namespace
}  // namespace classics_test
}  // namespace stiction
