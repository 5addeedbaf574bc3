// signals_test.cpp - a signal ends the program wherever it is, and what was done is there, whole.
#include <nlohmann/json.hpp>

#include "app/program.h"
#include "app/slow_inputs.h"

namespace stiction::test {
namespace {

using Json = nlohmann::json;
using Names = std::vector<std::string>;

class Signals : public ProgramTest {
  protected:
    void SetUp() override {
        ProgramTest::SetUp();
        write("slow.yaml", kSlowScene);
    }

    // Sends the signal `seconds` after `file` has appeared and the program waits for signals, whose
    // threads block them then. A hang ends as status 124 or 137.
    [[nodiscard]] Outcome run_until(const std::string& arguments, const std::string& file,
                                    const std::string& signal, double seconds = 0.3) const {
        return run(arguments, "",
                   "& pid=$!; until [ -e " + file + " ]; do sleep 0.02; done; " +
                       "for i in $(seq 500); do grep -q 'SigBlk:.*400[23]' /proc/$pid/status && " +
                       "break; sleep 0.02; done; sleep " + std::to_string(seconds) + "; kill -" +
                       signal + " $pid; " +
                       "(sleep 30; kill -KILL $pid) >/dev/null 2>&1 & watch=$!; wait $pid; " +
                       "status=$?; kill $watch; exit $status");
    }

    [[nodiscard]] Json json(const std::string& name) const {
        return Json::parse(read_text(folder() / name));
    }
};

TEST_F(Signals, InsideAStepEachLeavesCompleteFilesOfTheStepsBefore) {
    for (const std::string signal : {"TERM", "INT", "HUP"}) {
        SCOPED_TRACE(signal);
        const Outcome outcome = run_until(
            "run slow.yaml --csv a.csv --json a.json --trajectory t.h5 --save-state s.json",
            "t.h5.part", signal);
        EXPECT_EQ(outcome.status, 1);
        EXPECT_EQ(outcome.err, "error: interrupted inside the step after step 0 of 1000\n");
        EXPECT_EQ(files(), (Names{"a.csv", "a.json", "s.json", "slow.yaml", "t.h5"}));
        EXPECT_EQ(json("a.json")["status"], "interrupted");
        EXPECT_EQ(json("a.json")["steps"], 0);
        EXPECT_EQ(count_lines(read_text(folder() / "a.csv")), 1U);
        EXPECT_EQ(run("replay t.h5 --info").status, 0);
        EXPECT_EQ(run("run slow.yaml --steps 0 --load-state s.json").status, 0);
    }
}

// To the bit: state, trajectory and hash are those of a run of as many steps.
TEST_F(Signals, FilesOfAnInterruptedRunAreThoseOfAShorterOne) {
    const Outcome outcome = run_until(
        "run grasp --time 1e5 --csv a.csv --json a.json --trajectory t.csv --trajectory-every 7 "
        "--save-state s.json",
        "t.csv.part", "TERM");
    EXPECT_EQ(outcome.status, 1);
    const std::string steps = std::to_string(json("a.json")["steps"].get<int>());
    ASSERT_EQ(run("run grasp --steps " + steps +
                  " --json b.json --trajectory u.csv --trajectory-every 7 --save-state r.json")
                  .status,
              0);
    EXPECT_EQ(json("a.json")["state_hash"], json("b.json")["state_hash"]);
    EXPECT_EQ(read_text(folder() / "s.json"), read_text(folder() / "r.json"));
    EXPECT_EQ(read_text(folder() / "t.csv"), read_text(folder() / "u.csv"));
    EXPECT_EQ(read_text(folder() / "t.contacts.csv"), read_text(folder() / "u.contacts.csv"));
}

TEST_F(Signals, InsideALoadOrACheckThereIsNothingToKeep) {
    write("many.yaml",
          "version: 1\ncontact: {model: no_slip}\nbodies:\n  - name: b_{i}_{j}\n"
          "    repeat: [300, 300]\n    position: [0.3*i, 0.3*j, 0]\n    mass: 1\n"
          "    shape: {type: box, size: [0.5, 0.5, 0.5]}\n");
    const Outcome outcome = run_until("check many.yaml", "many.yaml", "TERM", 0.1);
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.err, "error: interrupted\n");
    EXPECT_EQ(files(), (Names{"many.yaml", "slow.yaml"}));
}

TEST_F(Signals, InsideAComparisonEveryStepThatWasTakenIsKept) {
    const Outcome outcome = run_until(
        "compare slow.yaml --steps 2 --models viscous,no_slip:ppm --csv a.csv --json a.json "
        "--plot a.svg --quiet",
        "a.csv.part", "TERM", 2);
    EXPECT_EQ(outcome.status, 1);
    EXPECT_NE(outcome.err.find("runs ended early"), std::string::npos) << outcome.err;
    EXPECT_EQ(files(), (Names{"a.csv", "a.json", "a.svg", "slow.yaml"}));
    const Json runs = json("a.json")["runs"];
    EXPECT_EQ(runs[1]["status"], "interrupted");
    EXPECT_EQ(count_lines(read_text(folder() / "a.csv")),
              1 + runs[0]["steps"].get<std::size_t>() + runs[1]["steps"].get<std::size_t>());
}

TEST_F(Signals, InsideASolveTheSolvesBeforeAreKept) {
    write("easy.dat", "3 1  0 3 3  3 3  1 0 0  0 1 0  0 0 1  -1 1 3  0.1\n");
    write("hard.dat", slow_problem());
    const Outcome outcome = run_until(
        "solve easy.dat hard.dat --tol 1e-300 --csv a.csv --json a.json --plot a.svg --profile p",
        "a.csv.part", "TERM", 1);
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.err, "error: interrupted after 1 of 2 solves\n");
    EXPECT_EQ(files(), (Names{"a.csv", "a.json", "a.svg", "easy.dat", "hard.dat", "p.csv", "p.svg",
                              "slow.yaml"}));
    EXPECT_EQ(json("a.json").size(), 1U);
    EXPECT_EQ(count_lines(read_text(folder() / "a.csv")), 2U);
    EXPECT_NE(outcome.out.find("\neasy "), std::string::npos) << outcome.out;
}

// Killed, it leaves the solves that were done.
TEST_F(Signals, AKilledSolveHasItsRows) {
    write("easy.dat", "3 1  0 3 3  3 3  1 0 0  0 1 0  0 0 1  -1 1 3  0.1\n");
    write("hard.dat", slow_problem());
    (void)run_until("solve easy.dat hard.dat --tol 1e-300 --csv a.csv", "a.csv.part", "KILL", 1);
    EXPECT_EQ(count_lines(read_text(folder() / "a.csv.part")), 2U);
}

TEST_F(Signals, AHangupIsIgnoredWhereItWasIgnored) {
    const Outcome outcome = run("run grasp --steps 20000 --csv a.csv", "nohup",
                                "& pid=$!; until [ -e a.csv.part ]; do sleep 0.02; done; "
                                "kill -HUP $pid; wait $pid");
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(files(), (Names{"a.csv", "slow.yaml"}));
}

TEST_F(Signals, AVideoIsPlayableAndUnderItsName) {
    const Outcome outcome = run_until("run slow.yaml --video v.mp4 --png end.png --size 64x64",
                                      "v.mp4.part", "TERM", 2);
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(files(), (Names{"slow.yaml", "v.mp4"}));
    EXPECT_GT(std::filesystem::file_size(folder() / "v.mp4"), 500U);
}

}  // namespace
}  // namespace stiction::test
