// papers_test.cpp - every benchmark of the papers, short: its tables are whole, and what must come out
// whatever the machine's speed, does. The page that holds them.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "bench/benchmarks.h"
#include "bench/papers_page.h"
#include "bench/trials.h"

namespace stiction {
namespace {

BenchReport run(const std::string& name, double time) {
    BenchSettings settings;
    settings.scenes = "scenes";
    settings.time = time;
    settings.rounds = 2;
    settings.quick = true;
    double last = 0;
    const BenchReport report = find_benchmark(name).run(settings, [&](double share) {
        EXPECT_GE(share, last - 1e-12) << name;
        EXPECT_LE(share, 1 + 1e-12) << name;
        last = share;
        return true;
    });
    EXPECT_EQ(report.benchmark, name);
    EXPECT_EQ(report.status, "done");
    EXPECT_TRUE(report.figure.has_value()) << name;
    EXPECT_FALSE(report.notes.empty()) << name;
    for (const BenchTable& table : report.tables) {
        EXPECT_FALSE(table.rows.empty()) << name << " " << table.name;
        for (const std::vector<BenchValue>& row : table.rows)
            EXPECT_EQ(row.size(), table.columns.size()) << name << " " << table.name;
    }
    return report;
}

double number(const BenchTable& table, std::size_t row, const std::string& column) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        if (table.columns[c].name != column) continue;
        const BenchValue& value = table.rows.at(row).at(c);
        if (const auto* whole = std::get_if<std::int64_t>(&value))
            return static_cast<double>(*whole);
        return std::get<double>(value);
    }
    ADD_FAILURE() << "no column " << column;
    return 0;
}

// Cold with 36 contacts, cold with 12, then both warm; Lemke, QP, PPM of each.
TEST(Papers, TheGraspIsHeldWithoutSlip) {
    const BenchReport report = run("grasp", 0.5);
    const BenchTable& table = report.tables.at(0);
    ASSERT_EQ(table.rows.size(), 12U);
    for (std::size_t row = 0; row < 12; ++row) {
        const bool corners = row / 3 % 2 == 0;
        EXPECT_EQ(number(table, row, "contacts"), corners ? 36 : 12) << row;
        if (row % 3 == 0) {
            EXPECT_EQ(number(table, row, "unknowns"), corners ? 216 : 72);
            continue;
        }
        EXPECT_EQ(number(table, row, "held"), 50) << row;
        EXPECT_EQ(number(table, row, "solved"), 50) << row;
        EXPECT_LE(number(table, row, "pivots_most"), 36) << row;
    }
    EXPECT_NEAR(number(table, 0, "paper_over_ppm"), 10.9681 / 1.6680, 1e-12);
}

TEST(Papers, TheModelsAgreeOnTheRamp) {
    const BenchReport report = run("ramp", 0.2);
    const BenchTable& table = report.tables.at(0);
    ASSERT_EQ(table.rows.size(), 9U);
    for (std::size_t row = 0; row < 9; ++row) {
        EXPECT_EQ(number(table, row, "unsolved"), 0) << row;
        EXPECT_LT(number(table, row, "speed_apart"), 1e-6) << row;
        EXPECT_LT(number(table, row, "speed_error"), 1e-6) << row;
    }
}

TEST(Papers, JointFrictionHoldsTheArmAsAProgram) {
    const BenchReport report = run("joint-friction", 0.05);
    const BenchTable& table = report.tables.at(0);
    ASSERT_EQ(table.rows.size(), 6U);
    EXPECT_LT(number(table, 0, "fastest_hinge"), 1e-9);  // figure 8: it must stay
    EXPECT_LT(number(table, 3, "distance"), 0.01);       // figure 9: near the law
    EXPECT_GT(number(table, 2, "fastest_hinge"), 1);     // the force at the same step is wild
}

// While the spheres hit the floor; later a step takes seconds.
TEST(Papers, MaximumDissipationSolvesThePile) {
    const BenchReport report = run("granular", 0.185);
    const BenchTable& table = report.tables.at(0);
    ASSERT_EQ(table.rows.size(), 4U);
    EXPECT_GT(number(table, 0, "contacts_max"), 500);
    EXPECT_EQ(number(table, 0, "by_itself"), 100);
    EXPECT_EQ(number(table, 0, "phase_one_alone"), 0);
    EXPECT_LT(number(table, 0, "largest_gain"), 1e-9);
}

