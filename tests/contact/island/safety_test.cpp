// safety_test.cpp - an island's answer is kept and put back without touching other islands.
#include "contact/island/safety.h"

#include <gtest/gtest.h>

#include "contact/island/operators.h"
#include "scene_runs.h"

namespace stiction {
namespace {

// Islands are solved side by side on several threads: what one keeps must neither read nor restore
// the velocities and impulses of another.
TEST(Safety, KeepsAndRestoresOneIslandOnly) {
    Simulation sim = simulate(shipped_scene("islands"), CoulombCone{});
    for (int i = 0; i < 20; ++i) ASSERT_EQ(step(sim), StepOutcome::kDone);
    const ContactProblem& problem = sim.frame.problem;
    ASSERT_GT(problem.islands.size(), 1U);
    const Island& island = problem.islands.front();
    ContactSolution solution = sim.frame.solution;
    SharedWorkspace shared;
    IslandWorkspace workspace;
    const IslandSize size = measure(problem, island, workspace.links_per_block);
    const Guess guess;
    const IslandTask task{problem, island, size, guess, shared, workspace, solution};

    constexpr double kMark = -12345;
    KeptAnswer kept;
    kept.v = VecX::Constant(solution.v.size(), kMark);
    keep_answer(task, kept);
    VecX expected = VecX::Constant(solution.v.size(), kMark);
    copy_velocity(problem.system, blocks_of(task), solution.v, expected);
    EXPECT_EQ(kept.v, expected);  // entries of other islands were not read

    const ContactSolution before = solution;
    solution.v.setConstant(kMark);
    solution.c_n.assign(solution.c_n.size(), kMark);
    put_back(task, kept);
    copy_velocity(problem.system, blocks_of(task), before.v, expected);
    EXPECT_EQ(solution.v, expected);
    std::vector<double> c_n(solution.c_n.size(), kMark);
    for_each_contact(task, [&](int i) { c_n[at(i)] = before.c_n[at(i)]; });
    EXPECT_EQ(solution.c_n, c_n);
}

}  // namespace
}  // namespace stiction
