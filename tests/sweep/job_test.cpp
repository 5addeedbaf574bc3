// job_test.cpp - what a job is, where its id comes from, and that its result is that of the run.
#include "sweep/job.h"

#include <set>

#include "sweep/plan.h"
#include "sweep/run_job.h"
#include "sweep/run_sweep.h"
#include "sweep/sweep_folder.h"
#include "sweep/sweep_table.h"

namespace stiction::test {
namespace {

using Jobs = SweepFolder;

// Coulomb's law on level ground: the speed falls by mu g h in each step, exactly, until it is 0.
TEST_F(Jobs, ResultsAreThoseOfTheRun) {
    const Plan plan =
        make_plan(sweep("steps: 10\nparameters: {mu: [0, 0.2, 0.5], v: [1, 5]}\n"
                        "keep: {speed: bodies.box_0.linear_velocity.x}\n"));
    for (std::int64_t i = 1; i <= plan.jobs(); ++i) {
        const JobResult result = run_job(plan.job(i));
        EXPECT_EQ(result.status, JobStatus::kDone) << result.message;
        const auto row = job_values(plan.sweep, i);
        const double speed = std::stod(row[1]) - std::stod(row[0]) * 9.81 * 0.1;
        // The solver's tolerance is 1e-10 of the impulses, in each of ten steps.
        EXPECT_NEAR(std::get<double>(result.values.at("bodies.box_0.linear_velocity.x")),
                    std::max(0.0, speed), 1e-8);
    }
}

TEST_F(Jobs, LinesGiveJobsAndResultsAgain) {
    const Plan plan = make_plan(
        sweep("step: 0.005\ntolerance: 1e-9\nseed: 12\nmodel: no_slip\nparameters: {v: [1, 2]}\n"));
    const Job job = plan.job(2);
    const Job again = read_job_line(job_line(job));
    EXPECT_EQ(job_line(again), job_line(job));
    EXPECT_EQ(again.parameters, job.parameters);
    EXPECT_EQ(again.h, 0.005);
    JobResult result = run_job(job);
    result.message = "a \"quote\",\nand a line";
    const JobResult read = read_result_line(result_line(result));
    EXPECT_EQ(read.values, result.values);
    EXPECT_EQ(read.message, result.message);
    EXPECT_EQ(result_line(result).find('\n'), std::string::npos);
    for (const char* text : {"", "{}", "[1]", "{\"id\": 3}", "\xff"}) {
        EXPECT_THROW((void)read_result_line(text), InputError) << text;
        EXPECT_THROW((void)read_job_line(text), InputError) << text;
    }
}

TEST_F(Jobs, AnIdChangesWithAllThatChangesAResultAndWithNothingElse) {
    const std::string text = "steps: 3\nparameters: {v: [1, 2], mu: [0, 1]}\n";
    const Plan plan = make_plan(sweep(text));
    EXPECT_EQ(std::set<std::string>(plan.ids.begin(), plan.ids.end()).size(), 4U);
    EXPECT_EQ(make_plan(sweep(text + "keep: [steps]\ndescription: other\n")).ids, plan.ids);
    const Plan turned = make_plan(sweep("steps: 3\nparameters: {mu: [0, 1], v: [1, 2]}\n"));
    EXPECT_EQ(turned.id(2), plan.id(3));
    const std::vector<std::string> others = {"steps: 4\nparameters: {v: [1, 2], mu: [0, 1]}\n",
                                             text + "model: no_slip\n",
                                             text + "step: 0.005\n",
                                             text + "seed: 5\n",
                                             text + "tolerance: 1e-7\n",
                                             text + "narrowphase: bullet\n"};
    for (const std::string& other : others)
        EXPECT_NE(make_plan(sweep(other)).id(1), plan.id(1)) << other;
    write("slide.yaml", std::string(kSlideScene) + "# another scene\n");
    EXPECT_NE(make_plan(sweep(text)).id(1), plan.id(1));
    EXPECT_EQ(changed_file(plan), path("slide.yaml"));
}

TEST_F(Jobs, EveryFileOfTheSceneCounts) {
    write("part.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    write("robot.urdf",
          "<robot name='r'><link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
          "izz='1' ixy='0' ixz='0' iyz='0'/></inertial><collision><geometry><mesh "
          "filename='part.obj'/></geometry></collision></link></robot>\n");
    write("slide.yaml",
          "version: 1\ncontact: {model: no_slip}\nrobots: [{name: r, urdf: robot.urdf}]\n");
    const Plan before = make_plan(sweep("steps: 1\n"));
    EXPECT_EQ(before.files.size(), 3U);
    write("part.obj", "v 0 0 0\nv 2 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    EXPECT_NE(make_plan(sweep("steps: 1\n")).id(1), before.id(1));
}

TEST_F(Jobs, AFailedRunIsARowWithItsReason) {
    write("slide.yaml",
          "version: 1\nparameters: {m: 1}\ncontact: {model: no_slip}\nbodies:\n"
          "  - {name: a, mass: m, shape: {type: sphere, radius: 1}}\n");
    const Plan plan = make_plan(sweep("steps: 2\nparameters: {m: [1, -1]}\nkeep: [steps]\n"));
    JournalRows rows;
    for (std::int64_t i = 1; i <= 2; ++i) {
        JobResult result = run_job(plan.job(i));
        result.id = plan.id(i);
        rows.results.emplace(result.id, result);
    }
    EXPECT_EQ(table_csv(plan, rows),
              "job,m,status,message,steps\n"
              "1,1,done,,2\n"
              "2,-1,failed,\"slide.yaml:5:21: bodies[0] 'a': mass: must be > 0 kg, got -1\",\n");
    EXPECT_TRUE(is_finished(plan, 2, rows));
    rows.results.erase(plan.id(1));
    EXPECT_EQ(table_csv(plan, rows).substr(27, 14), "1,1,missing,,\n");
    const TableCount count = count_rows(plan, rows);
    EXPECT_EQ(count.failed, 1);
    EXPECT_EQ(count.missing, 1);
}

TEST_F(Jobs, AColumnThatWasNotKeptMakesTheJobRunAgain) {
    const std::string text = "steps: 1\n";
    const Plan plan = make_plan(sweep(text + "keep: [steps]\n"));
    JobResult result = run_job(plan.job(1));
    result.id = plan.id(1);
    JournalRows rows;
    rows.results.emplace(result.id, result);
    EXPECT_TRUE(is_finished(plan, 1, rows));
    EXPECT_FALSE(is_finished(make_plan(sweep(text + "keep: [steps, time]\n")), 1, rows));
}

}  // namespace
}  // namespace stiction::test
