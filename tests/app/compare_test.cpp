// compare_test.cpp - stiction compare: what it prints and writes, its exit status, and bad input.
#include <nlohmann/json.hpp>
#include <set>

#include "app/program.h"

namespace stiction::test {
namespace {

using Json = nlohmann::json;

class Compare : public ProgramTest {
  protected:
    void expect_refused(const std::string& arguments, const std::string& message) const {
        SCOPED_TRACE(arguments);
        const Outcome outcome =
            run("compare " + arguments + " --csv a.csv --json a.json --plot a.svg");
        EXPECT_EQ(outcome.status, 2);
        EXPECT_EQ(outcome.out, "");
        EXPECT_EQ(count_lines(outcome.err), 1U) << outcome.err;
        EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
        EXPECT_TRUE(files().empty());
    }
};

TEST_F(Compare, TableHasALineForEachOfTheSixModels) {
    const Outcome outcome = run("compare grasp --steps 5");
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    EXPECT_EQ(count_lines(outcome.out), 3U + 6U) << outcome.out;
    EXPECT_TRUE(outcome.out.starts_with("scene grasp: 5 steps of 0.001 s\nrun "));
    for (const char* model : {"\nviscous ", "\nno_slip ", "\ncoulomb_lcp ", "\nmax_dissipation ",
                              "\nfriction_box ", "\ncoulomb_cone "}) {
        EXPECT_NE(outcome.out.find(model), std::string::npos) << model;
    }
}

TEST_F(Compare, SummaryHasTheKeysOfARunAndItsOwn) {
    const Outcome outcome =
        run("compare ramp --steps 20 --models no_slip:ppm,coulomb_cone --json -");
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const Json json = Json::parse(outcome.out);
    std::set<std::string> keys;
    for (const auto& [key, value] : json.items()) keys.insert(key);
    EXPECT_EQ(keys, (std::set<std::string>{"schema", "scene", "parameters", "seed", "h", "steps",
                                           "reference", "status", "runs", "time_budget"}));
    const Json alone = Json::parse(run("run ramp --steps 20 --model coulomb_cone --json -").out);
    const Json& compared = json["runs"][1];
    for (const auto& [key, value] : alone.items()) EXPECT_TRUE(compared.contains(key)) << key;
    for (const char* key :
         {"run", "solve_share", "unsolved_steps", "fallback_steps", "apart", "quality"}) {
        EXPECT_TRUE(compared.contains(key)) << key;
    }
    EXPECT_EQ(compared["state_hash"], alone["state_hash"]);
    EXPECT_EQ(json["runs"][0]["solver"], "ppm");
}

TEST_F(Compare, WritesTableSummaryAndPlot) {
    const Outcome outcome =
        run("compare stack --set boxes=2 --time 0.02 --models coulomb_lcp,friction_box --solvers "
            "lemke,pgs --csv a.csv --json a.json --plot a.svg");
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(files(), (std::vector<std::string>{"a.csv", "a.json", "a.svg"}));
    const std::string table = read_text(folder() / "a.csv");
    EXPECT_EQ(count_lines(table), 1U + 4U * 20U);
    EXPECT_NE(table.find("\ncoulomb_lcp:lemke,20,"), std::string::npos);
    const std::string svg = read_text(folder() / "a.svg");
    EXPECT_TRUE(svg.ends_with("</svg>\n"));
    EXPECT_NE(svg.find(">friction_box:pgs</text>"), std::string::npos);
    EXPECT_EQ(Json::parse(read_text(folder() / "a.json"))["runs"].size(), 4U);
}

TEST_F(Compare, NumberOfThreadsDoesNotMatter) {
    const auto hashes = [&](const std::string& threads) {
        std::vector<std::string> result;
        const Outcome outcome =
            run("compare islands --set side=3 --steps 10 --models "
                "no_slip,coulomb_cone --json - --threads " +
                threads);
        const Json json = Json::parse(outcome.out);
        for (const Json& entry : json["runs"]) {
            result.push_back(entry["state_hash"].get<std::string>());
        }
        return result;
    };
    EXPECT_EQ(hashes("1").size(), 2U);
    EXPECT_EQ(hashes("1"), hashes("3"));
}

// Gravity of 1e308 m/s^2 overflows the velocity of the stone in step 18.
TEST_F(Compare, ARunThatEndsEarlyIsExitOneWithEverythingWritten) {
    write(
        "doom.yaml",
        "version: 1\ngravity: [0, 0, -1e308]\nstep: {h: 0.1}\ncontact: {model: no_slip}\nbodies:\n"
        "  - {name: stone, mass: 1, shape: {type: sphere, radius: 0.1}}\n");
    const Outcome outcome = run(
        "compare doom.yaml --steps 100 --models no_slip,viscous --csv a.csv --json a.json --plot "
        "a.svg");
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.err, "error: 2 of 2 runs ended early\n");
    EXPECT_NE(outcome.out.find("  failed: step "), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("body 'stone'"), std::string::npos) << outcome.out;
    const Json json = Json::parse(read_text(folder() / "a.json"));
    EXPECT_EQ(json["status"], "incomplete");
    EXPECT_EQ(json["runs"][1]["status"], "failed");
    EXPECT_EQ(count_lines(read_text(folder() / "a.csv")),
              1 + json["runs"][0]["steps"].get<std::size_t>() +
                  json["runs"][1]["steps"].get<std::size_t>());
}

TEST_F(Compare, AnInterruptLeavesCompleteFiles) {
    const Outcome outcome =
        run("compare grasp --time 1e5 --models no_slip,coulomb_lcp --csv a.csv --json a.json "
            "--plot a.svg --quiet",
            "", "& pid=$!; sleep 1; kill -INT $pid; kill -TERM $pid; wait $pid");
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.err, "error: 2 of 2 runs ended early\n");
    EXPECT_EQ(files(), (std::vector<std::string>{"a.csv", "a.json", "a.svg"}));
    const Json json = Json::parse(read_text(folder() / "a.json"));
    EXPECT_EQ(json["runs"][0]["status"], "interrupted");
    EXPECT_EQ(count_lines(read_text(folder() / "a.csv")),
              1 + json["runs"][0]["steps"].get<std::size_t>() +
                  json["runs"][1]["steps"].get<std::size_t>());
}

