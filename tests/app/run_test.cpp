// run_test.cpp - what a run writes, and that its result depends neither on threads nor on a stop in
// between.
#include <nlohmann/json.hpp>
#include <set>

#include "app/program.h"

namespace stiction::test {
namespace {

using Json = nlohmann::json;

std::set<std::string> keys(const Json& json) {
    std::set<std::string> names;
    for (const auto& [key, value] : json.items()) names.insert(key);
    return names;
}

class Run : public ProgramTest {
  protected:
    [[nodiscard]] std::string hash(const std::string& arguments) const {
        const Outcome outcome = run("run " + arguments + " --json -");
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        return Json::parse(outcome.out).at("state_hash").get<std::string>();
    }
};

TEST_F(Run, SummaryHasTheDocumentedKeys) {
    const Outcome outcome = run("run grasp --steps 20 --json -");
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");  // no progress bar when it is not a terminal
    const Json json = Json::parse(outcome.out);
    EXPECT_EQ(keys(json), (std::set<std::string>{"schema",
                                                 "scene",
                                                 "model",
                                                 "solver",
                                                 "solver_requested",
                                                 "status",
                                                 "message",
                                                 "parameters",
                                                 "seed",
                                                 "steps",
                                                 "h",
                                                 "start_time",
                                                 "time",
                                                 "threads",
                                                 "deterministic",
                                                 "state_hash",
                                                 "realtime_factor",
                                                 "timing",
                                                 "contacts",
                                                 "solver_stats",
                                                 "penetration",
                                                 "energy",
                                                 "bodies",
                                                 "time_budget",
                                                 "switches",
                                                 "joints",
                                                 "motion",
                                                 "collision",
                                                 "narrowphase",
                                                 "narrowphase_switches"}));
    EXPECT_EQ(keys(json["collision"]), (std::set<std::string>{"pairs", "bullet_pairs"}));
    EXPECT_EQ(keys(json["timing"]), (std::set<std::string>{"step_us", "stages"}));
    EXPECT_EQ(keys(json["timing"]["step_us"]),
              (std::set<std::string>{"mean", "p50", "p99", "max"}));
    EXPECT_EQ(keys(json["timing"]["stages"]),
              (std::set<std::string>{"forces", "collide", "assemble", "solve", "integrate",
                                     "stabilise", "record"}));
    EXPECT_EQ(keys(json["contacts"]), (std::set<std::string>{"mean", "max"}));
    EXPECT_EQ(keys(json["penetration"]), (std::set<std::string>{"mean", "max"}));
    EXPECT_EQ(
        keys(json["solver_stats"]),
        (std::set<std::string>{"iterations_mean", "iterations_max", "pivots_mean", "pivots_max",
                               "failures", "fallbacks", "budget_steps", "residual_max",
                               "torn_steps", "contradiction_steps", "projection_unsolved_steps"}));
    EXPECT_EQ(keys(json["motion"]),
              (std::set<std::string>{"fast_steps", "first_fast_step", "first_fast_body",
                                     "midpoint_fallbacks"}));
    EXPECT_EQ(keys(json["joints"]), (std::set<std::string>{"error_max", "speed_max"}));
    EXPECT_EQ(keys(json["energy"]),
              (std::set<std::string>{"kinetic_start", "kinetic_end", "total_start", "total_end",
                                     "largest_gain"}));
    EXPECT_EQ(keys(json["bodies"][0]),
              (std::set<std::string>{"name", "position", "quaternion", "linear_velocity",
                                     "angular_velocity"}));
    EXPECT_EQ(json["scene"], "grasp");
    EXPECT_EQ(json["model"], "no_slip");
    EXPECT_EQ(json["steps"], 20);
    EXPECT_EQ(json["status"], "done");
    EXPECT_EQ(json["bodies"].size(), 4U);
    EXPECT_EQ(json["state_hash"].get<std::string>().size(), 16U);
    EXPECT_GT(json["realtime_factor"].get<double>(), 0);
}

TEST_F(Run, SaysThatAWallClockBudgetWasSet) {
    const Json free =
        Json::parse(run("run granular --set count=160 --set radius=0.045 --steps 80 --json -").out);
    EXPECT_EQ(free["time_budget"], 0);
    EXPECT_EQ(free["deterministic"], true);
    const std::string late =
        "run granular --set count=160 --set radius=0.045 --steps 80 --time-budget 1e-9";
    const Json json = Json::parse(run(late + " --json -").out);
    EXPECT_EQ(json["status"], "done");
    EXPECT_EQ(json["time_budget"], 1e-9);
    EXPECT_EQ(json["deterministic"], false);
    EXPECT_GT(json["solver_stats"]["budget_steps"].get<int>(), 0);
    EXPECT_NE(run(late).out.find("results depend on the clock"), std::string::npos);
}

TEST_F(Run, WritesAllOutputsUnderTheirNames) {
    const Outcome outcome =
        run("run grasp --steps 20 --csv a.csv --json a.json --save-state s.json --trajectory t.csv "
            "--trajectory-every 8");
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("times real time"), std::string::npos);
    EXPECT_EQ(files(),
              (std::vector<std::string>{"a.csv", "a.json", "s.json", "t.contacts.csv", "t.csv"}));
    const std::string table = read_text(folder() / "a.csv");
    EXPECT_TRUE(table.starts_with("step,t[s],"));
    EXPECT_EQ(count_lines(table), 21U);
    EXPECT_EQ(count_lines(read_text(folder() / "t.csv")),
              5U);  // header, steps 0, 8, 16 and the last
    EXPECT_EQ(Json::parse(read_text(folder() / "a.json"))["steps"], 20);
}

TEST_F(Run, QualityIsMeasuredOnRequestAndChangesNothingElse) {
    const Outcome plain = run("run ramp --steps 50 --csv plain.csv --json plain.json");
    ASSERT_EQ(plain.status, 0) << plain.err;
    EXPECT_EQ(plain.out.find("quality"), std::string::npos);
    const Outcome outcome = run("run ramp --steps 50 --quality --csv a.csv --json a.json");
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("\nquality "), std::string::npos) << outcome.out;
    const Json without = Json::parse(read_text(folder() / "plain.json"));
    const Json json = Json::parse(read_text(folder() / "a.json"));
    EXPECT_FALSE(without.contains("quality"));
    EXPECT_EQ(json["state_hash"], without["state_hash"]);
    EXPECT_EQ(
        keys(json["quality"]),
        (std::set<std::string>{"thresholds", "resting", "sliding", "misaligned",
                               "penetration_error", "gap_error", "alignment_error", "creep",
                               "cone_error", "anomalous", "coulomb_natural", "coulomb_scaled"}));
    // The cube slides from the first step on, and on Coulomb's law: every contact that presses
    // slides. (Lemke's answers leave one of the four corners without a load.)
    EXPECT_GE(json["quality"]["resting"]["mean"].get<double>(), 3);
    EXPECT_EQ(json["quality"]["sliding"]["mean"], json["quality"]["resting"]["mean"]);
    EXPECT_LE(json["quality"]["coulomb_natural"]["max"].get<double>(), 1e-8);
    const std::string table = read_text(folder() / "a.csv");
    const std::string header = table.substr(0, table.find('\n'));
    EXPECT_TRUE(header.ends_with(
        ",resting,sliding,misaligned,penetration_error[m],gap_error[m],alignment_error,creep[m/s],"
        "cone_error[N s],anomalous[J],coulomb_natural,coulomb_scaled,joint_error[m],joint_speed[m/"
        "s],work_gravity[J],work_scripts[J],work_motors[J],work_prescribed[J],work_contact[J],work_"
        "joints[J],work_joint_friction[J],work_damping[J],work_projection[J],work_integrator[J],"
        "unexplained[J],projection_unsolved,too_fast,midpoint_fallbacks,narrowphase,pairs,bullet_"
        "pairs"))
        << header;
    EXPECT_EQ(count_lines(table), 51U);
    EXPECT_EQ(std::count(table.begin(), table.end(), ','),
              51 * std::count(header.begin(), header.end(), ','));
    EXPECT_TRUE(
        header.starts_with(read_text(folder() / "plain.csv").substr(0, header.find(",resting"))));
}

