// impacts_test.cpp - impacts one after another: rows of balls do what a cradle does, and energy and
// momentum stay to rounding.
#include "contact/impacts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "scene/scene_files.h"
#include "scene_runs.h"
#include "step/simulation.h"

namespace stiction {
namespace impacts_test {
namespace {

constexpr const char* kRow = R"yaml(version: 1
parameters: {balls: 5, moving: 1, gap: 0, restitution: 1, last: 1}
gravity: [0, 0, 0]
step: {h: 0.001, impacts: sequential}
contact: {model: coulomb_cone}
materials: {default: {friction: 0.3, restitution: restitution}}
bodies:
  - name: ball_{i}
    repeat: balls
    mass: 1 + (last - 1)*max(0, i + 2 - balls)
    position: [(0.1 + gap)*i, 0, 0]
    velocity: ["2*min(1, max(0, moving - i))", 0, 0]
    shape: {type: sphere, radius: 0.05}
)yaml";

Scene row(const Parameters& parameters) {
    SceneOverrides overrides;
    overrides.parameters = parameters;
    return SceneFiles().load(kRow, overrides);
}

struct Sums {
    double momentum = 0, energy = 0;
};

Sums sums(const Simulation& sim) {
    Sums total;
    for (std::size_t i = 0; i < sim.model.bodies.size(); ++i) {
        const double m = sim.model.bodies[i].mass;
        total.momentum += m * sim.state.twist[i].v.x();
        total.energy += 0.5 * m * sim.state.twist[i].v.squaredNorm();
    }
    return total;
}

// Balls that touch, and balls with gaps that a step of 2 mm closes some of.
TEST(Impacts, AsManyLeaveARowAsHaveHitIt) {
    for (const std::string_view model : kContactModelNames) {
        for (const char* gap : {"0", "1e-6", "0.0015", "0.005"}) {
            for (const int moving : {1, 2, 3}) {
                SCOPED_TRACE(std::string(model) + ", gap " + gap + ", moving " +
                             std::to_string(moving));
                const Scene scene = row({{"gap", gap}, {"moving", std::to_string(moving)}});
                Simulation sim = simulate(scene, make_contact_model(model));
                const Sums before = sums(sim);
                take_steps(sim, 40);
                const Sums after = sums(sim);
                EXPECT_NEAR(after.momentum, before.momentum, 1e-12);
                EXPECT_NEAR(after.energy, before.energy, 1e-12);
                for (int i = 0; i < 5; ++i) {
                    EXPECT_NEAR(sim.state.twist[at(i)].v.x(), i < 5 - moving ? 0 : 2, 1e-12) << i;
                    EXPECT_LT(sim.state.twist[at(i)].w.norm(), 1e-12) << i;
                }
            }
        }
    }
}

// What impacts lose is work of contacts, all of it.
TEST(Impacts, TheAccountHasTheirWorkOnce) {
    for (const char* restitution : {"1", "0.5"}) {
        SCOPED_TRACE(restitution);
        Simulation sim = simulate(row({{"restitution", restitution}, {"gap", "0.0015"}}), NoSlip{});
        sim.keep_account = true;
        double work = 0, unexplained = 0;
        const double before = sums(sim).energy;
        for (int i = 0; i < 40; ++i) {
            take_steps(sim, 1);
            work += sim.frame.account.contact;
            unexplained += std::abs(sim.frame.account.unexplained);
        }
        EXPECT_NEAR(work, sums(sim).energy - before, 1e-12);
        EXPECT_LT(unexplained, 1e-12);
    }
}

// What the default does, which this option is there to avoid: all balls share the blow.
TEST(Impacts, AtOneMomentTheBlowIsShared) {
    Scene scene = row({});
    scene.step.impacts = Impacts::kSimultaneous;
    Simulation sim = simulate(scene, scene.contact);
    take_steps(sim, 40);
    EXPECT_NEAR(sim.state.twist[4].v.x(), 0.4 * 2, 1e-6);
}

// Two balls: v' = (m - M e)/(m + M) v, V' = (1 + e) m/(m + M) v.
TEST(Impacts, TwoBallsPartAsTheirMassesAndRestitutionSay) {
    for (const double M : {0.2, 1.0, 3.0}) {
        for (const double e : {0.25, 0.5, 1.0}) {
            const Scene scene =
                row({{"balls", "2"}, {"last", exactly(M)}, {"restitution", exactly(e)}});
            Simulation sim = simulate(scene, scene.contact);
            take_steps(sim, 5);
            EXPECT_NEAR(sim.state.twist[0].v.x(), 2 * (1 - M * e) / (1 + M), 1e-12);
            EXPECT_NEAR(sim.state.twist[1].v.x(), 2 * (1 + e) / (1 + M), 1e-12);
        }
    }
}

TEST(Impacts, TheirImpulsesAreReported) {
    const Scene scene = row({{"balls", "2"}});
    Simulation sim = simulate(scene, scene.contact);
    take_steps(sim, 1);
    ASSERT_EQ(sim.frame.solution.c_n.size(), 1U);
    EXPECT_NEAR(sim.frame.solution.c_n[0], 2, 1e-12);  // m v
}

// A ball that cannot escape between two heavy ones is hit until it has thrown them back.
TEST(Impacts, ABallBetweenTwoHeavyOnesThrowsThemBack) {
    Scene scene = row({{"balls", "3"}});
    scene.model.bodies[0].mass = scene.model.bodies[2].mass = 1000;
    scene.state.twist[2].v.x() = -2;
    Simulation sim = simulate(scene, scene.contact);
    const Sums before = sums(sim);
    take_steps(sim, 40);
    const Sums after = sums(sim);
    EXPECT_LT(sim.state.twist[0].v.x(), 0);
    EXPECT_GT(sim.state.twist[2].v.x(), 0);
    EXPECT_NEAR(after.energy, before.energy, 1e-9 * before.energy);
    EXPECT_NEAR(after.momentum, before.momentum, 1e-9);
}

// A ball that bounces keeps its energy: it turns back with the speed that it had.
TEST(Impacts, ABallBouncesAsHighAsItFell) {
    Scene scene = shipped_scene("bounce", {{"balls", "2"}, {"max_restitution", "1"}});
    scene.step.impacts = Impacts::kSequential;
    Simulation sim = simulate(scene, scene.contact);
    double apex = 0;
    while (sim.state.time < 0.95) {
        take_steps(sim, 1);
        if (sim.state.time > 0.5) apex = std::max(apex, sim.state.pose[2].p.z() - 0.05);
    }
    EXPECT_NEAR(apex, 1, 1e-3);                        // first order in h
    EXPECT_NEAR(sim.state.pose[1].p.z(), 0.05, 1e-6);  // without restitution it lies
}

}  // namespace
}  // namespace impacts_test
}  // namespace stiction
