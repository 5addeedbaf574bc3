// bench_test.cpp - stiction bench: its list, what it prints and writes, its exit status, bad input.
#include <nlohmann/json.hpp>

#include "app/program.h"

namespace stiction::test {
namespace {

using Json = nlohmann::json;

class Bench : public ProgramTest {
  protected:
    void expect_refused(const std::string& arguments, const std::string& message) const {
        SCOPED_TRACE(arguments);
        const Outcome outcome = run("bench " + arguments);
        EXPECT_EQ(outcome.status, 2);
        EXPECT_EQ(outcome.out, "");
        EXPECT_EQ(count_lines(outcome.err), 1U) << outcome.err;
        EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
        EXPECT_TRUE(files().empty());
    }
};

TEST_F(Bench, WithoutANameListsThem) {
    const Outcome outcome = run("bench");
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.err, "");
    EXPECT_NE(("\n" + outcome.out).find("\nlocomotion  "), std::string::npos) << outcome.out;
}

TEST_F(Bench, WritesTextTableAndSummaryOfTheSameNumbers) {
    const Outcome outcome =
        run("bench locomotion --time 0.02 --rounds 1 --csv a.csv --json a.json");
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(files(), (std::vector<std::string>{"a.csv", "a.json"}));
    const Json json = Json::parse(read_text(folder() / "a.json"));
    EXPECT_EQ(json["schema"], 1);
    EXPECT_EQ(json["benchmark"], "locomotion");
    EXPECT_EQ(json["status"], "done");
    std::size_t values = 0;
    for (const Json& table : json["tables"]) {
        EXPECT_NE(outcome.out.find(table["title"].get<std::string>() + "\n"), std::string::npos);
        EXPECT_FALSE(table["rows"].empty());
        for (const Json& row : table["rows"]) values += row.size() - 1;
    }
    EXPECT_EQ(count_lines(read_text(folder() / "a.csv")), 1 + values);
    const Json& runs = json["tables"][1];
    EXPECT_EQ(runs["table"], "runs");
    EXPECT_EQ(runs["units"]["step_mean"], "us");
    for (const Json& row : runs["rows"]) {
        EXPECT_LE(row["step_min"], row["step_mean"]);
        EXPECT_LE(row["step_mean"], row["step_max"]);
        EXPECT_LT(row["solve_total"], row["step_total"]);
    }
}

TEST_F(Bench, AnInterruptKeepsWhatThereIs) {
    const Outcome outcome = run("bench locomotion --time 1000 --rounds 1 --json a.json --quiet", "",
                                "& pid=$!; sleep 1; kill -INT $pid; wait $pid");
    EXPECT_EQ(outcome.status, 1);
    EXPECT_NE(outcome.err.find("interrupted"), std::string::npos) << outcome.err;
    EXPECT_NE(Json::parse(read_text(folder() / "a.json"))["status"], "done");
}

TEST_F(Bench, BadInput) {
    expect_refused("locomotoin", "did you mean 'locomotion'?");
    expect_refused("locomotion --time 0", "--time");
    expect_refused("locomotion --time nan", "--time");
    expect_refused("locomotion --rounds 0", "1 to 1000");
    expect_refused("locomotion --jsn a", "did you mean '--json'?");
    expect_refused("locomotion --csv -", "only --json");
    expect_refused("locomotion --csv a --json ./a", "the same name");
    expect_refused("locomotion --csv missing/a.csv", "there is no folder 'missing'");
    expect_refused("locomotion --json missing/a.json", "there is no folder 'missing'");
}

}  // namespace
}  // namespace stiction::test