// The paper's LCPs, six unknowns per contact, have the answers of maximum dissipation.
TEST(Papers, LemkeAgreesOnTheEngine) {
    const BenchReport report = run("engine", 0.012);
    ASSERT_EQ(report.tables.size(), 2U);
    EXPECT_EQ(report.tables[0].rows.size(), 5U);
    const BenchTable& same = report.tables[1];
    ASSERT_EQ(same.rows.size(), 4U);
    for (std::size_t row = 0; row < 4; ++row) {
        EXPECT_GT(number(same, row, "unknowns_max"), row < 2 ? 60 : 300) << row;
        EXPECT_LT(number(same, row, "apart"), 1e-6) << row;
    }
    EXPECT_EQ(number(same, 1, "failed"), 0);
    EXPECT_EQ(number(same, 3, "failed"), 0);
}

TEST(Papers, TheOthersAreWhole) {
    EXPECT_EQ(run("grasp-solvers", 0.02).tables.size(), 5U);
    const BenchReport logs = run("logpile", 0.05);
    ASSERT_EQ(logs.tables.size(), 2U);
    EXPECT_EQ(logs.tables[0].rows.size(), 4U);
    EXPECT_EQ(run("loader", 0.02).tables.at(0).rows.size(), 4U);
    const BenchReport walk = run("locomotion", 0.02);
    EXPECT_EQ(walk.tables.at(2).rows.size(), 8U);
    for (std::size_t row = 0; row < 8; ++row) {
        EXPECT_EQ(number(walk.tables[1], row, "fallbacks"), 0) << row;
        EXPECT_EQ(number(walk.tables[1], row, "unsolved"), 0) << row;
    }
}

TEST(Papers, AnAnswerNoEndsABenchmark) {
    BenchSettings settings;
    settings.scenes = "scenes";
    for (const Benchmark& benchmark : benchmarks()) {
        if (!benchmark.of_papers) continue;
        const BenchReport report = benchmark.run(settings, [](double) { return false; });
        EXPECT_NE(report.status, "done") << benchmark.name;
        EXPECT_EQ(report.benchmark, benchmark.name);
    }
}

TEST(PapersPage, ASectionIsReplacedAndTheRestStays) {
    const std::string page = with_section(
        "# Title\nwords\n\n## Heading\n\nby hand\n\n"
        "<!-- one:begin -->\nold\n<!-- one:end -->\nafter\n",
        "one", "Heading", "new\n");
    EXPECT_EQ(page,
              "# Title\nwords\n\n## Heading\n\nby hand\n\n"
              "<!-- one:begin -->\n\nnew\n<!-- one:end -->\nafter\n");
    const std::string more = with_section(page, "two", "Second", "text\n");
    EXPECT_EQ(more, page + "\n## Second\n\n<!-- two:begin -->\n\ntext\n<!-- two:end -->\n");
    EXPECT_EQ(with_section(more, "two", "Second", "text\n"), more);
    EXPECT_EQ(with_section("", "one", "First", "text\n").substr(0, 9), "# The pap");
}

TEST(PapersPage, TablesAreMarkdown) {
    BenchReport report;
    report.benchmark = "example";
    report.tables = {{"t", "Title", {{"a|b"}, {"x", "s", 3}}, {{std::string("row"), 0.12345}}}};
    report.notes = {"A note."};
    EXPECT_EQ(report_markdown(report, "images/p.svg", "How."),
              "How.\n\nTitle:\n\n| a\\|b | x [s] |\n|---|---|\n| row | 0.123 |\n\n- A note.\n\n"
              "![example](images/p.svg)\n\n");
    report.tables[0].detail = true;
    EXPECT_EQ(report_markdown(report, "", "How."),
              "How.\n\n- A note.\n\n<details><summary>Details</summary>\n\n"
              "Title:\n\n| a\\|b | x [s] |\n|---|---|\n| row | 0.123 |\n\n</details>\n\n");
}

TEST(Trials, MeanAndDeviation) {
    const Trials trials = summarise({1, 2, 3, 6});
    EXPECT_DOUBLE_EQ(trials.mean, 3);
    EXPECT_DOUBLE_EQ(trials.deviation, std::sqrt(14.0 / 3));
    EXPECT_DOUBLE_EQ(trials.most, 6);
    EXPECT_TRUE(std::isnan(summarise({1}).deviation));
}

}  // namespace
}  // namespace stiction
