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

#ifdef STICTION_PEER
TEST_F(Bench, SpeedMarksEnginesThatAreNotInstalled) {
    std::filesystem::create_directory(folder() / "peers");
    std::filesystem::create_symlink(STICTION_PEER, folder() / "peers" / "peer_stiction");
    const Outcome outcome =
        run("bench speed --quick --time 0.05 --case grasp --case growth --rounds 1 --json a.json "
            "--csv a.csv --plot a.svg",
            "STICTION_PEERS=peers");
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("not installed"), std::string::npos) << outcome.out;
    const Json json = Json::parse(read_text(folder() / "a.json"));
    EXPECT_EQ(json["benchmark"], "speed");
    EXPECT_EQ(json["status"], "done");
    std::vector<std::string> names;
    for (const Json& table : json["tables"]) names.push_back(table["table"]);
    EXPECT_EQ(names, (std::vector<std::string>{"ratios", "growth", "grasp_2_boxes", "grasp_8_boxes",
                                               "grasp_16_boxes", "grasp_32_boxes",
                                               "250_spheres_floor_in_proportion"}));
    const Json& grasp = json["tables"][0]["rows"][0];
    EXPECT_EQ(grasp["case"], "grasp, 2 boxes");
    EXPECT_EQ(grasp["stiction"], "no_slip");
    EXPECT_EQ(grasp["solved"], 100);
    EXPECT_GT(grasp["steps_per_cpu_s"], 0);
    EXPECT_TRUE(grasp["ratio"].is_null());
    for (const char* key : {"other", "residual_95", "residual_max", "penetration", "remark"})
        EXPECT_TRUE(grasp.contains(key)) << key;
    for (const Json& row : json["tables"][2]["rows"]) {
        const bool ours = row["engine"].get<std::string>().starts_with("stiction");
        EXPECT_EQ(row["remark"], ours ? "" : "not installed") << row;
    }
}
#endif

TEST_F(Bench, SpeedNeedsItsPrograms) {
    const Outcome outcome = run("bench speed", "STICTION_PEERS=.");
    EXPECT_EQ(outcome.status, 2);
    EXPECT_NE(outcome.err.find("ninja -C build/release peers"), std::string::npos) << outcome.err;
}

TEST_F(Bench, BadInput) {
    expect_refused("locomotoin", "did you mean 'locomotion'?");
    expect_refused("locomotion --time 0", "--time");
    expect_refused("locomotion --time nan", "--time");
    expect_refused("locomotion --rounds 0", "1 to 1000");
    expect_refused("locomotion --jsn a", "did you mean '--json'?");
    expect_refused("locomotion --case grasp", "for speed alone");
    expect_refused("speed --case grap", "did you mean 'grasp'?");
    expect_refused("speed --limit 0", "--limit");
    expect_refused("locomotion --csv -", "only --json");
    expect_refused("locomotion --csv a --json ./a", "the same name");
    expect_refused("locomotion --csv missing/a.csv", "there is no folder 'missing'");
    expect_refused("locomotion --json missing/a.json", "there is no folder 'missing'");
}

}  // namespace
}  // namespace stiction::test
