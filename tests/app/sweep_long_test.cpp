// sweep_long_test.cpp - a sweep of 2000 grasps: on two cores; killed twenty times, the program and its
// workers; and as a job array of a real Slurm and on a Dask cluster on this machine. The table is that
// of a single core each time.
#include <chrono>
#include <map>
#include <random>

#include "app/program.h"

namespace stiction::test {
namespace {

class LongSweep : public ProgramTest {
  protected:
    void SetUp() override {
        ProgramTest::SetUp();
        write("grasps.yaml",
              "version: 1\nscene: grasp\nsteps: 40\n"
              "model: [no_slip, friction_box, coulomb_lcp, coulomb_cone, max_dissipation]\n"
              "parameters:\n"
              "  boxes: [1, 2, 3, 4]\n"
              "  mu: {from: 0.01, to: 0.1, count: 10}\n"
              "seed: {from: 1, to: 10, count: 10}\n");
        if (table_of_one().empty()) run_on_one();
    }

    // The first test runs it for all: files by their names, and how long it took [s].
    static std::map<std::string, std::string>& table_of_one() {
        static std::map<std::string, std::string> files;
        return files;
    }
    static double& seconds_of_one() {
        static double seconds = 0;
        return seconds;
    }

    void run_on_one() const {
        const auto start = std::chrono::steady_clock::now();
        const Outcome one = run("sweep grasps.yaml --out one --workers 1 --quiet");
        seconds_of_one() =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        ASSERT_EQ(one.status, 0) << one.err;
        for (const char* file : {"table.csv", "table.h5"})
            table_of_one()[file] = read_text(folder() / "one" / file);
        ASSERT_EQ(count_lines(table_of_one()["table.csv"]), 2001U);
    }

    void expect_table_of_one(const std::string& name) const {
        ASSERT_EQ(table_of_one().size(), 2U);
        for (const auto& [file, text] : table_of_one())
            EXPECT_TRUE(text == read_text(folder() / name / file)) << file;
    }
};

TEST_F(LongSweep, TwoCoresMakeTheSameTable) {
    ASSERT_EQ(run("sweep grasps.yaml --out two --workers 2 --quiet").status, 0);
    expect_table_of_one("two");
}

TEST_F(LongSweep, TwentyKillsLoseAndDoubleNoRow) {
    constexpr int kKills = 20;
    std::mt19937 random(5);
    // So early that all kills together leave half of the work on any machine.
    const double latest = seconds_of_one() / (2 * kKills);
    const std::string command = "sweep grasps.yaml --out killed --workers 2 --quiet";
    for (int kills = 0; kills < kKills; ++kills) {
        const double after = std::uniform_real_distribution<double>(0, latest)(random);
        const std::string workers =
            kills % 2 == 0 ? "" : "kill -9 $(cat /proc/$pid/task/$pid/children); sleep 0.1; ";
        const Outcome outcome = run(command, "",
                                    "& pid=$!; sleep " + std::to_string(after) + "; " + workers +
                                        "kill -9 $pid 2>/dev/null; wait $pid");
        EXPECT_NE(outcome.status, 0) << "it ended before kill " << kills + 1;
    }
    const Outcome before = run("sweep grasps.yaml --out killed --dry-run");
    EXPECT_NE(before.out.find(" (there)"), std::string::npos) << "no kill came after a first row";
    EXPECT_EQ(run(command).status, 0);
    expect_table_of_one("killed");
}

TEST_F(LongSweep, AJobArrayOfSlurmMakesTheSameTable) {
    ASSERT_EQ(run("sweep grasps.yaml --out array --slurm scripts --block 150").status, 0);
    const std::string node = std::string(STICTION_TESTS) + "/app/slurm_node";
    const std::string command = "cd '" + folder().string() + "'; timeout 300 '" + node +
                                "' \"$PWD/cluster\" scripts/submit.sh >node.txt 2>&1";
    const int raw = std::system(command.c_str());
    constexpr int kCannot = 77;
    if (WIFEXITED(raw) && WEXITSTATUS(raw) == kCannot)
        GTEST_SKIP() << "no Slurm: " << read_text(folder() / "node.txt");
    EXPECT_EQ(raw, 0) << read_text(folder() / "node.txt");
    expect_table_of_one("array");
}

TEST_F(LongSweep, ADaskClusterWhoseWorkersAreKilledMakesTheSameTable) {
    if (std::system("PYTHONPATH='" STICTION_PYTHON_PACKAGE
                    "' /usr/bin/python3 -c 'import distributed, stiction' 2>/dev/null") != 0)
        GTEST_SKIP() << "no python3-distributed, or no Python module in this build";
    const std::string script = std::string(STICTION_TESTS) + "/app/dask_kills.py";
    const std::string command =
        "cd '" + folder().string() +
        "'; PYTHONPATH='" STICTION_PYTHON_PACKAGE "' timeout 300 /usr/bin/python3 '" + script +
        "' grasps.yaml dask '" STICTION_PROGRAM "' 20 >dask.txt 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0) << read_text(folder() / "dask.txt");
    std::printf("%s", read_text(folder() / "dask.txt").c_str());
    expect_table_of_one("dask");
}

}  // namespace
}  // namespace stiction::test
