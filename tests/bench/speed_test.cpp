// speed_test.cpp - how speed drives the peer programs: programs that are missing, fail, hang or write
// something else are marks, never an end of the whole. The programs are scripts; no test asserts a time.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "bench/benchmarks.h"
#include "bench/peer_program.h"
#include "bench/speed_rows.h"
#include "core/error.h"

namespace stiction {
namespace {

namespace fs = std::filesystem;

class Speed : public ::testing::Test {
  protected:
    void SetUp() override {
        fs::create_directories(folder_);
        setenv("STICTION_PEERS", folder_.c_str(), 1);
    }
    void TearDown() override {
        unsetenv("STICTION_PEERS");
        fs::remove_all(folder_);
    }

    std::string script(const std::string& name, const std::string& text) const {
        const fs::path path = folder_ / name;
        std::ofstream(path) << "#!/bin/sh\n" << text;
        fs::permissions(path, fs::perms::owner_all);
        return path.string();
    }

    fs::path folder_ = fs::temp_directory_path() / ("stiction_speed_" + std::to_string(getpid()));
};

// A line as benchmarks/peers writes it, of a robot that stands.
std::string line(double seconds, const std::string& more = "") {
    return R"({"engine":"x","steps":100,"total_steps":100,"cpu_s":)" + std::to_string(seconds) +
           R"(,"best_steps_per_cpu_s":)" + std::to_string(100 / seconds) +
           R"(,"torso_z":0.15,"foot_slip_mm":0.001,"cpu_curve":[)" + std::to_string(seconds / 2) +
           "," + std::to_string(seconds) + "]" + more + "}";
}

const std::vector<BenchValue>* find_row(const BenchTable& table, const std::string& name) {
    for (const std::vector<BenchValue>& row : table.rows) {
        if (std::get<std::string>(row[0]) == name) return &row;
    }
    return nullptr;
}

BenchValue cell(const BenchTable& table, const std::string& row, const std::string& column) {
    const std::vector<BenchValue>* values = find_row(table, row);
    for (std::size_t c = 0; values != nullptr && c < table.columns.size(); ++c) {
        if (table.columns[c].name == column) return (*values)[c];
    }
    ADD_FAILURE() << "no " << column << " of " << row;
    return "";
}

BenchSettings robot() {
    BenchSettings settings;
    settings.cases = {"robot"};
    settings.rounds = 1;
    return settings;
}

TEST_F(Speed, WhatGoesWrongIsAMarkOfItsRow) {
    script("peer_stiction", "echo '" + line(1, R"(,"solved_pct":100)") + "'\n");
    script("peer_bullet_f32", "echo '" + line(2) + "'\n");
    script("peer_mujoco", "case \"$*\" in *pgs*) kill -SEGV $$;; *) echo nonsense;; esac\n");
    double last = 0;
    const BenchReport report = bench_speed(robot(), [&](double share) {
        EXPECT_GE(share, last);
        EXPECT_LE(share, 1);
        last = share;
        return true;
    });
    EXPECT_EQ(report.status, "done");
    EXPECT_TRUE(report.figure.has_value());
    ASSERT_EQ(report.tables.size(), 2U);
    const BenchTable& ratios = report.tables[0];
    EXPECT_EQ(ratios.name, "ratios");
    EXPECT_EQ(std::get<double>(cell(ratios, "standing robot", "ratio")), 2);
    EXPECT_EQ(std::get<double>(cell(ratios, "standing robot", "solved")), 100);
    EXPECT_EQ(std::get<std::string>(cell(ratios, "standing robot", "other")), "bullet-f32 si10");
    const BenchTable& engines = report.tables[1];
    const auto remark = [&](const std::string& row) {
        return std::get<std::string>(cell(engines, row, "remark"));
    };
    EXPECT_EQ(remark("stiction coulomb_cone"), "");
    EXPECT_EQ(remark("dart dantzig_bullet"), "not installed");
    EXPECT_EQ(remark("mujoco pgs_ell"), "failed: signal 11");
    EXPECT_EQ(remark("mujoco newton_ell"), "failed: its output is no JSON");
}

TEST_F(Speed, AnAnswerNoKeepsWhatIsDone) {
    script("peer_stiction", "echo '" + line(1) + "'\n");
    script("peer_bullet_f32", "echo '" + line(2) + "'\n");
    script("peer_mujoco", "sleep 100\n");
    // The second of six rows is the one that hangs.
    const BenchReport report = bench_speed(robot(), [](double share) { return share < 1.02 / 6; });
    EXPECT_EQ(report.status, "interrupted");
    ASSERT_FALSE(report.tables.empty());
    EXPECT_NE(find_row(report.tables.back(), "bullet-f32 si10"), nullptr);
}

TEST_F(Speed, AnEarlierBuildIsARow) {
    script("peer_stiction", "echo '" + line(1) + "'\n");
    BenchSettings settings = robot();
    settings.before = script("earlier", "echo '" + line(3) + "'\n");
    const BenchReport report = bench_speed(settings, [](double) { return true; });
    EXPECT_EQ(std::get<double>(cell(report.tables.at(0), "standing robot", "to_before")), 3);
    settings.before += "_not";
    EXPECT_THROW((void)bench_speed(settings, [](double) { return true; }), InputError);
}

TEST_F(Speed, WithoutOurOwnProgramItSaysHowToBuildIt) {
    EXPECT_THROW((void)bench_speed(robot(), [](double) { return true; }), InputError);
    BenchSettings settings;
    settings.cases = {"robto"};
    EXPECT_THROW((void)bench_speed(settings, [](double) { return true; }), InputError);
}

// A program ends with all that it started.
TEST_F(Speed, AProgramThatHangsIsEnded) {
    const std::string pid = (folder_ / "pid").string();
    const std::string program =
        script("peer_hangs", "sleep 100 &\necho $! >" + pid + "\necho begun\nwait\n");
    const PeerRun run = run_peer(program, {}, 0.5, [](double) { return true; });
    EXPECT_EQ(run.fault, "exceeded the time limit");
    EXPECT_FALSE(run.interrupted);
    EXPECT_EQ(run.output, "begun\n");
    pid_t child = 0;
    std::ifstream(pid) >> child;
    ASSERT_GT(child, 0);
    // It may be a zombie for a moment, until whoever inherited it has asked.
    bool ended = false;
    for (int i = 0; i < 100 && !ended; ++i) {
        std::string stat;
        std::ifstream file("/proc/" + std::to_string(child) + "/stat");
        std::getline(file, stat);
        ended = stat.empty() || stat.find(") Z") != std::string::npos;
        if (!ended) usleep(20000);
    }
    EXPECT_TRUE(ended);
}

TEST_F(Speed, AProgramGetsItsArgumentsAndItsStatusIsTold) {
    const std::string program = script("peer_says", "echo \"$1,$2\"\nexit 3\n");
    const PeerRun run = run_peer(program, {"--a", "b c"}, 10, [](double) { return true; });
    EXPECT_EQ(run.output, "--a,b c\n");
    EXPECT_EQ(run.fault, "exit status 3");
}

TEST(SpeedRows, RunsThatWereCutAreComparedByWhatBothDid) {
    const SpeedConfig config{"stiction", "cone"};
    const SpeedRow whole = read_speed_row(config, "robot", line(4));
    SpeedRow cut = whole;
    cut.curve = {1};  // the other took 2 s for this half
    EXPECT_DOUBLE_EQ(speed_ratio(whole, whole), 1);
    EXPECT_DOUBLE_EQ(speed_ratio(cut, whole), 2);
    EXPECT_DOUBLE_EQ(speed_ratio(whole, cut), 0.5);
    cut.curve.clear();
    EXPECT_TRUE(std::isnan(speed_ratio(cut, whole)));
}

TEST(SpeedRows, AnswersAreJudged) {
    const SpeedConfig config{"bullet-f32", "si10"};
    const auto mark = [&](const std::string& scene, const std::string& more) {
        return read_speed_row(config, scene, line(1, more)).mark;
    };
    EXPECT_EQ(mark("grasp", R"(,"dropped":0,"slip_mm_end":0.1,"penetration_mm_end":0.1)"), "");
    EXPECT_EQ(mark("grasp", R"(,"dropped":0,"slip_mm_end":2,"penetration_mm_end":0.1)"), "slid");
    EXPECT_EQ(mark("grasp", R"(,"dropped":1,"slip_mm_end":null)"), "dropped");
    EXPECT_EQ(mark("ramp", R"(,"creep_um":11)"), "creeps");
    EXPECT_EQ(mark("ramp", R"(,"speed_relerr":-0.001,"lift_um":0)"), "");
    EXPECT_EQ(mark("wall", R"(,"outside":3)"), "3 bodies outside");
    EXPECT_EQ(mark("wall", R"(,"outside":0,"run_max_penetration_pct":99.9)"), "100 % deep");
    EXPECT_EQ(read_speed_row(config, "wall", "").mark, "has no such scene");
    EXPECT_EQ(read_speed_row(config, "wall", R"({"failed":"no memory"})").mark,
              "failed: no memory");
    EXPECT_EQ(read_speed_row(config, "wall",
                             R"({"steps":5,"total_steps":50,)"
                             R"("best_steps_per_cpu_s":3,"outside":0})")
                  .mark,
              "cut after 10 % of the run");
}

}  // namespace
}  // namespace stiction
