// sweep_test.cpp - stiction sweep: the same table on any number of workers, in blocks, through the
// scripts for Slurm, and after kills of the program and of its workers at random moments.
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "app/program.h"

namespace stiction::test {
namespace {

constexpr int kSweepJobs = 48;

class SweepProgram : public ProgramTest {
  protected:
    void SetUp() override {
        ProgramTest::SetUp();
        // One of the rows fails: its box has no mass.
        write("scene.yaml",
              "version: 1\n"
              "parameters: {mu: 0.5, m: 1}\n"
              "duration: 0.1\n"
              "contact: {model: coulomb_cone}\n"
              "materials: {default: {friction: mu}}\n"
              "bodies:\n"
              "  - {name: ground, kind: static, shape: {type: plane}}\n"
              "  - {name: box, mass: m, position: [0, 0, 0.52], velocity: [1, 0, 0], shape: {type: "
              "box, size: [1, 1, 1]}}\n");
        write("sweep.yaml",
              "version: 1\n"
              "scene: scene.yaml\n"
              "parameters:\n"
              "  mu: {from: 0, to: 1, count: 4}\n"
              "  m: [0, 1, 2, 4]\n"
              "model: [no_slip, coulomb_lcp, coulomb_cone]\n"
              "keep: {x: bodies.box.position.x, contacts: contacts.mean, hash: state_hash}\n"
              "plots:\n"
              "  - {file: map.svg, type: heat_map, x: mu, y: m, value: x, panels: model}\n"
              "  - {file: lines.svg, type: lines, x: mu, value: x, series: m}\n");
    }

    [[nodiscard]] std::string file(const std::string& name) const {
        return read_text(folder() / name);
    }

    // What results of two folders must share.
    void expect_same(const std::string& a, const std::string& b) const {
        for (const char* name : {"table.csv", "table.h5", "map.svg", "lines.svg"}) {
            const std::string text = file(a + "/" + name);
            EXPECT_FALSE(text.empty()) << name;
            EXPECT_TRUE(text == file(b + "/" + name)) << name << " of " << a << " and " << b;
        }
    }

    void make_reference() const {
        const Outcome one = run("sweep sweep.yaml --out one --workers 1");
        ASSERT_EQ(one.status, 0) << one.err;
        EXPECT_NE(one.out.find("48 jobs: 36 done, 12 failed"), std::string::npos) << one.out;
    }

    // The same command until it ends by itself; how often it was killed.
    [[nodiscard]] int run_with_kills(const std::string& arguments, const std::string& kill,
                                     unsigned seed, int most) const {
        std::mt19937 random(seed);
        for (int kills = 0; kills < most; ++kills) {
            // Ever later, so that the first come before the end on any machine.
            const double most_after = 0.01 * (kills + 1);
            const double after = std::uniform_real_distribution<double>(0.0, most_after)(random);
            const Outcome outcome = run(arguments, "",
                                        "& pid=$!; sleep " + std::to_string(after) + "; " + kill +
                                            " 2>/dev/null; wait $pid");
            if (outcome.status == 0) return kills;
        }
        EXPECT_EQ(run(arguments).status, 0);
        return most;
    }
};

TEST_F(SweepProgram, TheTableHasTheSameBytesOnAnyNumberOfWorkers) {
    make_reference();
    ASSERT_EQ(run("sweep sweep.yaml --out two --workers 2").status, 0);
    ASSERT_EQ(run("sweep sweep.yaml --out five --workers 5").status, 0);
    expect_same("one", "two");
    expect_same("one", "five");
    const std::string table = file("one/table.csv");
    EXPECT_EQ(count_lines(table), kSweepJobs + 1U);
    EXPECT_TRUE(
        table.starts_with("job,mu,m,model,status,message,x,contacts,hash\n"
                          "1,0,0,no_slip,failed,\"scene.yaml:8:23: bodies[1] 'box': mass: "
                          "must be > 0 kg, got 0\",,,\n"))
        << table.substr(0, 300);
    EXPECT_EQ(count_lines(file("one/times.csv")), kSweepJobs + 1U);
}

TEST_F(SweepProgram, ARowIsTheRunOfTheSameName) {
    make_reference();
    const Outcome single =
        run("run scene.yaml --set mu=1 --set m=4 --model coulomb_lcp --quiet --json run.json");
    ASSERT_EQ(single.status, 0) << single.err;
    const auto summary = nlohmann::json::parse(file("run.json"));
    std::istringstream lines(file("one/table.csv"));
    std::string row;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("47,")) row = line;
    }
    EXPECT_TRUE(row.starts_with("47,1,4,coulomb_lcp,done,,")) << row;
    EXPECT_TRUE(row.ends_with("," + summary["state_hash"].get<std::string>())) << row;
}

