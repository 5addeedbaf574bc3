// step_light_test.cpp - one light for a step, and a banner that says what to do.
#include "view/step_light.h"

#include <gtest/gtest.h>

namespace stiction {
namespace {

StepRecord light_step(std::int64_t number, SolveStatus status = SolveStatus::kSolved) {
    StepRecord record;
    record.step = number;
    record.t = 1e-3 * static_cast<double>(number);
    record.status = status;
    record.failures = status == SolveStatus::kSolved ? 0 : 1;
    record.residual = status == SolveStatus::kSolved ? 1e-12 : 59;
    return record;
}

TEST(StepLight, SaysHowTheStepWasSolved) {
    Snapshot snapshot;
    EXPECT_EQ(light_of(snapshot), StepLight::kNotMeasured);
    snapshot.stepped = true;
    EXPECT_EQ(light_of(snapshot), StepLight::kSolved);
    snapshot.record.fallbacks = 1;
    EXPECT_EQ(light_of(snapshot), StepLight::kFallback);
    snapshot.record.failures = 1;
    EXPECT_EQ(light_of(snapshot), StepLight::kUnsolved);
    snapshot.recorded = true;
    EXPECT_EQ(light_of(snapshot), StepLight::kNotMeasured);
    snapshot.recorded = false;
    snapshot.record = light_step(1, SolveStatus::kTorn);
    snapshot.record.failures = 0;
    EXPECT_EQ(light_of(snapshot), StepLight::kUnsolved);
}

TEST(StepLight, TroubleIsOfTheLastSteps) {
    Timeline timeline(100);
    for (int i = 1; i <= 50; ++i) timeline.add(light_step(i));
    EXPECT_FALSE(trouble_of(timeline));
    for (int i = 51; i <= 60; ++i) timeline.add(light_step(i, SolveStatus::kIterationLimit));
    const auto trouble = trouble_of(timeline);
    ASSERT_TRUE(trouble);
    EXPECT_EQ(trouble->steps, 60);
    EXPECT_EQ(trouble->unsolved, 10);
    EXPECT_EQ(trouble->last.step, 60);
    for (int i = 61; i <= 60 + kTroubleSteps; ++i) timeline.add(light_step(i));
    EXPECT_FALSE(trouble_of(timeline));
}

TEST(StepLight, TheBannerSaysWhatToDo) {
    for (const SolveStatus status :
         {SolveStatus::kIterationLimit, SolveStatus::kBudget, SolveStatus::kContradiction,
          SolveStatus::kNoSolution, SolveStatus::kTorn, SolveStatus::kNotFinite}) {
        Trouble trouble{.steps = 100, .unsolved = 7, .last = light_step(1, status)};
        const std::string text = describe(trouble);
        EXPECT_NE(text.find("7 of the last 100 steps"), std::string::npos) << text;
        EXPECT_NE(text.find("5.9e+01"), std::string::npos) << text;
        EXPECT_GT(text.size(), text.find('\n') + 30) << text;
        EXPECT_EQ(text.find('_'), text.find("coulomb_cone") == std::string::npos
                                      ? std::string::npos
                                      : text.find("coulomb_cone") + 7)
            << text;
    }
}

TEST(StepLight, ColumnsCountTheStepsNotSolved) {
    Timeline timeline(1);
    for (int i = 1; i <= 1000; ++i)
        timeline.add(
            light_step(i, i == 500 || i == 505 ? SolveStatus::kBudget : SolveStatus::kSolved));
    int unsolved = 0;
    for (const CostColumn& column : timeline.columns(10)) unsolved += column.unsolved;
    EXPECT_EQ(unsolved, 2);
    EXPECT_EQ(timeline.columns(10)[5].unsolved + timeline.columns(10)[4].unsolved, 2);
}

}  // namespace
}  // namespace stiction
