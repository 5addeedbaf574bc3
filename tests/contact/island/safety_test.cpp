// safety_test.cpp - what counts as a sound answer: energy, gaps, and the size of the impulses; and
// an answer is kept and put back without touching other islands.
#include "contact/island/safety.h"

#include <gtest/gtest.h>

#include "contact/island/operators.h"
#include "contact/routes/sweeps.h"
#include "scene_runs.h"

namespace stiction {
namespace {

// A stack at rest, its solved step as an answer that may be tampered with.
class Safety : public ::testing::Test {
  protected:
    Safety() : sim_(simulate(shipped_scene("stack"), CoulombCone{})) {
        take_steps(sim_, 20);
        solution_ = sim_.frame.solution;
        shared_.momentum.resize(problem().v_free.size());
        size_ = measure(problem(), island(), scratch_);
    }
    [[nodiscard]] const ContactProblem& problem() const { return sim_.frame.problem; }
    [[nodiscard]] const Island& island() const { return problem().islands[0]; }
    [[nodiscard]] AnswerQuality quality() {
        return quality_of({problem(), island(), size_, guess_, shared_, workspace_, solution_});
    }
    [[nodiscard]] double needed() {
        return most_needed({problem(), island(), size_, guess_, shared_, workspace_, solution_});
    }
    [[nodiscard]] std::size_t contact() const {
        const int link = links_of(problem(), island())[0];
        return at(problem().link_rows[at(link)].contact_begin);
    }

    Simulation sim_;
    ContactSolution solution_;
    std::vector<int> scratch_;
    IslandSize size_;
    Guess guess_;
    SharedWorkspace shared_;
    IslandWorkspace workspace_;
};

TEST_F(Safety, WhatRestsIsSound) {
    const AnswerQuality solved = quality();
    EXPECT_FALSE(solved.closes);
    EXPECT_FALSE(solved.absurd);
    EXPECT_TRUE(is_sound(solved, false));
}

// Two impulses that cancel do nothing to the motion, whatever their size.
TEST_F(Safety, ImpulsesBeyondWhatTheMotionNeedsAreNot) {
    const AnswerQuality solved = quality();
    const double weight = needed();
    ASSERT_GT(weight, 0);
    solution_.c_s[contact()] += 100 * weight;
    EXPECT_FALSE(quality().absurd);  // levers and wedges do that
    solution_.c_s[contact()] += 1e6 * weight;
    const AnswerQuality tampered = quality();
    EXPECT_TRUE(tampered.absurd);
    EXPECT_FALSE(is_sound(tampered, false));
    EXPECT_FALSE(is_sound(tampered, true));
    EXPECT_TRUE(is_better(solved, tampered));
    EXPECT_FALSE(is_better(tampered, solved));
}

// No impulses at all have no absurd ones, but let the stack fall through the floor: worse.
TEST_F(Safety, GapsThatCloseCountMoreThanTheSizeOfImpulses) {
    solution_.c_s[contact()] += 1e6 * needed();
    const AnswerQuality absurd = quality();
    solution_.v = problem().v_free;
    set_zero_impulses(problem(), solution_);
    const AnswerQuality none = quality();
    EXPECT_TRUE(none.closes);
    EXPECT_FALSE(none.absurd);
    EXPECT_TRUE(is_better(absurd, none));
    EXPECT_FALSE(is_better(none, absurd));
}

// Islands are solved side by side on several threads: what one keeps must neither read nor restore
// the velocities and impulses of another.
TEST(KeptAnswer, KeepsAndRestoresOneIslandOnly) {
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
