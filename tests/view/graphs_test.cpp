// graphs_test.cpp - values come to the steps they are of, and stay with what is shown.
#include "view/graphs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>

namespace stiction {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

Model one_body() {
    Model model;
    model.bodies.resize(1);
    model.bodies[0].name = "box";
    return model;
}

const Quantity kSpeed{QuantityOf::kBody, 6, 0, kNone};
const Quantity kHeight{QuantityOf::kBody, 2, 0, kNone};
const Quantity kResidual{QuantityOf::kStep, 2, kNone, kNone};

StepSample sample(const Graphs& graphs, std::int64_t step, std::vector<double> values,
                  bool again = false) {
    StepSample s;
    s.step = step;
    s.t = 0.1 * static_cast<double>(step);
    s.watch = graphs.serial();
    s.again = again;
    s.values = std::move(values);
    return s;
}

TEST(Graphs, EveryQuantityIsWatchedOnceAndKeepsItsValues) {
    Graphs graphs;
    graphs.add(kSpeed);
    graphs.add(kSpeed);
    graphs.add_to(0, kHeight);
    graphs.add_to(0, kHeight);
    ASSERT_EQ(graphs.watched().size(), 2U);
    EXPECT_EQ(graphs.list()[0].lines.size(), 2U);
    const std::int64_t serial = graphs.serial();
    graphs.add(sample(graphs, 1, {5, 7}));
    graphs.add(kResidual);
    EXPECT_GT(graphs.serial(), serial);
    ASSERT_EQ(graphs.rows().size(), 1U);
    EXPECT_EQ(graphs.rows()[0].values[graphs.column_of(kHeight)],
              graphs.watched()[0] == kHeight ? 5 : 7);
    EXPECT_TRUE(std::isnan(graphs.rows()[0].values[graphs.column_of(kResidual)]));
    StepSample late = sample(graphs, 2, {1, 2});  // of the list before
    late.watch = serial;
    graphs.add(late);
    EXPECT_EQ(graphs.rows().size(), 1U);
    graphs.close_all();
    EXPECT_TRUE(graphs.watched().empty());
    EXPECT_TRUE(graphs.rows().empty());
}

TEST(Graphs, WhatIsTakenAgainFillsGapsOnly) {
    Graphs graphs;
    graphs.add(kSpeed);
    graphs.add(sample(graphs, 3, {30}));
    graphs.add(sample(graphs, 1, {10}, true));
    graphs.add(sample(graphs, 2, {20}, true));
    graphs.add(sample(graphs, 3, {99}, true));
    ASSERT_EQ(graphs.rows().size(), 3U);
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_EQ(graphs.rows()[i].values[0], 10 * static_cast<double>(i + 1));
    graphs.add(sample(graphs, 2, {21}));  // another future
    EXPECT_EQ(graphs.rows()[1].values[0], 21);
    graphs.keep(2, 2);
    EXPECT_EQ(graphs.rows().size(), 1U);
}

TEST(Graphs, NumbersOfStepsComeFromTheTimeline) {
    Timeline timeline(100);
    for (int i = 1; i <= 5; ++i) {
        StepRecord r;
        r.step = i;
        r.t = 0.1 * i;
        r.residual = i;
        timeline.add(r);
    }
    Graphs graphs;
    graphs.add(kResidual);
    graphs.add(timeline, one_body());
    ASSERT_EQ(graphs.rows().size(), 5U);
    EXPECT_EQ(graphs.rows()[4].values[0], 5);
}

TEST(Graphs, ColumnsHoldTheExtremesOfTheirSteps) {
    Graphs graphs;
    graphs.add(kSpeed);
    for (int i = 0; i < 100; ++i)
        graphs.add(sample(graphs, i, {i == 57 ? 1000.0 : i == 58 ? kUnknown : i}));
    const auto columns = graphs.columns(kSpeed, 0, 10, 10);
    ASSERT_EQ(columns.size(), 10U);
    EXPECT_EQ(columns[5].low, 50);
    EXPECT_EQ(columns[5].high, 1000);
    EXPECT_EQ(columns[2].low, 20);
    EXPECT_EQ(columns[2].high, 29);
    EXPECT_TRUE(graphs.columns(kSpeed, 20, 30, 10)[3].empty());
}

TEST(Graphs, TheTableHasWhatIsShown) {
    Graphs graphs;
    graphs.add(kSpeed);
    graphs.add_to(0, kResidual);
    for (int i = 1; i <= 5; ++i) graphs.add(sample(graphs, i, {0.5 * i, kUnknown}));
    Graph graph = graphs.list()[0];
    graph.from = 0.15;
    graph.to = 0.35;
    EXPECT_EQ(graphs.csv(graph, one_body()),
              "step,t,body box speed [m/s],step residual\n"
              "2,0.20000000000000001,1,\n3,0.30000000000000004,1.5,\n");
    const auto file = std::filesystem::temp_directory_path() / "stiction_graphs_test.svg";
    graphs.write_svg(file.string(), graphs.list()[0], one_body(), "box");
    std::ifstream stream(file);
    const std::string svg{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    EXPECT_NE(svg.find("body box speed"), std::string::npos);
    std::filesystem::remove(file);
}

}  // namespace
}  // namespace stiction
