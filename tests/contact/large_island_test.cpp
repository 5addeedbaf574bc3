// large_island_test.cpp - the routes for islands that are not factored agree with the others.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "contact/island/operators.h"
#include "contact/routes/newton.h"
#include "contact/routes/pivoting.h"
#include "contact/routes/sweeps.h"
#include "contact/solve_contact.h"
#include "scene_runs.h"
#include "step/simulation.h"

namespace stiction {
namespace {

// The program of frictionless contact in a wall of bricks: sweeps against block-sparse pivoting.
TEST(Sweeps, AgreeWithPivoting) {
    Simulation sim = simulate(shipped_scene("wall"), NoSlip{});
    take_steps(sim, 1);
    const ContactProblem& problem = sim.frame.problem;
    IslandRows rows;
    ASSERT_FALSE(problem.islands.empty());
    build_island_rows(problem, problem.islands[0], {}, rows);
    const auto n = static_cast<std::size_t>(problem.v_free.size());
    VecX v = problem.v_free;
    VecX v_swept = problem.v_free;
    VecX momentum(static_cast<Eigen::Index>(n));
    PivotingWorkspace pivoting;
    ASSERT_EQ(solve_by_pivoting(problem.system, {kPivotingTolerance}, problem.v_free, pivoting,
                                rows, momentum, v)
                  .status,
              SolveStatus::kSolved);
    std::fill(rows.c.begin(), rows.c.end(), 0.0);
    SweepWorkspace sweeping;
    const SolveReport swept = sweep_rows(problem, problem.islands[0], {{1e-9, 100000}},
                                         problem.v_free, sweeping, rows, v_swept);
    ASSERT_EQ(swept.status, SolveStatus::kSolved);
    EXPECT_LT((v - v_swept).norm(), 1e-5 * problem.v_free.norm());
}

// The same with a Newton step after every dozen sweeps: another way to the same answer, and shorter.
TEST(Sweeps, WithHelpAgreeWithSweepsAlone) {
    Simulation sim =
        simulate(shipped_scene("brick_wall", {{"courses", "8"}, {"bricks", "4"}}), CoulombCone{});
    ASSERT_EQ(step(sim), StepOutcome::kDone);
    const ContactProblem& problem = sim.frame.problem;
    ASSERT_FALSE(problem.islands.empty());
    const Island& island = problem.islands[0];
    IslandRows rows;
    build_island_rows(problem, island, {.all_tangential = true}, rows);
    const auto solve = [&](bool helped, VecX& v) {
        SweepWorkspace sweeping;
        BodyNewton newton;
        NewtonHelp help(problem, island, problem.v_free, rows, sweeping.triples, nullptr, newton);
        std::fill(rows.c.begin(), rows.c.end(), 0.0);
        v = problem.v_free;
        const SweepSettings settings{
            {1e-9, 100000}, helped ? 1 : 0, nullptr, 0, helped ? &help : nullptr};
        return sweep_rows(problem, island, settings, problem.v_free, sweeping, rows, v);
    };
    VecX v_alone, v_helped;
    const SolveReport alone = solve(false, v_alone);
    const SolveReport helped = solve(true, v_helped);
    ASSERT_EQ(alone.status, SolveStatus::kSolved);
    ASSERT_EQ(helped.status, SolveStatus::kSolved);
    EXPECT_GT(helped.iterations, 300);  // help does not come before
    EXPECT_LT(helped.iterations, alone.iterations);
    EXPECT_LT((v_alone - v_helped).norm(), 1e-5 * problem.v_free.norm());
}

// A workspace that has served another problem gives the same bits as a new one.
TEST(Sweeps, KeepNothingOfAnotherProblem) {
    const auto swept = [](const char* scene, SweepWorkspace& workspace) -> VecX {
        Simulation sim = simulate(shipped_scene(scene), NoSlip{});
        take_steps(sim, 1);
        const ContactProblem& problem = sim.frame.problem;
        IslandRows rows;
        build_island_rows(problem, problem.islands[0], {.all_tangential = true}, rows);
        VecX v = problem.v_free;
        (void)sweep_rows(problem, problem.islands[0], {{1e-12, 60}}, problem.v_free, workspace,
                         rows, v);
        return v;
    };
    SweepWorkspace fresh, used;
    const VecX expected = swept("stack", fresh);
    (void)swept("wall", used);
    EXPECT_EQ(swept("stack", used), expected);
}

// Triples that are extrapolated each by its own share take the velocities with them.
TEST(Sweeps, MomentumOfEachTripleMovesTheVelocities) {
    Simulation sim =
        simulate(shipped_scene("brick_wall", {{"courses", "8"}, {"bricks", "4"}}), CoulombCone{});
    ASSERT_EQ(step(sim), StepOutcome::kDone);
    const ContactProblem& problem = sim.frame.problem;
    ASSERT_FALSE(problem.islands.empty());
    const Island& island = problem.islands[0];
    IslandRows rows;
    Triples triples;
    build_island_rows(problem, island, {.all_tangential = true}, rows);
    build_triples(problem, rows, triples);
    triples.r.setZero();
    for (const bool coloured : {false, true}) {
        triples.r.setZero();
        SweepSystem system;
        prepare_sweeps(problem, island, rows, triples, {}, problem.v_free, problem.v_free, coloured,
                       system);
        EXPECT_EQ(system.wide.packs.empty(), !coloured);
        SweepMomentum momentum;
        int moved = 0;
        for (int k = 0; k < 30; ++k) {
            const LaneVector before = system.r;
            (void)sweep_once(system);
            const VecX swept = system.r.all();
            accelerate_each(momentum, before, system);
            moved += swept != system.r.all() ? 1 : 0;
        }
        EXPECT_GT(moved, 20);
        take_impulses(system, triples.r);
        VecX v = problem.v_free;
        take_velocities(problem, island, system, v);
        VecX expected = problem.v_free;
        VecX scratch(v.size());
        apply_impulses(problem.system, rows, triples, problem.v_free, scratch, expected);
        EXPECT_LT((v - expected).norm(), 1e-12 * (problem.v_free - expected).norm());
    }
}

// A pile that collides and comes to rest, large enough for momentum of each triple: every step is
// solved by sweeps.
TEST(Sweeps, SolveAPileInMotion) {
    CoulombCone model;
    model.tolerance = 1e-4;
    Simulation sim = simulate(shipped_scene("granular", {{"count", "800"}}), model);
    std::vector<int> scratch;
    int large = 0;  // steps with an island that is never factored
    for (int i = 0; i < 250; ++i) {
        ASSERT_EQ(step(sim), StepOutcome::kDone);
        const ContactSolution& solution = sim.frame.solution;
        ASSERT_EQ(solution.failures, 0) << i;
        ASSERT_LE(solution.residual, model.tolerance) << i;
        const ContactProblem& problem = sim.frame.problem;
        large += std::any_of(problem.islands.begin(), problem.islands.end(), [&](const Island& x) {
            const IslandSize size = measure(problem, x, scratch);
            return is_large_pile(size) && is_iterated(size);
        });
    }
    EXPECT_GT(large, 20);
    EXPECT_EQ(sim.frame.solution.solver, "sweeps");
}

TEST(IslandSize, PileIsToldFromChain) {
    std::vector<int> scratch;
    const auto first_island = [&](const Simulation& sim) {
        return measure(sim.frame.problem, sim.frame.problem.islands[0], scratch);
    };
    Simulation chain = simulate(shipped_scene("grasp", {{"boxes", "120"}}), NoSlip{});
    take_steps(chain, 1);
    const IslandSize row = first_island(chain);
    EXPECT_GT(row.links, kPileLinks);
    EXPECT_EQ(row.contacts, static_cast<int>(chain.frame.problem.contacts.size()));
    EXPECT_TRUE(row.free_bodies);
    EXPECT_FALSE(row.entangled);
}

// coulomb_lcp by sweeps over polygons, on the law of the LCP: the closed form on the ramp.
TEST(CoulombLcpSweeps, CubeSlidesAtTheClosedFormSpeed) {
    for (const char* mu : {"0", "0.15", "0.3"}) {
        const double theta = 20 * M_PI / 180;
        Simulation sim =
            simulate(shipped_scene("ramp", {{"mu", mu}}), model_named("coulomb_lcp", "pgs"));
        take_steps(sim, 500);
        const double a = 9.81 * (std::sin(theta) - std::stod(mu) * std::cos(theta));
        EXPECT_NEAR(sim.state.twist.back().v.norm(), 500 * sim.settings.h * a, 1e-6) << mu;
        EXPECT_EQ(sim.frame.solution.solver, "sweeps");
    }
}

}  // namespace
}  // namespace stiction