TEST_F(Run, NumberOfThreadsAndRepetitionDoNotMatter) {
    for (const std::string scene : {"islands --steps 10 --set side=4", "stack --steps 20",
                                    "mixed_pile --steps 10 --set count=20 --narrowphase bullet"}) {
        const std::string once = hash(scene + " --threads 1");
        EXPECT_EQ(hash(scene + " --threads 1"), once) << scene;
        EXPECT_EQ(hash(scene + " --threads 2"), once) << scene;
        EXPECT_EQ(hash(scene + " --threads 4"), once) << scene;
        EXPECT_NE(hash(scene + " --step 0.0005"), once) << scene;
    }
}

TEST_F(Run, GoesOnFromASavedStateAsIfItHadNotStopped) {
    for (const std::string scene :
         {"grasp", "chain", "motors", "wall", "stack --narrowphase bullet"}) {
        const std::string whole = hash(scene + " --steps 50");
        ASSERT_EQ(run("run " + scene + " --steps 20 --save-state s.json --quiet").status, 0);
        EXPECT_EQ(hash(scene + " --steps 30 --load-state s.json"), whole) << scene;
    }
}

TEST_F(Run, ModelAndSolverCanBeChosen) {
    const auto summary = [&](const std::string& options) {
        return Json::parse(run("run grasp --steps 5 --json - " + options).out);
    };
    EXPECT_EQ(summary("--model coulomb_lcp")["model"], "coulomb_lcp");
    EXPECT_EQ(summary("--solver ppm")["solver"], "ppm");
    EXPECT_EQ(summary("--solver ppm")["solver_requested"], "ppm");
}