TEST_F(SweepProgram, WhatIsThereDoesNotRunAgain) {
    make_reference();
    const Outcome again = run("sweep sweep.yaml --out one");
    EXPECT_EQ(again.status, 0);
    EXPECT_NE(again.out.find("ran          0 jobs"), std::string::npos) << again.out;
    EXPECT_NE(again.out.find("48 were there"), std::string::npos) << again.out;
    std::string grown = file("sweep.yaml");
    grown.replace(grown.find("[0, 1, 2, 4]"), 12, "[0, 1, 2, 4, 8]");
    write("sweep.yaml", grown);
    const Outcome more = run("sweep sweep.yaml --out one");
    EXPECT_NE(more.out.find("ran          12 jobs"), std::string::npos) << more.out;
    write("scene.yaml", file("scene.yaml") + "# changed\n");
    const Outcome changed = run("sweep sweep.yaml --out one --dry-run");
    EXPECT_NE(changed.out.find("60 jobs, 60 of them to run"), std::string::npos) << changed.out;
}

TEST_F(SweepProgram, ADryRunListsJobsAndWritesNothing) {
    const Outcome dry = run("sweep sweep.yaml --dry-run");
    EXPECT_EQ(dry.status, 0) << dry.err;
    EXPECT_EQ(count_lines(dry.out), kSweepJobs + 1U);
    EXPECT_NE(dry.out.find(" mu=0 m=0 model=no_slip\n"), std::string::npos) << dry.out;
    EXPECT_EQ(files(), (std::vector<std::string>{"scene.yaml", "sweep.yaml"}));
    const Outcome some = run("sweep sweep.yaml --dry-run --index 7-8");
    EXPECT_EQ(count_lines(some.out), 3U);
    EXPECT_TRUE(some.out.starts_with("7 ")) << some.out;
}

TEST_F(SweepProgram, BlocksMakeTheSameTable) {
    make_reference();
    for (const char* block : {"1-10", "30-48", "11-29"}) {
        const Outcome run_block =
            run(std::string("sweep sweep.yaml --out blocks --index ") + block);
        EXPECT_EQ(run_block.status, 0) << run_block.err;
        EXPECT_FALSE(std::filesystem::exists(folder() / "blocks/table.csv"));
        if (std::string_view(block) == "1-10") {
            const Outcome early = run("sweep sweep.yaml --out early --table");
            EXPECT_EQ(early.status, 1);
            EXPECT_NE(early.err.find("48 of 48 jobs are missing"), std::string::npos) << early.err;
        }
    }
    EXPECT_EQ(run("sweep sweep.yaml --out blocks --table").status, 0);
    expect_same("one", "blocks");
}

// A driver without a shared folder: rows travel as text.
TEST_F(SweepProgram, PrintedRowsMakeTheSameTable) {
    make_reference();
    std::filesystem::create_directories(folder() / "printed/rows");
    for (const char* block : {"1-20", "21-48"}) {
        const Outcome rows =
            run(std::string("sweep sweep.yaml --out printed --print-rows --index ") + block);
        ASSERT_EQ(rows.status, 0) << rows.err;
        write(std::string("printed/rows/") + block + ".rows", rows.out);
    }
    EXPECT_EQ(run("sweep sweep.yaml --out printed --table").status, 0);
    expect_same("one", "printed");
}

// Slurm's part is played by a loop: what it would start, with the variable that it would set.
TEST_F(SweepProgram, TheScriptsForSlurmMakeTheSameTable) {
    make_reference();
    ASSERT_EQ(run("sweep sweep.yaml --out array --slurm scripts --block 7").status, 0);
    write("sbatch",
          "#!/bin/sh\nfor last; do :; done\n"
          "tasks=$(sed -n 's/^#SBATCH --array=1-//p' \"$last\")\n"
          "for task in $(seq \"${tasks:-1}\"); do\n"
          "  SLURM_ARRAY_TASK_ID=$task sh \"$last\" >/dev/null || exit 1\ndone\necho 17\n");
    const std::string command =
        "cd '" + folder().string() +
        "'; chmod +x sbatch; PATH=\"$PWD:$PATH\" scripts/submit.sh >/dev/null";
    EXPECT_EQ(std::system(command.c_str()), 0);
    expect_same("one", "array");
}

