// Coulomb's law on the polygon: cone, complementarity, and the two ways to solve it.
#include "contact/models/coulomb_lcp.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"
#include "problem/link_motion.h"
#include "scene/scene_files.h"
#include "scene_runs.h"
#include "step/simulation.h"

namespace stiction {
namespace {

struct Slide {
    double speed = 0;  // along the slope
    double sideways = 0;
};

// Speed of the ramp's cube after one second.
Slide slide(const Parameters& parameters, const CoulombLcp& model) {
    Simulation sim = simulate(shipped_scene("ramp", parameters), model);
    take_steps(sim, 1000);
    const Twist& twist = sim.state.twist.back();
    return {std::hypot(twist.v.x(), twist.v.z()), std::abs(twist.v.y())};
}

TEST(CoulombLcp, StaysInsideThePolygonAndOpposesSliding) {
    for (const int sides : {4, 6, 8, 12}) {
        CoulombLcp model;
        model.sides = sides;
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            Scene scene = shipped_scene("stack", {{"boxes", "2"}});
            Random random(seed);
            for (Twist& twist : scene.state.twist) {
                for (int k = 0; k < 3; ++k) twist.v[k] = random.uniform(-1, 1);
            }
            scene.state.twist[0] = {};
            Simulation sim = simulate(scene, model);
            take_steps(sim, 5);
            const ContactProblem& problem = sim.frame.problem;
            for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
                const ContactRow& c = problem.contacts[i];
                const ContactSolution& solution = sim.frame.solution;
                const double c_T = std::hypot(solution.c_s[i], solution.c_t[i]);
                EXPECT_LE(c_T, c.mu_c * solution.c_n[i] * (1 + 1e-9) +
                                   1e-12);  // the polygon lies inside the cone
                const Vec6 u = link_velocity(problem.system,
                                             problem.system.links[static_cast<std::size_t>(c.link)],
                                             solution.v);
                EXPECT_LE(solution.c_s[i] * c.s.dot(u) + solution.c_t[i] * c.t.dot(u),
                          1e-10);  // friction takes energy
                EXPECT_GE(c.n.dot(u) + c.bias, -1e-9);
            }
        }
    }
}

// Along a polygon direction friction is mu; sliding is exact for every number of sides.
TEST(CoulombLcp, SlidesAtTheClosedFormSpeedAlongAPolygonDirection) {
    const double theta = 20 * M_PI / 180;
    for (const int sides : {4, 8, 16}) {
        CoulombLcp model;
        model.sides = sides;
        const Slide result = slide({{"angle", "20"}, {"mu", "0.2"}}, model);
        EXPECT_NEAR(result.speed, 9.81 * (std::sin(theta) - 0.2 * std::cos(theta)), 1e-8)
            << sides << " sides";
        EXPECT_LT(result.sideways, 1e-10);
    }
}

TEST(CoulombLcp, LemkeAndTheStickingShortCutAgreeOnVelocity) {
    for (const char* name : {"wall", "ramp"}) {
        const Parameters sticks =
            std::string(name) == "ramp" ? Parameters{{"mu", "0.6"}} : Parameters{};
        Simulation lemke =
            simulate(shipped_scene(name, sticks), model_named("coulomb_lcp", "lemke"));
        Simulation quick = simulate(shipped_scene(name, sticks), model_named("coulomb_lcp"));
        take_steps(lemke, 200);
        take_steps(quick, 200);
        EXPECT_EQ(lemke.frame.solution.solver, "lemke");
        EXPECT_EQ(quick.frame.solution.solver, "stick");
        for (std::size_t b = 0; b < lemke.state.pose.size(); ++b) {
            EXPECT_LT((lemke.state.pose[b].p - quick.state.pose[b].p).norm(), 1e-11);
        }
    }
}

TEST(CoulombLcp, StewartTrinkleRemovesOverlapThroughTheVelocity) {
    Scene scene = shipped_scene("stack", {{"boxes", "1"}});
    scene.state.pose.back().p.z() -= 1e-4;
    CoulombLcp model;
    model.variant = CoulombLcpVariant::kStewartTrinkle;
    Simulation sim = simulate(scene, model);
    take_steps(sim, 1);
    EXPECT_NEAR(sim.state.twist.back().v.z(), 1e-4 / sim.settings.h, 1e-9);
    EXPECT_EQ(sim.frame.projection.islands, 0);
}

TEST(CoulombLcp, JointsMotorsAndLimitsTakePart) {
    Simulation lcp = simulate(shipped_scene("motors"), model_named("coulomb_lcp", "lemke"));
    Simulation no_slip = simulate(shipped_scene("motors"), NoSlip{});
    take_steps(lcp, 500);
    take_steps(no_slip, 500);
    for (std::size_t b = 0; b < lcp.state.pose.size();
         ++b) {  // nothing slides there: both models move alike
        EXPECT_LT((lcp.state.pose[b].p - no_slip.state.pose[b].p).norm(), 1e-7)
            << lcp.model.bodies[b].name;
    }
}

// A linkage with a mimic joint and a motor lies on a ball, its lightest part of 60 g. Lemke's method said
// solved of what its own scaled rows hide, the answer was then found useless, and contact without
// friction took its place and its status: a contact with mu = 0.5 slid by 0.4 m/s, solved.
TEST(CoulombLcp, WithoutFrictionIsNotSolved) {
    const Scene scene = SceneFiles().load(R"(version: 1
contact: {model: coulomb_lcp}
step: {h: 0.02}
materials: {smooth: {friction: 0}}
bodies:
  - {name: ground, kind: static, position: [0, 0, -0.05], shape: {type: sphere, radius: 0.05}}
  - {name: b1, position: [0, 0, 0.2], mass: 1, shape: {type: sphere, radius: 0.04}}
  - {name: b2, position: [0, 0, 0.2], mass: 0.06, material: smooth,
     shape: {type: sphere, radius: 0.02}}
  - {name: b3, position: [-0.1, 0, 0.2], mass: 1, material: smooth,
     shape: {type: sphere, radius: 0.02}}
  - {name: b4, position: [-0.08, 0, 0.2], orientation: [0.679, -0.7342, 0, 0], mass: 1,
     material: smooth, shape: {type: sphere, radius: 0.02}}
joints:
  - {name: j0, type: prismatic, parent: b1, child: b2, anchor: [0, 0.05, 0.2],
     axis: [-0.00705, 0.0266, -1], motor: {velocity: -3.33, max_force: 3.15}}
  - {name: j1, type: revolute, parent: b2, child: b3, anchor: [-0.05, 0.1, 0.2], axis: [0, 1, 0],
     mimic: {joint: j0, multiplier: 2}}
  - {name: j2, type: universal, parent: b3, child: b4, anchor: [-0.089, 0.06, 0.22],
     axis: [0, 1, 0], axis2: [0, 0, -1]}
  - {name: j3, type: revolute, parent: b1, child: b4, anchor: [-0.04, 0.01, 0.2], axis: [0, -1, 0]}
)");
    Simulation sim = simulate(scene, scene.contact);
    for (int i = 0; i < 30; ++i) {
        ASSERT_EQ(step(sim), StepOutcome::kDone);
        for (const IslandResult& island : sim.frame.solution.islands) {
            if (island.solver != "frictionless") continue;
            EXPECT_NE(island.status, SolveStatus::kSolved) << "step " << i;
        }
    }
}

}  // namespace
}  // namespace stiction
