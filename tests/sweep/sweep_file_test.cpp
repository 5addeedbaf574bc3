// sweep_file_test.cpp - lists, ranges and draws become axes in the order of the file; what is wrong
// is said with its place.
#include "sweep/sweep_file.h"

#include "sweep/job.h"
#include "sweep/plan.h"
#include "sweep/sweep_folder.h"

namespace stiction::test {
namespace {

using Words = std::vector<std::string>;
using SweepFile = SweepFolder;

TEST_F(SweepFile, AxesComeInTheOrderOfTheFileAndTheLastVariesFastest) {
    const Sweep s = sweep(
        "seed: [3, 4]\nparameters:\n  v: {from: 0, to: 1, count: 3}\n  mu: 0.25\n"
        "model: [no_slip, coulomb_cone:newton]\n");
    EXPECT_EQ(s.jobs(), 12);
    EXPECT_EQ(job_columns(s), (Words{"seed", "v", "mu", "model"}));
    EXPECT_EQ(job_values(s, 1), (Words{"3", "0", "0.25", "no_slip"}));
    EXPECT_EQ(job_values(s, 2), (Words{"3", "0", "0.25", "coulomb_cone:newton"}));
    EXPECT_EQ(job_values(s, 3), (Words{"3", "0.5", "0.25", "no_slip"}));
    EXPECT_EQ(job_values(s, 12), (Words{"4", "1", "0.25", "coulomb_cone:newton"}));
}

TEST_F(SweepFile, RangesHaveTheirEndsAndNoRounding) {
    const Sweep s = sweep(
        "parameters:\n  v: {from: 0.01, to: 0.1, count: 10}\n"
        "  mu: {from: 0.001, to: 10, count: 5, scale: log}\n");
    EXPECT_EQ(s.axes[0].values, (Words{"0.01", "0.02", "0.03", "0.04", "0.05", "0.06", "0.07",
                                       "0.08", "0.09", "0.1"}));
    EXPECT_EQ(s.axes[1].values, (Words{"0.001", "0.01", "0.1", "1", "10"}));
}

TEST_F(SweepFile, ADrawDependsOnSeedNameAndSampleAlone) {
    const std::string draws =
        "parameters:\n  v: {draw: uniform, from: 2, to: 3}\n"
        "  mu: {draw: log_uniform, from: 0.01, to: 1}\n"
        "  boxes: {draw: uniform, from: 1, to: 3, integer: true}\n";
    const Sweep few = sweep("samples: {count: 4, seed: 9}\n" + draws);
    const Sweep many = sweep("samples: {count: 200, seed: 9}\n" + draws);
    const Sweep other = sweep("samples: {count: 4, seed: 10}\n" + draws);
    std::set<std::string> boxes;
    for (std::int64_t i = 1; i <= 200; ++i) {
        const Words row = job_values(many, i);
        EXPECT_EQ(row[0], std::to_string(i));
        EXPECT_TRUE(std::stod(row[1]) >= 2 && std::stod(row[1]) < 3) << row[1];
        EXPECT_TRUE(std::stod(row[2]) >= 0.01 && std::stod(row[2]) <= 1) << row[2];
        boxes.insert(row[3]);
        if (i <= 4) {
            EXPECT_EQ(row, job_values(few, i));
            EXPECT_NE(row, job_values(other, i));
        }
    }
    EXPECT_EQ(boxes, (std::set<std::string>{"1", "2", "3"}));
}

TEST_F(SweepFile, FaultsAreNamedWithTheirPlace) {
    const std::vector<std::pair<std::string, std::string>> faults = {
        {"paramters: {v: 1}\n",
         "sweep.yaml:3:1: unknown key 'paramters'; did you mean 'parameters'?"},
        {"parameters: {v: [1, 2, 1]}\n", "sweep.yaml:3:17: parameters.v: the value 1 comes twice"},
        {"parameters: {v: []}\n",
         "sweep.yaml:3:17: parameters.v: the list is empty; expected at least one value"},
        {"parameters: {v: {from: 1, to: 2}}\n",
         "sweep.yaml:3:17: parameters.v: key 'count' is missing"},
        {"parameters: {v: {from: -1, to: 2, count: 3, scale: log}}\n",
         "sweep.yaml:3:17: parameters.v: a log scale needs from and to above 0"},
        {"parameters: {v: {draw: uniform, from: 1, to: 2}}\n",
         "sweep.yaml:3:17: parameters.v: is drawn, but there is no 'samples: {count: N}'"},
        {"steps: 5\ntime: 1\n",
         "sweep.yaml:4:7: time: 'steps' is given as well; expected one of them"},
        {"keep: [realtime_factor]\n",
         "sweep.yaml:3:8: keep[0]: 'realtime_factor' is a time; times stand in times.csv, whatever "
         "is kept"},
        {"keep: {status: steps}\n",
         "sweep.yaml:3:16: keep: 'status' names a column of the table already; expected another "
         "name, as in 'keep: {NAME: steps}'"},
        {"plots: [{file: a.svg, type: lines, x: mu, value: steps}]\n",
         "sweep.yaml:3:39: plots[0].x: the sweep has no axis 'mu'"},
        {"plots: [{file: ../a.svg, type: lines, x: mu, value: steps}]\n",
         "sweep.yaml:3:16: plots[0].file: found '../a.svg'; expected a name that ends in .svg, "
         "without folders"},
        {"seed: {from: 1, to: 2, count: 3}\n",
         "sweep.yaml:3:7: seed: must be whole numbers, got 1.5"},
        {"parameters: {v: {from: 0, to: 1, count: 2000}, mu: {from: 0, to: 1, count: 2000}}\n",
         "sweep.yaml:3:52: parameters.mu: with this the sweep has more than 1000000 jobs"}};
    for (const auto& [text, expected] : faults)
        EXPECT_EQ(complaint([&] { (void)sweep(text); }), expected);
}

TEST_F(SweepFile, TheSceneIsAskedBeforeAnythingRuns) {
    const std::vector<std::pair<std::string, std::string>> faults = {
        {"parameters: {muu: 1}\n",
         "sweep.yaml:3:19: parameters.muu: the scene has no parameter 'muu'; did you mean 'mu'?"},
        {"parameters: {boxes: [1, 1.5]}\n",
         "sweep.yaml:3:21: parameters.boxes: must be a whole number, got '1.5'"},
        {"parameters: {v: 1, mu: [0, -1]}\n",
         "sweep.yaml:3:24: parameters.mu: must be >= 0, got -1"},
        {"model: no_slip\nsolver: newton\n",
         "sweep.yaml:4:9: solver: 'no_slip' has no solver 'newton'; expected one of: auto, ppm, "
         "sparse_ppm, active_set_qp"},
        {"model: [coulomb_cone, no_slip]\nsolver: newton\n",
         "sweep.yaml:4:9: solver: 'no_slip' has no solver 'newton'; expected one of: auto, ppm, "
         "sparse_ppm, active_set_qp"},
        {"narrowphase: bulet\n",
         "sweep.yaml:3:14: narrowphase: unknown narrowphase 'bulet'; did you mean 'bullet'?"},
        {"keep: [contacts.men]\n",
         "sweep.yaml:3:8: keep: 'contacts' has no 'men'; did you mean 'mean'?"},
        {"keep: [quality.creep.max]\n",
         "sweep.yaml:3:8: keep: 'quality.creep.max' is measured only where the sweep says "
         "'quality: true'"},
        {"keep: [bodies.box_7.position.x]\n",
         "sweep.yaml:3:8: keep: 'bodies' has no 'box_7'; did you mean 'box_0'?"},
        {"files: [nothing.obj]\n",
         "sweep.yaml:3:9: files: nothing.obj: no such file; expected a file"}};
    for (const auto& [text, expected] : faults)
        EXPECT_EQ(complaint([&] { (void)make_plan(sweep(text)); }), expected);
}

TEST_F(SweepFile, AColumnMayBeThereInTheLastJobAlone) {
    const Plan plan =
        make_plan(sweep("parameters: {boxes: [1, 9]}\nkeep: [bodies.box_7.position.x]\n"));
    EXPECT_EQ(plan.jobs(), 2);
}

}  // namespace
}  // namespace stiction::test