TEST_F(SweepProgram, KilledAtRandomMomentsNoRowIsLostOrDoubled) {
    make_reference();
    const int kills =
        run_with_kills("sweep sweep.yaml --out killed --workers 2", "kill -9 $pid", 1, 12);
    EXPECT_GT(kills, 0);
    expect_same("one", "killed");
}

TEST_F(SweepProgram, WorkersKilledAtRandomMomentsCostOnlyTheirJob) {
    make_reference();
    const std::string kill = "kill -9 $(cat /proc/$pid/task/$pid/children)";
    (void)run_with_kills("sweep sweep.yaml --out robbed --workers 2", kill, 2, 3);
    expect_same("one", "robbed");
}

TEST_F(SweepProgram, InterruptedItSaysHowFarItIsAndGoesOn) {
    make_reference();
    const Outcome stopped = run("sweep sweep.yaml --out stopped --workers 2", "",
                                "& pid=$!; sleep 0.08; kill -INT $pid; wait $pid");
    if (stopped.status != 0) {
        EXPECT_EQ(stopped.status, 1);
        EXPECT_NE(stopped.err.find("interrupted"), std::string::npos) << stopped.err;
        EXPECT_FALSE(std::filesystem::exists(folder() / "stopped/table.csv"));
    }
    EXPECT_EQ(run("sweep sweep.yaml --out stopped").status, 0);
    expect_same("one", "stopped");
}

TEST_F(SweepProgram, BadInputIsOneMessage) {
    write("typo.yaml", "version: 1\nscene: scene.yaml\nparameters: {muu: 1}\n");
    write("lost.yaml", "version: 1\nscene: nothing.yaml\n");
    write("part.yaml", "version: 1\nscene: scene.yaml\nfiles: [wheel.obj]\n");
    const std::vector<std::pair<std::string, std::string>> faults = {
        {"sweep nothing.yaml", "nothing.yaml: no such file; expected a sweep (.yaml)"},
        {"sweep grasp_frictoin", "did you mean 'grasp_friction'?"},
        {"sweep typo.yaml",
         "typo.yaml:3:19: parameters.muu: the scene has no parameter 'muu'; did you mean 'mu'?"},
        {"sweep lost.yaml", "lost.yaml:2:8: scene: nothing.yaml: no such file"},
        {"sweep part.yaml", "part.yaml:3:9: files: wheel.obj: no such file"},
        {"sweep scene.yaml", "scene.yaml:3:1: unknown key 'duration'"},
        {"sweep sweep.yaml --index 0-3", "--index 0-3: expected A-B with 1 <= A <= B <= 48"},
        {"sweep sweep.yaml --index 3", ""},
        {"sweep sweep.yaml --index 3-x", "--index 3-x: expected A-B"},
        {"sweep sweep.yaml --out sweep.yaml", "cannot make the folder 'sweep.yaml'"},
        {"sweep sweep.yaml --out /proc/x", "cannot make the folder '/proc/x'"},
        {"sweep sweep.yaml --workers 1000", "--workers 1000: expected 1 to 256"},
        {"sweep sweep.yaml --block 3", "--block: expected"},
        {"sweep sweep.yaml --table --dry-run", "exclude each other"},
        {"sweep sweep.yaml --tabel", "unknown option '--tabel'; did you mean '--table'?"}};
    for (const auto& [arguments, expected] : faults) {
        const Outcome outcome = run(arguments);
        EXPECT_EQ(outcome.status, expected.empty() ? 0 : 2) << arguments << "\n" << outcome.err;
        EXPECT_NE(outcome.err.find(expected), std::string::npos) << arguments << "\n"
                                                                 << outcome.err;
        EXPECT_EQ(count_lines(outcome.err), expected.empty() ? 0U : 1U) << outcome.err;
    }
}

TEST_F(SweepProgram, ShippedSweepsHaveAPlan) {
    int found = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(STICTION_TESTS) / "../sweeps")) {
        const Outcome dry = run("sweep " + entry.path().stem().string() + " --dry-run");
        EXPECT_EQ(dry.status, 0) << dry.err;
        ++found;
    }
    EXPECT_GT(found, 0);
}

TEST_F(SweepProgram, TwoSweepsDoNotWriteOneTable) {
    const Outcome both = run("sweep sweep.yaml --out shared", "mkdir -p shared; flock shared/lock");
    EXPECT_EQ(both.status, 2);
    EXPECT_NE(both.err.find("another sweep is at work there"), std::string::npos) << both.err;
}

}  // namespace
}  // namespace stiction::test
