// timeline_test.cpp - what the overlay shows of the last steps, and its numbers.
#include "view/timeline.h"

#include <gtest/gtest.h>

#include <numeric>

#include "view/panels/overlay.h"

namespace stiction {
namespace {

constexpr double kStep = 0.01;

// Stage s of step i costs (s + 1) i microseconds, the step ten more than their sum.
StepRecord record(std::int64_t step, std::string_view model = "no_slip") {
    StepRecord r;
    r.step = step;
    r.t = kStep * static_cast<double>(step);
    for (std::size_t s = 0; s < r.seconds.size(); ++s)
        r.seconds[s] = 1e-6 * static_cast<double>(s + 1) * static_cast<double>(step);
    r.step_seconds = std::accumulate(r.seconds.begin(), r.seconds.end(), 1e-5);
    r.model = model;
    r.iterations = static_cast<int>(step % 7);
    r.contacts = 4;
    r.failures = step % 10 == 0 ? 1 : 0;
    r.fallbacks = step % 5 == 0 ? 2 : 0;
    return r;
}

void add_steps(Timeline& timeline, int from, int to, std::string_view model = "no_slip") {
    for (int i = from; i <= to; ++i) timeline.add(record(i, model));
}

TEST(Timeline, StageMeansAndTails) {
    Timeline timeline(100);
    add_steps(timeline, 1, 200);
    const auto spans = timeline.model_spans();
    ASSERT_EQ(spans.size(), 1U);
    const CostSummary summary = timeline.summarise(spans[0]);
    EXPECT_EQ(summary.model, "no_slip");
    EXPECT_EQ(summary.steps, 200U);
    for (std::size_t s = 0; s < summary.stages.size(); ++s) {
        const double unit = 1e-6 * static_cast<double>(s + 1);
        EXPECT_NEAR(summary.stages[s].now, 200 * unit, 1e-15);
        EXPECT_NEAR(summary.stages[s].mean, 100.5 * unit, 1e-15);
        EXPECT_NEAR(summary.stages[s].p99, 198 * unit, 1e-15);  // 198 of 200 took no longer
    }
    EXPECT_NEAR(summary.step.mean, 100.5 * 28e-6 + 1e-5, 1e-12);
    EXPECT_NEAR(summary.step.p99, 198 * 28e-6 + 1e-5, 1e-12);
    EXPECT_EQ(summary.failures, 20);
    EXPECT_EQ(summary.fallbacks, 80);
    EXPECT_NEAR(summary.contacts_mean, 4, 1e-12);
}

TEST(Timeline, TheTailOfFewStepsIsTheWorst) {
    Timeline timeline(100);
    add_steps(timeline, 1, 3);
    EXPECT_EQ(timeline.summarise(timeline.model_spans()[0]).step.p99, record(3).step_seconds);
}

TEST(Timeline, SpansFollowTheModels) {
    Timeline timeline(100);
    add_steps(timeline, 1, 10);
    add_steps(timeline, 11, 15, "coulomb_lcp");
    add_steps(timeline, 16, 18);
    const auto spans = timeline.model_spans();
    ASSERT_EQ(spans.size(), 3U);
    EXPECT_EQ(spans[0].model, "no_slip");
    EXPECT_EQ(spans[1].model, "coulomb_lcp");
    EXPECT_EQ(spans[2].model, "no_slip");
    EXPECT_EQ(spans[1].begin, 10U);
    EXPECT_EQ(spans[1].end, 15U);
    EXPECT_EQ(spans[2].end, 18U);
    EXPECT_EQ(timeline.summarise(spans[1]).steps, 5U);
    EXPECT_NEAR(timeline.summarise(spans[1]).stages[0].mean, 13e-6, 1e-15);
}

TEST(Timeline, IsCutWhenTheRunIsSetBack) {
    Timeline timeline(100);
    add_steps(timeline, 1, 50);
    timeline.add(record(21, "coulomb_lcp"));
    ASSERT_EQ(timeline.records().size(), 21U);
    EXPECT_EQ(timeline.records().back().model, "coulomb_lcp");
    EXPECT_EQ(timeline.records()[19].step, 20);
    EXPECT_NEAR(timeline.end(), 0.21, 1e-12);
    timeline.add(record(1));  // from the start
    EXPECT_EQ(timeline.records().size(), 1U);
}

TEST(Timeline, KeepsTheLastSeconds) {
    Timeline timeline(1);
    add_steps(timeline, 1, 500);
    EXPECT_NEAR(timeline.end(), 5, 1e-12);
    EXPECT_NEAR(timeline.start(), 4, 1e-12);
    EXPECT_GE(timeline.records().front().t, 4 - 1e-12);
    EXPECT_NEAR(static_cast<double>(timeline.records().size()), 101, 1);
    timeline.set_span(0.5);
    EXPECT_GE(timeline.records().front().t, 4.5 - 1e-12);
    timeline.clear();
    EXPECT_TRUE(timeline.records().empty());
    EXPECT_EQ(timeline.end(), 0);
    EXPECT_EQ(timeline.start(), 0);
    EXPECT_TRUE(timeline.model_spans().empty());
}

TEST(Timeline, IsBoundedForTinySteps) {
    Timeline timeline(1000);
    for (int i = 1; i <= 30'000; ++i) {
        StepRecord r = record(i);
        r.t = 1e-6 * i;
        timeline.add(r);
    }
    EXPECT_LE(timeline.records().size(), 20'000U);
    EXPECT_EQ(timeline.records().back().step, 30'000);
}

// Means per column times steps per column give back what all steps cost.
TEST(Timeline, ColumnsKeepTheTotals) {
    Timeline timeline(2);
    add_steps(timeline, 1, 731);
    for (const int count : {1, 7, 160, 1000}) {
        const std::vector<CostColumn> columns = timeline.columns(count);
        ASSERT_EQ(columns.size(), static_cast<std::size_t>(count));
        StageTimes sums{};
        int steps = 0;
        double most = 0;
        for (const CostColumn& column : columns) {
            steps += column.steps;
            most = std::max(most, column.most);
            for (std::size_t s = 0; s < sums.size(); ++s)
                sums[s] += column.seconds[s] * column.steps;
        }
        StageTimes expected{};
        for (const StepRecord& r : timeline.records()) {
            for (std::size_t s = 0; s < expected.size(); ++s) expected[s] += r.seconds[s];
        }
        EXPECT_EQ(steps, static_cast<int>(timeline.records().size()));
        EXPECT_EQ(most, record(731).step_seconds);
        for (std::size_t s = 0; s < sums.size(); ++s)
            EXPECT_NEAR(sums[s], expected[s], 1e-12 * expected[s]);
    }
}

// While less than the whole span has passed, the right part of the picture is empty.
TEST(Timeline, ColumnsFillFromTheLeft) {
    Timeline timeline(1);
    add_steps(timeline, 1, 50);
    const std::vector<CostColumn> columns = timeline.columns(10);
    for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(columns[i].steps > 0, i <= 5) << i;
}

TEST(OverlayNumbers, ComparesWithTheModelBefore) {
    Timeline timeline(100);
    OverlayNumbers numbers;
    numbers.refresh(timeline, 0);
    EXPECT_EQ(numbers.present().steps, 0U);
    EXPECT_FALSE(numbers.before());
    add_steps(timeline, 1, 10);
    numbers.refresh(timeline, 1);
    EXPECT_EQ(numbers.present().steps, 10U);
    EXPECT_FALSE(numbers.before());
    add_steps(timeline, 11, 14, "coulomb_lcp");
    numbers.refresh(timeline, 1.01);  // a switch is shown at once
    EXPECT_EQ(numbers.present().model, "coulomb_lcp");
    EXPECT_EQ(numbers.present().steps, 4U);
    ASSERT_TRUE(numbers.before());
    EXPECT_EQ(numbers.before()->model, "no_slip");
    EXPECT_EQ(numbers.before()->steps, 10U);
    EXPECT_NEAR(numbers.before()->stages[0].mean, 5.5e-6, 1e-15);
}

TEST(OverlayNumbers, CompareWithTheNarrowphaseBefore) {
    Timeline timeline(100);
    OverlayNumbers numbers;
    add_steps(timeline, 1, 10);
    numbers.refresh(timeline, 1);
    EXPECT_EQ(numbers.present().narrowphase, "exact");
    for (int i = 11; i <= 14; ++i) {
        StepRecord r = record(i);
        r.narrowphase = "bullet";
        timeline.add(r);
    }
    numbers.refresh(timeline, 1.01);  // a switch is shown at once
    EXPECT_EQ(numbers.present().narrowphase, "bullet");
    EXPECT_EQ(numbers.present().steps, 4U);
    ASSERT_TRUE(numbers.before());
    EXPECT_EQ(numbers.before()->narrowphase, "exact");
    EXPECT_EQ(numbers.before()->model, numbers.present().model);
    EXPECT_EQ(numbers.before()->steps, 10U);
    ASSERT_EQ(numbers.plot().models.size(), 2U);
    EXPECT_EQ(numbers.plot().models[1].model, "bullet");
}

// A change of the solver or of settings is a switch too; what was before it stays, also when its
// steps have left the picture, until it is dismissed.
TEST(OverlayNumbers, TheStepsBeforeASwitchStayUntilDismissed) {
    Timeline timeline(0.5);
    OverlayNumbers numbers;
    const auto add = [&timeline](int from, int to, std::string_view solver, int settings) {
        for (int i = from; i <= to; ++i) {
            StepRecord r = record(i);
            r.asked = solver;
            r.settings = settings;
            timeline.add(r);
        }
    };
    add(1, 10, "auto", 0);
    add(11, 20, "ppm", 0);
    numbers.refresh(timeline, 1);
    ASSERT_TRUE(numbers.before());
    EXPECT_EQ(difference(*numbers.before(), numbers.present()), "auto");
    ASSERT_EQ(numbers.plot().models.size(), 2U);
    EXPECT_EQ(numbers.plot().models[1].model, "ppm");
    add(21, 200, "ppm", 0);
    numbers.refresh(timeline, 2);
    EXPECT_EQ(timeline.model_spans().size(), 1U);
    ASSERT_TRUE(numbers.before());
    EXPECT_EQ(numbers.before()->steps, 10U);
    numbers.dismiss_before();
    add(201, 210, "ppm", 0);
    numbers.refresh(timeline, 3);
    EXPECT_FALSE(numbers.before());
    add(211, 215, "ppm", 1);
    numbers.refresh(timeline, 4);
    ASSERT_TRUE(numbers.before());
    EXPECT_EQ(difference(*numbers.before(), numbers.present()), "settings");
}

// Five switches within a few steps lie apart over steps and over real time.
TEST(Timeline, RunsOverStepsSimulatedOrRealTime) {
    Timeline timeline(5);
    for (int i = 1; i <= 400; ++i) timeline.add(record(i), 2.0 + 0.02 * i);
    EXPECT_NEAR(timeline.end(), 4, 1e-12);
    EXPECT_NEAR(timeline.place(99), 1, 1e-12);
    next_axis(timeline);
    EXPECT_EQ(timeline.axis(), TimeAxis::kReal);
    EXPECT_NEAR(timeline.end(), 10, 1e-12);
    EXPECT_NEAR(timeline.place(99), 4, 1e-12);
    next_axis(timeline);
    EXPECT_EQ(timeline.axis(), TimeAxis::kSteps);
    EXPECT_EQ(timeline.end(), 400);
    EXPECT_EQ(timeline.place(99), 100);
    const std::vector<CostColumn> columns = timeline.columns(10);
    EXPECT_EQ(columns[0].steps, 99);
    EXPECT_EQ(columns[4].steps, 1);
    next_axis(timeline);
    EXPECT_EQ(timeline.axis(), TimeAxis::kSimulated);
}

TEST(OverlayNumbers, AreTakenAFewTimesASecond) {
    Timeline timeline(100);
    OverlayNumbers numbers;
    add_steps(timeline, 1, 10);
    numbers.refresh(timeline, 1);
    add_steps(timeline, 11, 12);
    numbers.refresh(timeline, 1.05);
    EXPECT_EQ(numbers.present().steps, 10U);
    numbers.refresh(timeline, 2);
    EXPECT_EQ(numbers.present().steps, 12U);
}

// Gone back past a switch: the numbers are those of the model that made the step on show.
TEST(OverlayNumbers, AreOfTheStepOnShow) {
    Timeline timeline(100);
    add_steps(timeline, 1, 100, "no_slip");
    add_steps(timeline, 101, 150, "coulomb_cone");
    OverlayNumbers numbers;
    numbers.refresh(timeline, 0, 150);
    EXPECT_EQ(numbers.present().model, "coulomb_cone");
    ASSERT_TRUE(numbers.before());
    numbers.refresh(timeline, 0.01, 40);
    EXPECT_EQ(numbers.present().model, "no_slip");
    EXPECT_EQ(numbers.present().steps, 40U);
    EXPECT_NEAR(numbers.present().stages[0].now, 40e-6, 1e-15);
    numbers.refresh(timeline, 10, 120);
    EXPECT_EQ(numbers.present().model, "coulomb_cone");
    EXPECT_EQ(numbers.present().steps, 20U);
}

}  // namespace
}  // namespace stiction
