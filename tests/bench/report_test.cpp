// report_test.cpp - tables of a benchmark as text, CSV and JSON.
#include "bench/report.h"

#include <gtest/gtest.h>

#include <limits>

#include "bench/benchmarks.h"
#include "bench/step_times.h"
#include "core/error.h"

namespace stiction {
namespace {

BenchReport small_report() {
    BenchTable table{
        "times",
        "Times of two",
        {{"method"}, {"mean", "us", 3}, {"steps"}},
        {{std::string("quick, small"), 1.23456, std::int64_t{7}},
         {std::string("slow"), std::numeric_limits<double>::quiet_NaN(), std::int64_t{1234}}}};
    return {"example", "done", {table}, {"A note."}};
}

TEST(Report, TextLinesUp) {
    EXPECT_EQ(report_text(small_report()),
              "Times of two\n"
              "method        mean  steps\n"
              "                us\n"
              "quick, small  1.23      7\n"
              "slow             -   1234\n"
              "\n"
              "A note.\n");
}

TEST(Report, CsvHasAValuePerRow) {
    EXPECT_EQ(report_csv(small_report()),
              "table,row,column,unit,value\n"
              "times,\"quick, small\",mean,us,1.23456\n"
              "times,\"quick, small\",steps,,7\n"
              "times,slow,mean,us,\n"
              "times,slow,steps,,1234\n");
}

TEST(Report, JsonHasNullForWhatIsNotKnown) {
    const std::string json = report_json(small_report());
    EXPECT_NE(json.find("\"mean\": 1.23456"), std::string::npos) << json;
    EXPECT_NE(json.find("\"mean\": null"), std::string::npos) << json;
    EXPECT_NE(json.find("\"status\": \"done\""), std::string::npos) << json;
}

TEST(StepTimes, TheQuickestRoundOfEachStepCounts) {
    StepTimes times;
    times.add(0, 4, 3);
    times.add(1, 10, 1);
    times.add(0, 5, 2);
    times.add(1, 6, 2);
    EXPECT_EQ(times.step_total(), 4 + 6);
    EXPECT_EQ(times.solve_total(), 2 + 1);
    std::vector<BenchValue> row;
    add_time_values(times, row);
    const std::vector<BenchValue> expected = {4e6, 5e6, 6e6, 10.0, 1e6, 1.5e6, 2e6, 3.0};
    EXPECT_EQ(row, expected);
    std::vector<BenchColumn> columns;
    add_time_columns(columns);
    EXPECT_EQ(columns.size(), row.size());
}

TEST(Benchmarks, AreFoundByName) {
    for (const Benchmark& benchmark : benchmarks()) {
        EXPECT_EQ(&find_benchmark(benchmark.name), &benchmark);
        EXPECT_FALSE(benchmark.what.empty());
    }
    EXPECT_THROW((void)find_benchmark("locomotio"), InputError);
}

}  // namespace
}  // namespace stiction