TEST_F(Compare, BadInput) {
    expect_refused("graps", "did you mean 'grasp'?");
    expect_refused("grasp --models no_slap", "did you mean 'no_slip'?");
    expect_refused("grasp --models no_slip:pmp", "did you mean 'ppm'?");
    expect_refused("grasp --models no_slip,no_slip", "'no_slip' is named twice");
    expect_refused("grasp --models coulomb_lcp --solvers lemk", "did you mean 'lemke'?");
    expect_refused("grasp --models no_slip,coulomb_lcp --solvers lemke", "serves no_slip");
    expect_refused("grasp --model no_slip", "did you mean '--models'?");
    expect_refused("grasp --steps -1", "expected 0 to");
    expect_refused("grasp --steps 5 --time 1", "excludes");
    expect_refused("grasp --tol 0", "--tol");
    expect_refused("grasp --threads 0", "1 to 256");
    expect_refused("grasp --set bxoes=3", "bxoes");
    expect_refused("", "SCENE");
}

TEST_F(Compare, BadOutputs) {
    for (const std::string arguments :
         {"--csv missing/a.csv", "--json missing/a.json", "--plot missing/a.svg"}) {
        const Outcome outcome = run("compare grasp " + arguments);
        EXPECT_EQ(outcome.status, 2);
        EXPECT_NE(outcome.err.find("there is no folder 'missing'"), std::string::npos);
    }
    EXPECT_NE(run("compare grasp --csv a --plot ./a").err.find("the same name"), std::string::npos);
    EXPECT_NE(run("compare grasp --csv -").err.find("only --json"), std::string::npos);
    EXPECT_TRUE(files().empty());
}

}  // namespace
}  // namespace stiction::test
