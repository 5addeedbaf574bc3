// viscous_test.cpp - viscous friction at the velocity level: decay of a dragged block, the stiff
// limit, agreement of the solvers.
#include "contact/models/viscous.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <string>

#include "scene_runs.h"
#include "step/simulation.h"

namespace stiction {
namespace {

// A cube of 1 kg on the ground, four contacts, pushed off along x and y.
Scene block_on_wet_ground(double mu_v, double h) {
    const std::string path = ::testing::TempDir() + "/wet_ground.yaml";
    std::ofstream(path) << "version: 1\ncontact: {model: viscous}\nstep: {h: " << h
                        << "}\nmaterials: {default: {friction: 0, viscous: " << mu_v
                        << "}}\nbodies:\n"
                           "  - {name: ground, kind: static, shape: {type: plane}}\n"
                           "  - {name: cube, mass: 1, position: [0, 0, 0.05], velocity: [0.3, "
                           "0.4, 0], shape: {type: box, size: [0.1, 0.1, 0.1]}}\n";
    return load_scene(path, {});
}

// Each of the n_c contacts brakes with mu_v: m dv/dt = -n_c mu_v v. The step is implicit Euler,
// v+ = v / (1 + h n_c mu_v / m), which tends to exp(-n_c mu_v t / m). (The drag does not tip the
// cube: its moment is below that of the weight.)
TEST(Viscous, DraggedBlockDecays) {
    for (const double h : {1e-2, 1e-3}) {
        for (const char* solver : {"auto", "active_set_qp", "block_pivot", "pgs", "ppm", "lemke"}) {
            const double mu_v = 2;
            Simulation sim = simulate(block_on_wet_ground(mu_v, h), model_named("viscous", solver));
            const int n = static_cast<int>(std::lround(0.2 / h));
            take_steps(sim, n);
            const double speed = sim.state.twist.back().v.norm();
            EXPECT_NEAR(speed, 0.5 / std::pow(1 + h * 4 * mu_v, n), 1e-7) << solver;
            EXPECT_NEAR(speed, 0.5 * std::exp(-4 * mu_v * 0.2), 5 * h) << solver;
        }
    }
}

// The paper's two on the normals alone, friction in the inertia, with joints, motors and loops: the
// velocities are those of the soft rows.
TEST(Viscous, PpmAndLemkeGiveTheVelocitiesOfTheSoftRows) {
    for (const char* scene_name : {"quadruped", "grasp", "stack", "chain", "motors"}) {
        const Scene scene = shipped_scene(scene_name);
        Simulation rows = simulate(scene, model_named("viscous", "sparse_ppm"));
        int contacts = 0;
        for (int i = 0; i < 120; ++i) {
            const State before = rows.state;
            take_steps(rows, 1);
            contacts += static_cast<int>(rows.frame.problem.contacts.size());
            for (const char* solver : {"ppm", "lemke"}) {
                Simulation one = simulate(scene, model_named("viscous", solver));
                one.state = before;
                ASSERT_EQ(step(one), StepOutcome::kDone);
                EXPECT_EQ(one.frame.solution.status, SolveStatus::kSolved);
                EXPECT_EQ(one.frame.solution.fallbacks, 0) << scene_name << " " << solver;
                EXPECT_LT((one.frame.solution.v - rows.frame.solution.v).norm(), 1e-7)
                    << scene_name << " step " << i << " " << solver;
            }
        }
        const bool joints_alone = scene.name == "chain" || scene.name == "motors";
        EXPECT_EQ(contacts > 0, !joints_alone) << scene_name;
    }
}

// An explicit drag would blow up from h mu_v n_c / m = 2 on; here the limit is no slip.
TEST(Viscous, StiffFrictionStops) {
    for (const double mu_v : {1e3, 1e6, 1e12}) {
        Scene scene = block_on_wet_ground(mu_v, 1e-2);
        scene.state.twist.back().v = Vec3(0.03, 0.04, 0);  // slow enough not to tip when it stops
        Simulation sim = simulate(scene, Viscous{});
        take_steps(sim, 1);
        EXPECT_LT(sim.state.twist.back().v.norm(), 0.05 * 1.1 / (1e-2 * 4 * mu_v));
        take_steps(sim, 50);
        EXPECT_LT(sim.state.twist.back().v.norm(), 1e-3);
    }
}

TEST(Viscous, WithoutFrictionItSlidesOn) {
    Simulation sim = simulate(block_on_wet_ground(0, 1e-3), Viscous{});
    take_steps(sim, 500);
    EXPECT_NEAR(sim.state.twist.back().v.norm(), 0.5, 1e-12);
}

}  // namespace
}  // namespace stiction