TEST_F(Run, TheNarrowphaseCanBeChosenAndIsInEveryRecord) {
    const Json exact = Json::parse(run("run stack --steps 5 --json -").out);
    EXPECT_EQ(exact["narrowphase"], "exact");
    EXPECT_EQ(exact["collision"]["bullet_pairs"], 0);
    const Outcome outcome =
        run("run stack --steps 5 --narrowphase bullet --json - --csv a.csv --trajectory a.h5");
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const Json bullet = Json::parse(outcome.out);
    EXPECT_EQ(bullet["narrowphase"], "bullet");
    EXPECT_GT(bullet["collision"]["pairs"], 0);
    EXPECT_EQ(bullet["collision"]["bullet_pairs"], bullet["collision"]["pairs"]);
    EXPECT_EQ(exact["collision"]["pairs"], bullet["collision"]["pairs"]);
    EXPECT_NE(hash("hand3 --steps 60 --narrowphase bullet"), hash("hand3 --steps 60"));
    const std::string table = read_text(folder() / "a.csv");
    EXPECT_NE(table.find(",bullet,10,10\n"), std::string::npos) << table;
    EXPECT_NE(run("replay a.h5").out.find("narrowphase bullet"), std::string::npos);
    EXPECT_EQ(Json::parse(run("check stack --json -").out)["narrowphase"], "exact");
}

