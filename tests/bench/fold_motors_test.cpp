// fold_motors_test.cpp - motors in the inertia give the velocities that motors as rows give.
#include "bench/fold_motors.h"

#include <gtest/gtest.h>

#include "contact/solve_contact.h"
#include "scene_runs.h"

namespace stiction {
namespace {

VecX answer(const ContactModel& model, const ContactProblem& problem) {
    ThreadPool pool(1);
    ContactWorkspace workspace;
    Guess guess;
    guess.joints.assign(problem.bounded.size(), kNoGuess);
    ContactSolution solution;
    solve_contact(model, problem, 0, pool, workspace, guess, solution);
    EXPECT_EQ(solution.status, SolveStatus::kSolved);
    for (std::size_t i = 0; i < problem.bounded.size(); ++i) {
        EXPECT_LT(std::abs(solution.c_b[i]), problem.bounded[i].hi) << "a motor at its limit";
    }
    return solution.v;
}

TEST(FoldMotors, SameVelocitiesWithoutBoundedRows) {
    const Scene scene = shipped_scene("quadruped");
    Simulation sim = simulate(scene, model_named("no_slip"));
    take_steps(sim, 300);
    int with_contacts = 0;
    for (int i = 0; i < 200; ++i) {
        take_steps(sim, 1);
        const ContactProblem& problem = sim.frame.problem;
        const ContactProblem folded = fold_motors(problem);
        EXPECT_EQ(problem.bounded.size(), 12U);
        EXPECT_TRUE(folded.bounded.empty());
        ASSERT_EQ(folded.contacts.size(), problem.contacts.size());
        for (const char* model : {"no_slip", "coulomb_lcp"}) {
            const VecX rows = answer(model_named(model), problem);
            const VecX inertia = answer(model_named(model), folded);
            EXPECT_LT((rows - inertia).lpNorm<Eigen::Infinity>(), 1e-9) << model << " " << i;
        }
        with_contacts += !problem.contacts.empty();
    }
    EXPECT_GT(with_contacts, 100);
}

// Motors of bodies in maximal coordinates: no tree, nothing to fold.
TEST(FoldMotors, LeavesOtherProblemsAsTheyAre) {
    const Scene scene = shipped_scene("motors");
    Simulation sim = simulate(scene, model_named("no_slip"));
    take_steps(sim, 5);
    const ContactProblem folded = fold_motors(sim.frame.problem);
    EXPECT_EQ(folded.bounded.size(), sim.frame.problem.bounded.size());
    EXPECT_EQ(folded.system.links.size(), sim.frame.problem.system.links.size());
    EXPECT_EQ(folded.v_free, sim.frame.problem.v_free);
}

}  // namespace
}  // namespace stiction
