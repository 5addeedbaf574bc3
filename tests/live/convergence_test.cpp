// convergence_test.cpp - traces end at the answer of the step and do not disturb the run.
#include "live/convergence.h"

#include "live/live_scenes.h"
#include "record/quality_record.h"
#include "step/simulation.h"

namespace stiction {
namespace {

class Trace : public testing::TestWithParam<std::string_view> {};

// Boxes that fall on one another: no warm start helps.
TEST_P(Trace, EndsAtTheAnswersResidual) {
    const Scene scene = shipped_scene("wall");
    LiveScene live(scene, 1);
    Simulation sim = simulate(scene, make_contact_model(GetParam()));
    use_model(live, make_contact_model(GetParam()));
    for (int i = 0; i < 30; ++i) {
        ASSERT_TRUE(live.forward());
        ASSERT_EQ(step(sim), StepOutcome::kDone);
        live.trace_convergence();
        const Snapshot snapshot = look_at(live);
        const Convergence& trace = snapshot.convergence;
        ASSERT_EQ(trace.step, i + 1);
        EXPECT_EQ(trace.solver, sim.frame.solution.solver);
        ASSERT_FALSE(trace.points.empty());
        EXPECT_LE(trace.points.size(), 25U);
        for (std::size_t k = 1; k < trace.points.size(); ++k)
            EXPECT_GT(trace.points[k].iterations, trace.points[k - 1].iterations);
        const ConvergencePoint& last = trace.points.back();
        EXPECT_EQ(last.own, sim.frame.solution.residual);
        EXPECT_EQ(last.natural, snapshot.quality.natural.norm);
        EXPECT_EQ(last.scaled, snapshot.quality.scaled.norm);
        // The run goes on as if nothing had been traced.
        ASSERT_EQ(hash_of(live), state_hash(sim.state));
        ASSERT_EQ(live.simulation().guess.contacts, sim.guess.contacts);
    }
}

INSTANTIATE_TEST_SUITE_P(Models, Trace, testing::ValuesIn(kContactModelNames),
                         [](const auto& tested) { return std::string(tested.param); });

// A stack of ten cubes without warm starts takes many sweeps, and each brings the answer nearer.
TEST(Convergence, OfSweepsStartsAboveAndFalls) {
    LiveScene live(shipped_scene("stack"), 1);
    use_model(live, CoulombCone{.solver = CoulombConeSolver::kPgs});
    forward(live, 1);
    live.trace_convergence();
    const Convergence trace = look_at(live).convergence;
    ASSERT_GT(trace.points.size(), 5U);
    EXPECT_EQ(trace.solver, "sweeps");
    EXPECT_EQ(trace.points[0].iterations, 1);
    EXPECT_EQ(trace.points[1].iterations, 2);
    EXPECT_EQ(trace.points[2].iterations, 3);
    EXPECT_EQ(trace.points[3].iterations, 5);
    const ConvergencePoint& first = trace.points.front();
    const ConvergencePoint& last = trace.points.back();
    EXPECT_EQ(last.iterations, live.simulation().frame.solution.iterations);
    EXPECT_LT(last.natural, 1e-5);
    EXPECT_LT(last.scaled, 1e-5);
    EXPECT_GT(first.natural, 100 * last.natural);
    EXPECT_GT(first.scaled, 100 * last.scaled);
    EXPECT_GT(first.own, 100 * last.own);
}

TEST(Convergence, IsForgottenByTheNextStepAndEmptyWhereThereIsNothingToSolve) {
    LiveScene live(shipped_scene("stack"), 1);
    live.trace_convergence();
    EXPECT_EQ(look_at(live).convergence.step, -1);
    forward(live, 1);
    live.trace_convergence();
    EXPECT_EQ(look_at(live).convergence.step, 1);
    forward(live, 1);
    EXPECT_EQ(look_at(live).convergence.step, -1);
    use_model(live, Viscous{.level = ViscousLevel::kAcceleration});
    forward(live, 1);
    live.trace_convergence();
    EXPECT_TRUE(look_at(live).convergence.points.empty());
}

TEST(Convergence, OfAStepThatWasGoneBackToIsThatOfTheStep) {
    LiveScene live(shipped_scene("stack"), 1);
    use_model(live, CoulombCone{.solver = CoulombConeSolver::kPgs});
    forward(live, 3);
    live.trace_convergence();
    const Convergence trace = look_at(live).convergence;
    forward(live, 4);
    back(live, 4);
    live.trace_convergence();
    const Convergence again = look_at(live).convergence;
    EXPECT_EQ(again.step, 3);
    ASSERT_EQ(again.points.size(), trace.points.size());
    for (std::size_t i = 0; i < trace.points.size(); ++i)
        EXPECT_EQ(again.points[i].natural, trace.points[i].natural);
}

}  // namespace
}  // namespace stiction