// The signal comes several times, as from a supervisor that signals a process and its group.
TEST_F(Run, SigtermLeavesCompleteFiles) {
    const Outcome outcome = run(
        "run grasp --time 1e5 --csv a.csv --trajectory t.h5 --trajectory-every 100 --json a.json",
        "",
        "& pid=$!; sleep 1; for i in 1 2 3 4 5 6 7 8 9; do kill -TERM $pid 2>/dev/null; done; wait "
        "$pid");
    EXPECT_EQ(outcome.status, 1);
    EXPECT_NE(outcome.err.find("error: interrupted after step"), std::string::npos) << outcome.err;
    EXPECT_EQ(files(), (std::vector<std::string>{"a.csv", "a.json", "t.h5"}));
    const Json summary = Json::parse(read_text(folder() / "a.json"));
    EXPECT_EQ(summary["status"], "interrupted");
    EXPECT_EQ(count_lines(read_text(folder() / "a.csv")), summary["steps"].get<std::size_t>() + 1);
    EXPECT_EQ(run("replay t.h5").status, 0);
}

TEST_F(Run, WhatAKilledRunRecordedCanBeRead) {
    (void)run("run grasp --time 1e5 --csv a.csv --trajectory t.h5 --trajectory-every 10",
              "timeout -s KILL 2.5");
    EXPECT_EQ(files(), (std::vector<std::string>{"a.csv.part", "t.h5.part"}));
    const std::string table = read_text(folder() / "a.csv.part");
    EXPECT_GT(count_lines(table), 10U);
    EXPECT_EQ(table.back(), '\n');
    const Outcome replayed = run("replay t.h5.part --csv t.csv");
    EXPECT_EQ(replayed.status, 0) << replayed.err;
    EXPECT_NE(replayed.out.find("(unfinished)"), std::string::npos);
    EXPECT_GT(count_lines(read_text(folder() / "t.csv")), 10U);
}

// Gravity of 1e308 m/s^2 overflows the velocity in the 18th step of 0.1 s.
TEST_F(Run, ANonFiniteStateEndsTheRunAndKeepsWhatWasRecorded) {
    write(
        "doom.yaml",
        "version: 1\ngravity: [0, 0, -1e308]\nstep: {h: 0.1}\ncontact: {model: no_slip}\nbodies:\n"
        "  - {name: stone, mass: 1, shape: {type: sphere, radius: 0.1}}\n");
    const Outcome outcome =
        run("run doom.yaml --steps 100 --csv a.csv --json a.json --trajectory t.h5");
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(count_lines(outcome.err), 1U) << outcome.err;
    EXPECT_NE(outcome.err.find("body 'stone'"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("no_slip"), std::string::npos) << outcome.err;
    const Json summary = Json::parse(read_text(folder() / "a.json"));
    EXPECT_EQ(summary["status"], "failed");
    EXPECT_EQ(count_lines(read_text(folder() / "a.csv")), summary["steps"].get<std::size_t>() + 1);
    EXPECT_EQ(run("replay t.h5").status, 0);
}

TEST_F(Run, ScenesAndCheckSayWhatThereIs) {
    const Outcome scenes = run("scenes");
    EXPECT_EQ(scenes.status, 0);
    EXPECT_NE(scenes.out.find("grasp "), std::string::npos);
    EXPECT_NE(run("check grasp").out.find("4 dynamic"), std::string::npos);
    const Json json = Json::parse(run("check stack --set boxes=3 --json -").out);
    EXPECT_EQ(json["bodies"]["dynamic"], 3);
    EXPECT_EQ(json["initial_contacts"], 12);
    EXPECT_EQ(json["parameters"]["boxes"], 3);
}

TEST_F(Run, ReplayPrintsASampleAndConverts) {
    ASSERT_EQ(run("run pendulum --steps 50 --trajectory t.h5 --quiet").status, 0);
    const Outcome outcome = run("replay t.h5 --time 0.03 --csv t.csv");
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_TRUE(outcome.out.starts_with("step 30, ")) << outcome.out;
    ASSERT_EQ(run("run pendulum --steps 50 --trajectory direct.csv --quiet").status, 0);
    EXPECT_EQ(read_text(folder() / "t.csv"), read_text(folder() / "direct.csv"));
}

}  // namespace
}  // namespace stiction::test
