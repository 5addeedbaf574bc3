// csv_test.cpp - numbers read back as the same bits; the step table has one value per column.
#include "record/csv.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "record/ball_on_plane.h"
#include "record/step_table.h"
#include "step/simulation.h"

namespace stiction {
namespace {

TEST(Csv, NumbersReadBackAsTheSameBits) {
    for (const double x : {0.1, 1.0 / 3.0, -2.5e-308, 5e-324, 1e300, 123456789.123456789, -0.0}) {
        CsvRow row;
        row.add(x);
        EXPECT_EQ(std::bit_cast<std::uint64_t>(std::strtod(row.text().c_str(), nullptr)),
                  std::bit_cast<std::uint64_t>(x))
            << row.text();
    }
}

TEST(Csv, QuotesWordsThatWouldBreakTheRow) {
    CsvRow row;
    row.add("a,b");
    row.add("say \"hi\"");
    row.add(7);
    row.end();
    row.add("next");
    EXPECT_EQ(row.text(), "\"a,b\",\"say \"\"hi\"\"\",7\nnext");
}

TEST(StepTable, StreamsToPartAndKeepsOneValuePerColumn) {
    const test::ScratchFolder folder("step_table");
    const std::string path = folder / "run.csv";
    Simulation sim = test::ball_on_plane();
    {
        StepTable table(path);
        table.start(false, false);
        EXPECT_TRUE(std::filesystem::exists(part_path(path)));
        StepRecord record;
        for (int i = 0; i < 3; ++i) {
            ASSERT_EQ(step(sim, [&](const Simulation& s) { record = make_step_record(s); }),
                      StepOutcome::kDone);
            add_step_times(sim, record);
            table.add(record);
        }
        EXPECT_EQ(record.step, 3);
        EXPECT_EQ(record.contacts, 1);
        EXPECT_GT(record.step_seconds, 0);
        table.finish();
    }
    EXPECT_FALSE(std::filesystem::exists(part_path(path)));
    const std::string text = test::read_text(path);
    EXPECT_TRUE(text.starts_with("step,t[s],forces[s],"));
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4);
    const std::string header = text.substr(0, text.find('\n'));
    EXPECT_EQ(std::count(text.begin(), text.end(), ','),
              4 * std::count(header.begin(), header.end(), ','));
}

}  // namespace
}  // namespace stiction
