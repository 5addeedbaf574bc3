// outputs_test.cpp - full disks, limits, names that are one file, and what reaches the terminal.
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "app/program.h"

namespace stiction::test {
namespace {

using Json = nlohmann::json;
using Names = std::vector<std::string>;

const std::string kBall =
    "version: 1\ncontact: {model: no_slip}\nbodies:\n"
    "  - {name: ball, mass: 1, shape: {type: sphere, radius: 0.1}}\n";

class Outputs : public ProgramTest {
  protected:
    void expect_refused(const std::string& arguments, const std::string& message) const {
        SCOPED_TRACE(arguments);
        const Names before = files();
        const Outcome outcome = run(arguments);
        EXPECT_EQ(outcome.status, 2);
        EXPECT_EQ(count_lines(outcome.err), 1U) << outcome.err;
        EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
        EXPECT_EQ(files(), before);
    }

    // In the shell's blocks of 512 bytes.
    [[nodiscard]] Outcome run_limited(const std::string& arguments) const {
        return run(arguments, "ulimit -f 4000; ");
    }
};

TEST_F(Outputs, ThatAreInputsAreRefused) {
    write("ball.yaml", kBall);
    write("part.yml", "version: 1\ndescription: included\n");
    write("both.yaml", kBall + "include: [part.yml]\n");
    write("heights.txt", "0 0\n0 0\n");
    write("land.yaml",
          kBall +
              "  - {name: land, kind: static, shape: {type: heightfield, size: [1, 1], "
              "heights: {file: heights.txt}}}\n");
    ASSERT_EQ(run("run ball.yaml --steps 3 --save-state s.json --trajectory t.csv --quiet").status,
              0);
    std::filesystem::create_symlink("ball.yaml", folder() / "soft");
    std::filesystem::create_hard_link(folder() / "part.yml", folder() / "hard");
    for (const std::string option : {"--csv", "--json", "--save-state"}) {
        expect_refused("run ball.yaml " + option + " ball.yaml", "'ball.yaml'");
        expect_refused("run ball.yaml " + option + " soft", "this command reads");
        expect_refused("run both.yaml " + option + " hard", "this command reads");
        expect_refused("run land.yaml " + option + " heights.txt", "this command reads");
        expect_refused("run ball.yaml --load-state s.json " + option + " s.json",
                       "this command reads");
    }
    expect_refused("check ball.yaml --json soft", "this command reads");
    expect_refused("compare ball.yaml --csv soft", "this command reads");
    expect_refused("replay t.csv --csv t.csv", "this command reads");
    expect_refused("run ball.yaml --csv a --json a.part", "the same name");
    EXPECT_EQ(read_text(folder() / "ball.yaml"), kBall);
}

TEST_F(Outputs, WithoutANameAreRefused) {
    for (const std::string option : {"--csv", "--json", "--trajectory", "--save-state",
                                     "--load-state", "--video", "--png", "--model", "--seed"})
        expect_refused("run grasp --steps 1 " + option + " ''", option + ": the value is empty");
    expect_refused("check grasp --json ''", "--json: the value is empty");
    expect_refused("compare grasp --plot=", "--plot");
}

TEST_F(Outputs, OneThatFailsLeavesTheOthersComplete) {
    const std::string rest = " --json a.json --save-state s.json";
    struct Case {
        std::string options, cause;
        Names files;
    };
    const std::vector<Case> cases = {
        {"--csv a.csv --trajectory t.h5 --trajectory-every 1000",
         "'a.csv': File too large",
         {"a.csv.part", "a.json", "s.json", "t.h5"}},
        {"--csv /dev/full --trajectory t.h5",
         "'/dev/full': No space left on device",
         {"a.json", "s.json", "t.h5"}},
        {"--trajectory t.csv",
         "File too large",
         {"a.json", "s.json", "t.contacts.csv.part", "t.csv.part"}},
        {"--trajectory t.h5", "'t.h5': File too large", {"a.json", "s.json", "t.h5.part"}}};
    for (const Case& c : cases) {
        SCOPED_TRACE(c.options);
        // A file that HDF5 could not write to is left open: closing it would end the program.
        setenv("LSAN_OPTIONS", "detect_leaks=0", 1);
        const Outcome outcome = run_limited("run grasp --time 1e4 " + c.options + rest);
        unsetenv("LSAN_OPTIONS");
        EXPECT_EQ(outcome.status, 1);
        EXPECT_EQ(count_lines(outcome.err), 1U) << outcome.err;
        EXPECT_NE(outcome.err.find(c.cause), std::string::npos) << outcome.err;
        EXPECT_EQ(files(), c.files);
        const Json summary = Json::parse(read_text(folder() / "a.json"));
        EXPECT_EQ(summary["status"], "failed");
        EXPECT_NE(summary["message"].get<std::string>().find(c.cause), std::string::npos);
        if (std::filesystem::exists(folder() / "t.h5")) {
            EXPECT_EQ(run("replay t.h5 --info").status, 0);
        }
        EXPECT_EQ(run("run grasp --steps 1 --load-state s.json").status, 0);
        for (const std::string& name : files()) std::filesystem::remove(folder() / name);
    }
}

TEST_F(Outputs, OfAComparisonThatFailLeaveTheOthersComplete) {
    const Outcome outcome = run_limited(
        "compare grasp --time 1e4 --models no_slip,viscous --csv a.csv --json a.json --plot a.svg");
    EXPECT_EQ(outcome.status, 1);
    EXPECT_NE(outcome.err.find("'a.csv': File too large"), std::string::npos) << outcome.err;
    EXPECT_EQ(files(), (Names{"a.csv.part", "a.json", "a.svg"}));
}

TEST_F(Outputs, ToAFullStandardOutputAreAnError) {
    write("easy.dat", "3 1  0 3 3  3 3  1 0 0  0 1 0  0 0 1  -1 1 3  0.1\n");
    for (const std::string arguments :
         {"solve easy.dat", "solve easy.dat --json -", "check grasp", "check grasp --json -",
          "scenes", "run grasp --steps 2", "run grasp --steps 2 --json -", "--help", "bench",
          "compare grasp --steps 2", "compare grasp --steps 2 --json -", "view --keys"}) {
        SCOPED_TRACE(arguments);
        const Outcome outcome = run(arguments, "", "", "/dev/full");
        EXPECT_EQ(outcome.status, 1);
        EXPECT_EQ(count_lines(outcome.err), 1U) << outcome.err;
        EXPECT_NE(outcome.err.find("standard output: No space left on device"), std::string::npos)
            << outcome.err;
    }
}

TEST_F(Outputs, WithoutAReaderCostNoFile) {
    const Outcome outcome =
        run("run grasp --steps 2000 --csv a.csv --json -", "", "| exec 0<&-", "&1");
    EXPECT_EQ(files(), (Names{"a.csv"})) << outcome.err;
}

TEST_F(Outputs, OptionsOutOfRangeAreRefused) {
    expect_refused("run grasp --seed -1", "--seed -1: expected a whole number");
    expect_refused("run grasp --seed 1.5", "--seed 1.5");
    expect_refused("run grasp --seed 18446744073709551616", "--seed");
    expect_refused("run grasp --step 2", "--step: expected more than 0 and at most 1 s");
    expect_refused("run grasp --step nan", "--step");
    expect_refused("run grasp --load-state /dev/zero", "/dev/zero: is not a plain file");
    expect_refused("run grasp --video v.mp4 --speed 1e-300", "more than 1000000 frames");
    EXPECT_EQ(run("run grasp --steps 1 --seed 18446744073709551615").status, 0);
}

TEST_F(Outputs, NothingThatATerminalObeysReachesIt) {
    const std::string escape =
        "\x1b[31m\xc2\x9b"
        "2J\x07\xff";
    write("named.yaml",
          kBall + "  - {name: \"\\e[31m\", mass: -1, shape: {type: sphere, radius: 1}}\n");
    write("key.yaml", kBall + "\"\\e[2J\": 1\n");
    write("shown.yaml", kBall + "description: \"a\\e[2J\\ab\"\n");
    write("state.json", "{\"format\": \"" + escape + "\"}");
    const Names commands = {"run named.yaml",
                            "run key.yaml",
                            "check shown.yaml",
                            "run shown.yaml --steps 1",
                            "scenes --folder .",
                            "run '" + escape + ".yaml'",
                            "'" + escape + "'",
                            "run grasp '--" + escape + "'",
                            "run grasp --csv '" + escape + "/a'",
                            "run grasp --model '" + escape + "'",
                            "run grasp --set '" + escape + "=1'",
                            "run shown.yaml --load-state state.json",
                            "solve '" + escape + ".dat'",
                            "replay '" + escape + ".h5'",
                            "run grasp --log-level '" + escape + "'"};
    for (const std::string& arguments : commands) {
        SCOPED_TRACE(arguments);
        const Outcome outcome = run(arguments);
        for (const std::string& text : {outcome.out, outcome.err}) {
            EXPECT_EQ(text.find_first_of("\x1b\x07\xff"), std::string::npos) << text;
            EXPECT_EQ(text.find("\xc2\x9b"), std::string::npos) << text;
        }
    }
    const Outcome longest = run("run " + std::string(20000, 'x') + ".yaml");
    EXPECT_LE(longest.err.size(), 620U);
    EXPECT_TRUE(longest.err.ends_with("expected a scene (.yaml)\n")) << longest.err;
}

}  // namespace
}  // namespace stiction::test
